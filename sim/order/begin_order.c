/* In which order the clusters of a GPU get the blocks of a launch. */
#include "sim/order/first_blocks.h"
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

/* The first clusters get the first blocks. Of the other BLOCKS each GPC gets as many, the first
 * ones one more; CHOSEN: those clusters that get one, in a row; then the others. The GPC of the
 * first clusters comes in its turn. */
static void add_clusters(struct turns *turns, uint32_t blocks, bool chosen)
{
    const struct spec *spec = turns->spec;
    for (uint32_t i = 0; i < spec->gpcs; i++) {
        uint32_t g = turns->first != 0 ? spec_gpc_in_turn(spec, i) : i;
        uint32_t begin = g == 0 ? turns->first : spec_gpc_begin(spec, g);
        add_range(turns, begin, spec_gpc_begin(spec, g + 1) - begin,
                  blocks / spec->gpcs + (i < blocks % spec->gpcs), chosen);
    }
}

/* The order for BLOCKS blocks; UINT32_MAX: for one in each cluster. */
static void set_order(struct sim *sim, uint32_t blocks)
{
    struct turns turns = {&sim->engine.spec, sim->visit, 0, first_ones(sim)};
    add_range(&turns, 0, turns.first, blocks, true);
    add_range(&turns, 0, turns.first, blocks, false);
    uint32_t others = blocks > turns.first ? blocks - turns.first : 0;
    add_clusters(&turns, others, true);
    add_clusters(&turns, others, false);
}

bool sim_begin_order(struct sim *sim, uint64_t blocks, uint32_t places)
{
    const struct spec *spec = &sim->engine.spec;
    if (sim->config->options.hearth_first_sm)
        sim->last_turn = spec->clusters - 1;
    sim->first_count = 0;
    if (sim->visit == NULL)
        return true;
    bool few = blocks < spec->clusters;
    set_order(sim, few ? (uint32_t)blocks : UINT32_MAX);
    uint32_t first = first_ones(sim);
    if (few || places == 0 || first == 0 || sim->config->options.hearth_gpc_first_every == 0)
        return true;
    return first_blocks_set(sim, first, blocks, places * spec->sms_per_cluster);
}
