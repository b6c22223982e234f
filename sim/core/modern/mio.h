/* The way of memory instructions in the modern core: a queue and address generation in each
 * sub-core, the load/store unit that they share, shared memory, L1, and the crossbar.
 *
 * A place in the queue and the read counter are held until the shared unit takes the
 * instruction. Source: "Dissecting and Modeling the Architecture of Modern GPU Cores" (MICRO
 * 2025), section 5.4: five places, an address generation of four cycles; measured there and by
 * the rows shared_* and l1_* of the H100's calibration. */
#ifndef HEARTH_SIM_CORE_MODERN_MIO_H
#define HEARTH_SIM_CORE_MODERN_MIO_H

#include "sim/core/access_lists.h"
#include "sim/core/l1_pipe.h"
#include "sim/core/op.h"
#include "sim/core/sm.h"

#define MIO_QUEUE 8 /* places of a sub-core, at most */

struct modern;
struct serializer;
struct trace_record;

struct mio_spec {
    uint32_t places;       /* of a sub-core's queue; at most MIO_QUEUE */
    uint32_t interval;     /* cycles of address generation */
    uint32_t constant;     /* cycles that LDC and S2UR keep the unit for constants, which all
                            * sub-cores share */
    uint32_t port;         /* sectors a cycle to and from L2 */
    uint32_t stores_max;   /* sectors not acknowledged */
    uint32_t long_load;    /* passes of a load from shared memory, for each of which it takes a
                            * cycle more if it has more than these; UINT32_MAX: none does */
    uint32_t l1_long_load; /* the same of sectors of a bank of L1 */
    bool store_merge; /* of stores that wait at the same time to other bytes of a sector, the
                       * first one writes all */
    bool store_port;  /* stores leave at a sector a cycle, and take another one for each line of
                       * whose sectors they do not write all bytes */
    uint32_t store_buffer; /* sectors that wait for that without keeping the unit */
    uint32_t shared_rest;  /* cycles from the shared unit to the result: shared memory */
    uint32_t l1_lookup;    /* cycles from the shared unit to L1's tags */
    uint32_t l1_hit;       /* from there to the data of a hit */
};

/* Of a sub-core. */
struct mio_queue {
    uint16_t ops[MIO_QUEUE]; /* a ring */
    uint8_t head, count;
    uint64_t address_free; /* cycle from which address generation is free */
};

struct mio {
    struct mio_queue queues[SM_MAX_SCHEDULERS];
    uint32_t next_queue;    /* that may hand over first */
    uint32_t waiting;       /* instructions in the queues */
    uint16_t dispatch;      /* instruction whose sectors are being sent */
    uint64_t port_free;     /* cycle in which the last sector of stores leaves for L2 */
    uint64_t free_at;       /* cycle from which the unit takes the next one */
    uint64_t constant_free; /* the same of the unit for constants */
    struct l1_pipe l1;
    struct queue hits; /* sectors that L1 has found, whose data come later */
    struct access_lists lists;
};

/* UNIT is zeroed. Returns false when memory is short; mio_finish() follows in any case. */
bool mio_init(struct mio *unit);
void mio_finish(struct mio *unit);
/* UNIT is idle. */
void mio_reset(struct mio *unit);
void mio_serialize(struct mio *unit, struct serializer *image);

/* Whether SUB_CORE can issue a memory instruction. */
static inline bool mio_has_room(const struct mio *unit, const struct mio_spec *spec,
                                uint32_t sub_core)
{
    return unit->queues[sub_core].count < spec->places && access_lists_any(&unit->lists);
}

/* Whether no instruction in flight accesses memory. */
static inline bool mio_is_unused(const struct mio *unit)
{
    return access_lists_unused(&unit->lists) && unit->waiting == 0 && unit->dispatch == SM_NONE;
}

/* OP, instruction INDEX, is being issued. */
void mio_issue(struct modern *core, uint16_t index, const struct trace_record *record);

/* Simulates a cycle. */
void mio_cycle(struct modern *core);
/* The earliest cycle after this one in which the unit has something to do by itself, if nothing
 * moved in this one. */
uint64_t mio_next(const struct modern *core);
/* Passes CYCLES that are all as the last one was. */
void mio_skip(struct modern *core, uint64_t cycles);

#endif
