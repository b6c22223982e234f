/* An L2 slice: the cache with the queues around it.
 *
 *   crossbar -> rop (fixed delay) -> in -> cache -> misses -> to_dram -> DRAM
 *   crossbar <- out <- cache <- from_dram <- DRAM
 */
#ifndef HEARTH_SIM_MEMORY_SLICE_H
#define HEARTH_SIM_MEMORY_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/ideal_l2/stall_log.h"
#include "sim/memory/address_table.h"
#include "sim/memory/cache.h"
#include "sim/memory/queue.h"

struct slice_spec {
    const struct address_table_map *places;
    uint32_t in_max, to_dram_max, from_dram_max, out_max; /* -gpgpu_dram_partition_queues */
    bool disabled;                                        /* no L2: everything goes to DRAM */
};

struct slice {
    struct slice_spec spec;
    struct cache cache;
    struct queue rop; /* ready: the cycle in which the delay is over */
    struct queue in, to_dram, from_dram, out;
    uint64_t tick; /* the last that was simulated */
    /* Nothing moved, and nothing will before `wake` unless a packet comes from DRAM, or one
     * leaves to DRAM or for the crossbar. */
    bool stuck;
    bool waiting;                 /* and the cache refuses the head of `in` in each tick */
    uint64_t wake;                /* core cycle */
    struct cache_refusal refused; /* of the head of `in` */
    struct stall_log *held;       /* with sim_ideal_l2(); else NULL; owned */
};

/* Returns false when memory is short. */
bool slice_init(struct slice *slice, const struct slice_spec *spec,
                const struct sim_cache_config *config);
void slice_finish(struct slice *slice);
void slice_reset(struct slice *slice);
/* From now on replies tell how long they were held (struct packet). False when memory is short.
 */
bool slice_ideal_l2(struct slice *slice);

/* False when nothing can happen in the L2 cycle within core cycle NOW. */
static inline bool slice_awake(const struct slice *slice, uint64_t now)
{
    return !slice->stuck || now >= slice->wake;
}

/* An L2 cycle in which it is not awake. */
static inline void slice_wait(struct slice *slice)
{
    if (slice->waiting)
        cache_wait(&slice->cache, slice->refused.kind, 1);
}

/* One L2 cycle: the L2's own number TICK, within core cycle NOW. Returns true when
 * anything changed or may change next cycle. */
bool slice_cycle(struct slice *slice, uint64_t now, uint64_t tick);

/* True while packets are in it; the rop queue is not looked at. */
static inline bool slice_busy(const struct slice *slice)
{
    return slice->in.count || slice->to_dram.count || slice->from_dram.count ||
           slice->out.count || slice->cache.misses.count || mshr_has_ready(&slice->cache.mshr);
}

/* True when the crossbar may hand over a packet: room for a whole line's
 * sectors is kept, as in the reference. */
static inline bool slice_accepts(const struct slice *slice)
{
    return slice->spec.in_max == 0 || slice->in.count + TAGS_SECTORS - 1 < slice->spec.in_max;
}

/* Writes a sector of a copy from the host into the tags, without time. Returns the
 * number of dirty sectors that it displaced. */
uint32_t slice_copy(struct slice *slice, uint64_t address);

#endif
