/* The unit of an L2 slice that executes atomics, in order and one transaction after the other.
 * A transaction is what lanes do with one sector, each with bytes of its own.
 *
 * Source: on an H100, reductions and atomics of one warp and of all SMs on one address, and on
 * different ones (l2_atomic in docs/studies/silicon.md). */
#ifndef HEARTH_SIM_MEMORY_ATOMIC_UNIT_H
#define HEARTH_SIM_MEMORY_ATOMIC_UNIT_H

#include "sim/memory/queue.h"

struct atomic_unit_spec {
    uint32_t latency; /* a result comes so much later than that of a read: core cycles */
    uint32_t lanes;   /* 32 transactions of one lane take so long: ticks of L2; 0: no unit,
                       * atomics access the cache as reads do */
    uint32_t sectors; /* four transactions of eight lanes: the same; less than lanes / 8 counts
                       * as that */
    uint32_t queue;   /* transactions that may wait, at least one line's */
};

struct atomic_unit {
    struct queue in;      /* transactions that wait */
    struct queue answers; /* ready: the cycle in which the latency is over */
    uint64_t free;        /* when it is free, in parts of ticks */
    uint32_t waiting;     /* in `in`, or crossing to it from the other half of L2 */
};

/* Parts of a tick: 7 * 32, so that a transaction of any number of lanes takes a whole number of
 * them. */
#define ATOMIC_UNIT_PARTS 224u

/* How long a transaction of LANES, at least 1, takes: between those of one and of eight lanes,
 * and beyond, in proportion. */
static inline uint32_t atomic_unit_time(const struct atomic_unit_spec *spec, uint32_t lanes)
{
    uint32_t one = spec->lanes * (ATOMIC_UNIT_PARTS / 32);
    uint32_t eight = spec->sectors * (ATOMIC_UNIT_PARTS / 4);
    return eight <= one ? one : one + (eight - one) / 7 * (lanes - 1);
}

/* Whether it can begin a transaction in TICK. */
static inline bool atomic_unit_is_free(const struct atomic_unit *unit, uint64_t tick)
{
    return unit->free < (tick + 1) * ATOMIC_UNIT_PARTS;
}

/* The oldest transaction, of LANES, begins in TICK: it leaves the queue. */
static inline void atomic_unit_begin(struct atomic_unit *unit,
                                     const struct atomic_unit_spec *spec, uint32_t lanes,
                                     uint64_t tick)
{
    uint64_t begin = tick * ATOMIC_UNIT_PARTS;
    unit->free = (unit->free > begin ? unit->free : begin) + atomic_unit_time(spec, lanes);
    unit->waiting--;
    queue_pop(&unit->in);
}

#endif
