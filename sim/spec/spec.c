#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"
#include "sim/spec/parts.h"

static int set_places(struct spec *spec, struct error *err)
{
    const struct tags_spec none = {.sets = 1, .ways = 1, .line_bytes = 1 << ADDRESS_TABLE_LINE};
    const struct sim_cache_config *l2 = &spec->config->l2;
    const struct tags_spec tags = l2->enabled ? cache_tags(l2) : none;
    address_table_init(&spec->places, &spec->address, &tags);
    if (spec->config->options.hearth_l2_fetch > SECTOR_BYTES && !spec->places.whole)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-hearth_l2_fetch %u: only 32 if the address mapping spreads the "
                         "sectors of a line over several slices or sets",
                         spec->config->options.hearth_l2_fetch);
    return 0;
}

/* The window is at most half the delay before L2, or before its coalescer (and the time between
 * blocks of a cluster): what a slice serves in a window left the crossbar before the previous
 * window, which is the one that SMs are in. A delay below 2 gives windows of one cycle. */
static void set_window(struct spec *spec)
{
    uint32_t delay = spec->arrival_delay;
    spec->run_ahead = delay >= 2;
    spec->window = spec->run_ahead ? delay / 2 : 1;
    if (spec->window > PARTITION_MAX_WINDOW)
        spec->window = PARTITION_MAX_WINDOW;
    /* What blocks of a cluster send each other takes effect after the window. */
    const struct sim_options *options = &spec->config->options;
    if (options->hearth_clusters && spec->window > options->hearth_cluster_latency)
        spec->window = options->hearth_cluster_latency;
    if (options->hearth_clusters && options->hearth_cluster_barrier != 0 &&
        spec->window > options->hearth_cluster_barrier)
        spec->window = options->hearth_cluster_barrier;
}

int spec_init(struct spec *spec, const struct sim_config *config, struct error *err)
{
    memset(spec, 0, sizeof *spec);
    spec->config = config;
    const struct sim_options *options = &config->options;
    spec->clusters = options->gpgpu_n_clusters;
    spec->sms_per_cluster = options->gpgpu_n_cores_per_cluster;
    spec->sms = spec->clusters * spec->sms_per_cluster;
    spec->gpcs = options->hearth_gpcs;
    spec->tpc = options->hearth_tpc;
    spec->gpc_blocks = options->hearth_gpc_blocks && options->hearth_gpcs > 1;
    spec->channels = options->gpgpu_n_mem;
    spec->slices = spec->channels * options->gpgpu_n_sub_partition_per_mchannel;
    if (spec->clusters > XBAR_MAX_PORTS)
        return limits_too_many(err, "gpgpu_n_clusters", spec->clusters, XBAR_MAX_PORTS);
    if (spec->slices > XBAR_MAX_PORTS)
        return limits_too_many(err, "gpgpu_n_mem (times slices)", spec->slices, XBAR_MAX_PORTS);
    if (config->dram.bank_groups > 16)
        return limits_too_many(err, "gpgpu_dram_timing_opt nbkgrp", config->dram.bank_groups,
                               16);
    if (config->dram.banks > DRAM_MAX_BANKS)
        return limits_too_many(err, "gpgpu_dram_timing_opt nbk", config->dram.banks,
                               DRAM_MAX_BANKS);
    if (address_init(&spec->address, config, err) != 0 || spec_set_sm(spec, err) != 0)
        return -1;
    if (config->l2.enabled && config->l2.sets > ADDRESS_TABLE_SETS)
        return limits_too_many(err, "gpgpu_cache:dl2 sets", config->l2.sets,
                               ADDRESS_TABLE_SETS);
    if (spec_set_dram(spec, err) != 0 || set_places(spec, err) != 0 ||
        spec_set_gpcs(spec, err) != 0)
        return -1;
    spec_set_memory(spec);
    set_window(spec);
    return 0;
}

void spec_finish(struct spec *spec)
{
    spec_finish_gpcs(spec);
    free(spec->sm.own);
    spec->sm.own = NULL;
}

int sim_check(const struct sim_config *config, struct error *err)
{
    struct spec *spec = malloc(sizeof *spec);
    int status = spec != NULL ? spec_init(spec, config, err) : error_no_memory(err);
    if (spec != NULL)
        spec_finish(spec);
    free(spec);
    return status;
}
