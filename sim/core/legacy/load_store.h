/* The load/store unit of an SM: coalescing, shared memory, L1, and the way to and from the
 * crossbar. One instruction at a time is split into accesses.
 *
 * Its fields are private. The core calls the functions below. The unit reports the progress of
 * a warp's accesses with the functions of legacy.h that begin with legacy_memory_. In an
 * instruction in flight (struct sm_op) it sets `cycles`, `space`, `list`, `pending` and
 * `left`. */
#ifndef HEARTH_SIM_CORE_LEGACY_LOAD_STORE_H
#define HEARTH_SIM_CORE_LEGACY_LOAD_STORE_H

#include "sim/core/access_lists.h"
#include "sim/core/l1_pipe.h"
#include "sim/core/op.h"
#include "sim/memory/cache.h"

#define LOAD_STORE_PIPE 256 /* stages of the shared memory pipeline, at most */

struct legacy;
struct serializer;

struct load_store {
    uint16_t dispatch;   /* instruction being split into accesses */
    uint16_t write_back; /* instruction whose result waits for the register file */
    uint8_t next_client; /* of write-back, in turn */
    bool has_global;     /* `global` holds a reply that bypasses L1 */
    struct packet global;
    uint16_t pipe[LOAD_STORE_PIPE]; /* shared memory pipeline: instructions in order */
    uint64_t pipe_ready[LOAD_STORE_PIPE];
    uint32_t pipe_head, pipe_count;
    struct l1_pipe l1;
    struct access_lists lists;
};

/* UNIT is zeroed. Returns false when memory is short; load_store_finish() follows in any case.
 */
bool load_store_init(struct load_store *unit);
void load_store_finish(struct load_store *unit);
/* UNIT is idle: its turns are as after load_store_init(). */
void load_store_reset(struct load_store *unit);
/* UNIT is idle. */
void load_store_serialize(struct load_store *unit, struct serializer *image);

/* Whether an instruction that accesses memory can be issued. */
static inline bool load_store_has_list(const struct load_store *unit)
{
    return access_lists_any(&unit->lists);
}

/* Whether no instruction in flight accesses memory. */
static inline bool load_store_is_unused(const struct load_store *unit)
{
    return access_lists_unused(&unit->lists);
}

/* Prepares OP, a memory instruction, at its issue. */
void load_store_prepare(struct legacy *core, struct sm_op *op,
                        const struct trace_record *record);

/* Whether load_store_take() may follow. */
static inline bool load_store_is_free(const struct load_store *unit)
{
    return unit->dispatch == SM_NONE;
}

/* Instruction INDEX has its operands. */
void load_store_take(struct legacy *core, uint16_t index);

/* Simulates a cycle. */
void load_store_cycle(struct legacy *core);

/* The earliest cycle after this one in which the unit has something to do by itself, if nothing
 * moved in this one. */
uint64_t load_store_next(const struct legacy *core);
/* Passes CYCLES that are all as the last one was. */
void load_store_skip(struct legacy *core, uint64_t cycles);

#endif
