#include <stdlib.h>

#include "sim/spec/parts.h"

static bool set_gpcs(struct spec *spec)
{
    spec->sm_gpcs = calloc(spec->sms, sizeof *spec->sm_gpcs);
    spec->cluster_gpcs = calloc(spec->clusters, sizeof *spec->cluster_gpcs);
    if (spec->sm_gpcs == NULL || spec->cluster_gpcs == NULL)
        return false;
    for (uint32_t s = 0; s < spec->sms; s++)
        spec->sm_gpcs[s] = spec->cluster_gpcs[s / spec->sms_per_cluster] =
            (uint16_t)spec_gpc(spec, s);
    return true;
}

/* Clusters of a GPC: SMs are counted up to LAST. */
static uint32_t clusters_up_to(const struct spec *spec, uint32_t gpc, uint32_t last)
{
    uint32_t clusters = 0;
    for (uint32_t s = 0; s <= last; s += spec->sms_per_cluster)
        clusters += spec->sm_gpcs[s] == gpc;
    return clusters;
}

/* The same of TPCs. */
static uint32_t tpcs_up_to(const struct spec *spec, uint32_t gpc, uint32_t last)
{
    return (clusters_up_to(spec, gpc, last) + spec->tpc - 1) / spec->tpc;
}

static bool set_cpcs(struct spec *spec, uint32_t cpcs)
{
    spec->cluster_cpcs = calloc(spec->clusters, sizeof *spec->cluster_cpcs);
    if (spec->cluster_cpcs == NULL)
        return false;
    for (uint32_t c = 0; cpcs != 0 && c < spec->clusters; c++) {
        uint32_t gpc = spec->cluster_gpcs[c],
                 tpc = tpcs_up_to(spec, gpc, c * spec->sms_per_cluster) - 1;
        spec->cluster_cpcs[c] = (uint16_t)(gpc * cpcs + tpc % cpcs);
    }
    return true;
}

static bool set_tpcs(struct spec *spec)
{
    spec->sm_tpcs = calloc(spec->sms, sizeof *spec->sm_tpcs);
    if (spec->sm_tpcs == NULL)
        return false;
    for (uint32_t s = 0; s < spec->sms; s++)
        spec->sm_tpcs[s] = (uint16_t)(tpcs_up_to(spec, spec->sm_gpcs[s], s) - 1);
    return true;
}

/* How far the TPC of SM is from what its GPC shares: TPCs belong to CPCs in turn, and the last
 * one of each is nearest. The first TPC lies where blocks of an H100 begin, a step away. */
static int32_t tpc_distance(const struct spec *spec, uint32_t sm)
{
    const struct sim_options *options = &spec->config->options;
    uint32_t cpcs = options->hearth_cpcs != 0 ? options->hearth_cpcs : 1;
    uint32_t tpcs = tpcs_up_to(spec, spec->sm_gpcs[sm], spec->sms - 1);
    uint32_t place = (spec->sm_tpcs[sm] + cpcs) % tpcs;
    uint32_t last = place % cpcs == cpcs - 1 ? options->hearth_cpc_step : 0;
    return (int32_t)((tpcs - 1 - place) / cpcs * options->hearth_tpc_step + last);
}

static bool set_distances(struct spec *spec)
{
    spec->sm_distances = calloc(spec->sms, sizeof *spec->sm_distances);
    if (spec->sm_distances == NULL)
        return false;
    int32_t first = tpc_distance(spec, 0);
    for (uint32_t s = 0; s < spec->sms; s++)
        spec->sm_distances[s] = tpc_distance(spec, s) - first;
    return true;
}

int spec_set_gpcs(struct spec *spec, struct error *err)
{
    if (!set_gpcs(spec) || !set_cpcs(spec, spec->config->options.hearth_cpcs) ||
        !set_tpcs(spec) || !set_distances(spec))
        return error_no_memory(err);
    return 0;
}

void spec_finish_gpcs(struct spec *spec)
{
    free(spec->sm_gpcs);
    free(spec->cluster_gpcs);
    free(spec->cluster_cpcs);
    free(spec->sm_tpcs);
    free(spec->sm_distances);
    spec->sm_gpcs = spec->cluster_gpcs = spec->cluster_cpcs = spec->sm_tpcs = NULL;
    spec->sm_distances = NULL;
}
