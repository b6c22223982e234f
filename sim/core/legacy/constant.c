/* The constant cache of LDC, as an option. An instruction looks up a line a
 * cycle, from its issue on; one that is not there comes a fixed time later.
 * Parameters are others in every launch: launches that run at once share the
 * cache, but no lines. */
#include "sim/core/legacy/legacy.h"

/* Bytes, as a power of two, between what two launches are taken to read. */
#define PARAMETERS_LOG2 40

/* A lookup in NOW that found LINE, NULL for a miss. */
static void count_lookup(struct sm_stats *stats, const struct cached_line *line, uint64_t now)
{
    stats->constant_lookups++;
    stats->constant_pending_hits += line != NULL && line->ready > now;
    stats->constant_misses += line == NULL;
}

/* The cycle in which the line of ADDRESS, looked up in NOW for WARP, is there. */
static uint64_t line_there(struct legacy *core, const struct legacy_warp *warp,
                           uint64_t address, uint64_t now)
{
    const struct cached_line *line = line_cache_find(&core->constants, address);
    SHARES_CALL(&core->sm, warp->slot, count_lookup, line, now);
    if (line != NULL)
        return line->ready > now ? line->ready : now;
    uint64_t ready = now + core->sm.spec->constant_miss;
    line_cache_put(&core->constants, address, ready);
    return ready;
}

uint16_t legacy_constant_wait(struct legacy *core, const struct sm_op *op,
                              const struct trace_record *record)
{
    const struct legacy_warp *warp = &core->warps[op->warp];
    uint64_t room[32], last = core->sm.now;
    uint64_t parameters = legacy_launch_of(core, warp)->number << PARAMETERS_LOG2;
    uint32_t looked_up = 0, count;
    const uint64_t *lanes = coalesce_lanes(record, warp->trace->addresses, room, &count);
    for (uint32_t lane = 0; lane < count; lane++) {
        uint32_t before = 0;
        while (line_cache_address(&core->constants, lanes[before]) !=
               line_cache_address(&core->constants, lanes[lane]))
            before++;
        if (before < lane)
            continue;
        uint64_t there =
            line_there(core, warp, lanes[lane] + parameters, core->sm.now + looked_up++);
        if (there > last)
            last = there;
    }
    return (uint16_t)(last - core->sm.now);
}
