/* The specifications of all components, made from a configuration. */
#ifndef HEARTH_SIM_SPEC_SPEC_H
#define HEARTH_SIM_SPEC_SPEC_H

#include "sim/core/sm.h"
#include "sim/memory/address.h"
#include "sim/memory/address_table.h"
#include "sim/memory/distance.h"
#include "sim/memory/network/code_shares.h"
#include "sim/memory/network/merges.h"
#include "sim/memory/page_walks.h"
#include "sim/memory/partition.h"
#include "sim/memory/xbar.h"

struct spec {
    const struct sim_config *config;
    uint32_t sms, clusters, sms_per_cluster, channels, slices;
    uint32_t gpcs, tpc;     /* to which clusters belong; clusters of a TPC */
    bool gpc_blocks;        /* those of a GPC are numbered in a row */
    uint16_t *sm_gpcs;      /* GPC of each SM; owned */
    uint16_t *cluster_gpcs; /* the same of clusters (gpgpu_n_clusters) */
    uint16_t *cluster_cpcs; /* of each cluster, the group that sends stores with it
                             * (-hearth_cpcs); all 0 without; owned */
    uint32_t arrival_delay; /* core cycles from the crossbar to L2's coalescer, or to L2 if
                             * there is none */
    uint32_t window;        /* cycles that components run before they exchange packets */
    bool run_ahead;         /* partitions run a window ahead of the SMs */
    struct address_spec address;
    struct address_table_map places; /* by `address`, and the tags of L2 */
    struct sm_spec sm;
    struct halves halves; /* of L2 */
    struct slice_spec slice;
    struct dram_spec dram;
    struct partition_spec partition; /* number is each partition's own */
    struct xbar_spec request, reply;
    struct page_walks_spec page_walks;
    struct merges_spec merges;
    struct code_shares_spec code_shares;
    uint32_t l2_spread;    /* core cycles: see sim/memory/distance.h */
    bool spread_gpcs;      /* SMs of a GPC are equally far from a slice */
    uint16_t *sm_tpcs;     /* of each SM, which TPC of its GPC it is in; owned */
    int32_t *sm_distances; /* core cycles that each SM is further than the first one from what
                            * its GPC shares and from L2 (-hearth_tpc_step); owned */
};

/* Returns 0, or -1 with ERR for what this model cannot be built as. SPEC must not move
 * afterwards: its parts point at each other. */
int spec_init(struct spec *spec, const struct sim_config *config, struct error *err);
/* Accepts what spec_init() has failed for. */
void spec_finish(struct spec *spec);

/* The first cluster of GPC with gpc_blocks: the last GPCs have a TPC more than the others. */
static inline uint32_t spec_gpc_begin(const struct spec *spec, uint32_t gpc)
{
    uint32_t tpcs = (spec->clusters + spec->tpc - 1) / spec->tpc;
    uint32_t less = spec->gpcs - tpcs % spec->gpcs;
    uint32_t begin = tpcs / spec->gpcs * gpc + (gpc > less ? gpc - less : 0);
    return begin < tpcs ? begin * spec->tpc : spec->clusters;
}

/* With first TPCs, the GPC that gets blocks after them and I others (-hearth_gpc_turn). */
static inline uint32_t spec_gpc_in_turn(const struct spec *spec, uint32_t i)
{
    return (spec->config->options.hearth_gpc_turn + i) % spec->gpcs;
}

/* Core cycles that an answer of SLICE takes to SM beyond those of the nearest slice to the
 * first SM, and not less. */
static inline uint32_t spec_distance(const struct spec *spec, uint32_t sm, uint32_t slice)
{
    uint32_t place = spec->spread_gpcs ? spec->sm_gpcs[sm] : sm;
    int32_t distance = (int32_t)distance_cycles(spec->l2_spread, place, slice);
    distance += spec->sm_distances[sm];
    return distance > 0 ? (uint32_t)distance : 0;
}

/* The GPC of SM: clusters belong to GPCs in turn, as long as all GPCs get a TPC more; the TPCs
 * that are left belong to the first ones. With gpc_blocks, those of a GPC are numbered in a
 * row.
 */
static inline uint32_t spec_gpc(const struct spec *spec, uint32_t sm)
{
    uint32_t cluster = sm / spec->sms_per_cluster, gpc = 0;
    uint32_t even = spec->clusters - spec->clusters % (spec->gpcs * spec->tpc);
    if (!spec->gpc_blocks)
        return cluster < even ? cluster % spec->gpcs : (cluster - even) / spec->tpc;
    while (cluster >= spec_gpc_begin(spec, gpc + 1))
        gpc++;
    return gpc;
}

#endif
