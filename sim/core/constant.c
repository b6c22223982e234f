/* The constant cache of LDC, as an option. An instruction looks up a line a
 * cycle, from its issue on; one that is not there comes a fixed time later. */
#include "sim/core/sm.h"

/* The cycle in which the line of ADDRESS, looked up in NOW, is there. */
static uint64_t line_there(struct sm *sm, uint64_t address, uint64_t now)
{
    const struct line *line = line_cache_find(&sm->constants, address);
    sm->stats.constant_lookups++;
    if (line != NULL) {
        sm->stats.constant_pending_hits += line->ready > now;
        return line->ready > now ? line->ready : now;
    }
    sm->stats.constant_misses++;
    uint64_t ready = now + sm->spec->constant_miss;
    line_cache_put(&sm->constants, address, ready);
    return ready;
}

uint16_t sm_constant_wait(struct sm *sm, const struct op *op, const struct trace_record *record)
{
    uint64_t lanes[32], last = sm->now;
    uint32_t looked_up = 0;
    uint32_t count = coalesce_lanes(record, sm->warps[op->warp].trace->addresses, lanes);
    for (uint32_t lane = 0; lane < count; lane++) {
        uint32_t before = 0;
        while (line_cache_address(&sm->constants, lanes[before]) !=
               line_cache_address(&sm->constants, lanes[lane]))
            before++;
        if (before < lane)
            continue;
        uint64_t there = line_there(sm, lanes[lane], sm->now + looked_up++);
        if (there > last)
            last = there;
    }
    return (uint16_t)(last - sm->now);
}
