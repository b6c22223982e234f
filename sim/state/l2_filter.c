/* Which part of L2's contents a launch can notice.
 *
 * Suppose that the launch touches T lines of a set with A ways. If these and the other lines in
 * the set are at most A, nothing is ever evicted. The other lines then do not matter, nor does
 * it matter which sectors are dirty.
 *
 * Otherwise the lines before a line in order of use decide when it is evicted. A clean line
 * that the launch does not touch, and that is older than all lines that are kept, is evicted
 * first and leaves no trace: a free way serves as well. All other lines are kept. Of one that
 * is not touched, only its place in the order and the sectors that have to be written back
 * matter. */
#include "sim/state/l2_filter.h"

#include <stdlib.h>

#include "sim/simulator.h"

int l2_filter_need_l2(const struct sim *sim, const char *name, struct error *err)
{
    if (sim->config->l2.enabled)
        return 0;
    return error_set(err, ERROR_USAGE, name, 0, 0, "the configuration has no L2");
}

struct sim_needs *sim_needs_create(struct sim *sim, struct error *err)
{
    if (l2_filter_need_l2(sim, NULL, err) != 0)
        return NULL;
    sim_drain(sim);
    const struct slice *slice = engine_slice(&sim->engine, 0);
    const struct tags *tags = &slice->cache.tags;
    size_t sets = (size_t)sim->engine.spec.slices * tags->spec.sets;
    /* With copies, blocks of sectors, prefetches, or bounds of dirty lines, an access depends
     * on more than its own sector. */
    bool single = slice->spec.halves->slices == 0 && !slice->cache.prefetches &&
                  slice->cache.block_bytes == tags->spec.sector_bytes &&
                  slice->cache.dirty_ways == 0 && slice->cache.dirty_kept == 0;
    struct sim_needs *needs = calloc(1, sizeof *needs);
    if (needs != NULL)
        *needs = (struct sim_needs){
            .engine = &sim->engine,
            .all = !tags->spec.replacement->in_order || !single,
            .lines = calloc(sets, sizeof *needs->lines),
            .sectors = calloc(sets, tags->max_ways),
            .touched = calloc(sets, tags->max_ways),
        };
    if (needs != NULL && needs->lines != NULL && needs->sectors != NULL &&
        needs->touched != NULL)
        return needs;
    sim_needs_destroy(needs);
    error_no_memory(err);
    return NULL;
}

void sim_needs_destroy(struct sim_needs *needs)
{
    if (needs == NULL)
        return;
    free(needs->lines);
    free(needs->sectors);
    free(needs->touched);
    free(needs);
}

/* Where the lines of SLICE begin in the arrays. */
static size_t first_line(const struct tags *tags, uint32_t slice)
{
    return (size_t)slice * tags->spec.sets * tags->max_ways;
}

void sim_needs_add(struct sim_needs *needs, uint64_t address, uint8_t sectors)
{
    uint32_t set, slice = address_table_of(&needs->engine->spec.places, address, &set);
    const struct tags *tags = &engine_slice(needs->engine, slice)->cache.tags;
    if (tags->spec.line_bytes != 128 || !needs->engine->spec.places.whole) {
        needs->all = true;
        return;
    }
    uint32_t line = tags_find(tags, address);
    needs->lines[slice * tags->spec.sets + set]++;
    if (line == TAGS_NONE)
        return;
    needs->touched[first_line(tags, slice) + line] = 1;
    needs->sectors[first_line(tags, slice) + line] =
        tags->spec.sector_bytes == 128 ? sectors != 0 : sectors;
}

void sim_needs_all(struct sim_needs *needs)
{
    needs->all = true;
}

struct l2_filter_set l2_filter_begin(const struct sim_needs *needs, const struct tags *tags,
                                     uint32_t slice, uint32_t set)
{
    struct l2_filter_set begun = {.tags = tags};
    if (needs == NULL || needs->all)
        return begun;
    begun.needs = needs;
    begun.first = first_line(tags, slice);
    uint32_t untouched = 0;
    for (uint32_t way = 0; way < tags->spec.ways; way++) {
        size_t line = (size_t)set * tags->max_ways + way;
        untouched += tags->lines[line].valid != 0 && !needs->touched[begun.first + line];
    }
    begun.roomy = needs->lines[slice * tags->spec.sets + set] + untouched <= tags->spec.ways;
    return begun;
}

uint8_t l2_filter_keep(struct l2_filter_set *set, const struct tags_line *line)
{
    if (set->needs == NULL || line->valid == 0)
        return line->valid;
    size_t at = set->first + (size_t)(line - set->tags->lines);
    if (!set->needs->touched[at] && (set->roomy || (!set->begun && line->dirty == 0)))
        return 0;
    set->begun = true;
    uint8_t kept = set->needs->sectors[at] | (set->roomy ? 0 : line->dirty);
    kept &= line->valid;
    /* A line needs at least one sector. */
    return kept != 0 ? kept : line->valid & (uint8_t)-line->valid;
}
