/* In which order the clusters of a GPU get the blocks of a launch. */
#include "sim/simulator.h"

/* Where the turns of a launch are filled in. */
struct turns {
    const struct spec *spec;
    uint16_t *visit;
    uint32_t count;
    uint32_t first; /* clusters that get one before all others */
};

/* Of the COUNT clusters of a GPC from BEGIN on, adds those that get one of QUOTA blocks, if
 * CHOSEN, or the others: each TPC gets one before any gets a second one. */
static void add_range(struct turns *turns, uint32_t begin, uint32_t count, uint32_t quota,
                      bool chosen)
{
    uint32_t tpc = turns->spec->tpc, tpcs = (count + tpc - 1) / tpc;
    for (uint32_t i = 0; i < count; i++)
        if ((i % tpc * tpcs + i / tpc < quota) == chosen)
            turns->visit[turns->count++] = (uint16_t)(begin + i);
}

/* Clusters of the first GPC, whole TPCs of it, that get blocks before all others. */
static uint32_t first_ones(const struct sim *sim)
{
    const struct spec *spec = &sim->engine.spec;
    uint32_t first = sim->config->options.hearth_gpc_first * spec->tpc;
    uint32_t all = spec_gpc_begin(spec, 1);
    return first < all ? first : all - all % spec->tpc;
}

/* The GPC that is number TURN to get blocks: the one of the first clusters comes last. */
static uint32_t gpc_of_turn(const struct turns *turns, uint32_t turn)
{
    return turns->first != 0 ? (turn + 1) % turns->spec->gpcs : turn;
}

/* The clusters of GPC, but for the first ones, as in add_range(). */
static void add_gpc(struct turns *turns, uint32_t gpc, uint32_t quota, bool chosen)
{
    uint32_t begin = gpc == 0 ? turns->first : spec_gpc_begin(turns->spec, gpc);
    add_range(turns, begin, spec_gpc_begin(turns->spec, gpc + 1) - begin, quota, chosen);
}

/* The first clusters get the first blocks. Of the other BLOCKS each GPC gets as many, the first
 * ones one more; CHOSEN: those clusters that get one, in a row; then the others. */
static void add_clusters(struct turns *turns, uint32_t blocks, bool chosen)
{
    uint32_t gpcs = turns->spec->gpcs;
    for (uint32_t i = 0; i < gpcs; i++)
        add_gpc(turns, gpc_of_turn(turns, i), blocks / gpcs + (i < blocks % gpcs), chosen);
}

void sim_full_order(struct sim *sim)
{
    const struct spec *spec = &sim->engine.spec;
    if (sim->visit == NULL)
        return;
    struct turns turns = {spec, sim->visit, 0, first_ones(sim)};
    add_range(&turns, 0, turns.first, spec->clusters, true);
    for (uint32_t i = 0; i < spec->gpcs; i++)
        add_gpc(&turns, gpc_of_turn(&turns, i), spec->clusters, true);
}

void sim_begin_order(struct sim *sim, uint64_t blocks)
{
    const struct spec *spec = &sim->engine.spec;
    if (sim->config->options.hearth_first_sm)
        sim->last_cluster = spec->clusters - 1;
    if (sim->visit == NULL || blocks >= spec->clusters) {
        sim_full_order(sim);
        return;
    }
    struct turns turns = {spec, sim->visit, 0, first_ones(sim)};
    add_range(&turns, 0, turns.first, (uint32_t)blocks, true);
    add_range(&turns, 0, turns.first, (uint32_t)blocks, false);
    uint32_t others = blocks > turns.first ? (uint32_t)blocks - turns.first : 0;
    add_clusters(&turns, others, true);
    add_clusters(&turns, others, false);
}
