#include "sim/sim.h"
#include "sim/spec/parts.h"

/* Ticks between commands, of the timing parameters and the length of a burst. */
static void set_dram_times(struct dram_spec *dram, const struct sim_options *options)
{
    const struct sim_dram_timing *timing = &dram->timing;
    bool turnaround = !options->dram_elimnate_rw_turnaround;
    uint32_t rtw = timing->cl + dram->burst + 2;
    dram->rtw = turnaround && rtw > timing->wl ? rtw - timing->wl : 0;
    if (turnaround && options->hearth_dram_rtw != 0)
        dram->rtw = options->hearth_dram_rtw;
    dram->wtr = turnaround ? timing->wl + dram->burst + timing->cdlr : 0;
    dram->wtp = timing->wl + dram->burst + timing->wr;
    dram->rtp = dram->burst;
    dram->rcdwr = timing->rcd > timing->wl + 1 ? timing->rcd - (timing->wl + 1) : 0;
    dram->ccdr = options->hearth_dram_ccdr;
    dram->close = options->hearth_dram_close;
    dram->faw = options->hearth_dram_faw;
}

static int set_dram_queues(struct dram_spec *dram, const struct sim_config *config,
                           struct error *err)
{
    const struct sim_options *options = &config->options;
    dram->queue_max = options->gpgpu_frfcfs_dram_sched_queue_size;
    if (options->dram_seperate_write_queue_enable) {
        dram->write_queue_max = config->write_queue;
        dram->write_high = config->write_queue_high;
        dram->write_low = config->write_queue_low;
    }
    dram->return_max = options->gpgpu_dram_return_queue_size;
    dram->scheduler = dram_scheduler_find(options->gpgpu_dram_scheduler);
    if (dram->scheduler == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-gpgpu_dram_scheduler: there is no '%s'",
                         options->gpgpu_dram_scheduler);
    if (dram->scheduler->queue_max != 0)
        dram->queue_max = dram->scheduler->queue_max;
    if (dram->scheduler->one_queue)
        dram->write_queue_max = 0;
    return 0;
}

int spec_set_dram(struct spec *spec, struct error *err)
{
    const struct sim_config *config = spec->config;
    const struct sim_options *options = &config->options;
    struct dram_spec *dram = &spec->dram;
    dram->timing = config->dram;
    dram->burst = options->gpgpu_dram_burst_length / options->dram_data_command_freq_ratio;
    dram->atom = options->gpgpu_dram_burst_length * options->gpgpu_dram_buswidth *
                 options->gpgpu_n_mem_per_ctrlr;
    set_dram_times(dram, options);
    dram->refresh_interval = options->hearth_dram_refresh_interval;
    dram->refresh = options->hearth_dram_refresh;
    dram->refresh_banks = options->hearth_dram_refresh_banks && dram->refresh_interval != 0;
    dram->refresh_together = options->hearth_dram_refresh_together;
    dram->dual_bus = options->dram_dual_bus_interface;
    dram->group_high_bits = options->dram_bnkgrp_indexing_policy == 0;
    return set_dram_queues(dram, config, err);
}

/* Between the coalescer and L2. Before it, some cycles are left to run ahead in. */
static uint32_t lrc_delay(const struct sim_options *options)
{
    uint32_t delay = options->gpgpu_l2_rop_latency, most = delay > 16 ? delay - 16 : 0;
    return options->hearth_lrc_delay < most ? options->hearth_lrc_delay : most;
}

static void set_slice(struct spec *spec)
{
    const struct sim_config *config = spec->config;
    const struct sim_options *options = &config->options;
    halves_init(&spec->halves, options->hearth_l2_far_latency != 0 ? spec->slices / 2 : 0,
                config->l2_half_runs, config->l2_half_run_count);
    spec->halves.writes_drop = options->hearth_l2_writes_drop;
    spec->slice = (struct slice_spec){
        .places = &spec->places,
        .in_max = config->slice_queue[0],
        .to_dram_max = config->slice_queue[1],
        .from_dram_max = config->slice_queue[2],
        .out_max = config->slice_queue[3],
        .halves = &spec->halves,
        .far_latency = options->hearth_l2_far_latency,
        .atomics = {.latency = options->hearth_l2_atomic_latency,
                    .lanes = options->hearth_l2_atomic_lanes,
                    .sectors = options->hearth_l2_atomic_sectors,
                    .queue = options->hearth_l2_atomic_queue},
        .coalescer = {.entries =
                          options->gpgpu_lrc_enabled ? options->gpgpu_lrc_max_entries : 0,
                      .merged = options->gpgpu_lrc_max_merged,
                      .gpcs = options->hearth_lrc_gpc ? spec->sm_gpcs : NULL,
                      .latest = options->hearth_lrc_latest,
                      .multicast = options->hearth_lrc_multicast,
                      .replays = options->hearth_lrc_replays,
                      .delay = lrc_delay(options)},
        .disabled = !config->l2.enabled || options->gpgpu_cache_dl2_texture_only,
    };
    spec->arrival_delay = options->gpgpu_l2_rop_latency;
    if (spec->slice.coalescer.entries != 0)
        spec->arrival_delay -= spec->slice.coalescer.delay;
}

/* Requests that the slices of a partition may have in DRAM together; 0: any number. */
static uint32_t shared_credits(const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    uint32_t queue = options->gpgpu_frfcfs_dram_sched_queue_size;
    uint32_t returns = options->gpgpu_dram_return_queue_size;
    if (queue == 0 || returns == 0)
        return 0;
    uint32_t writes = options->dram_seperate_write_queue_enable ? config->write_queue : 0;
    return queue + returns + writes + 1 - options->gpgpu_n_sub_partition_per_mchannel;
}

static void set_partition(struct spec *spec)
{
    const struct sim_config *config = spec->config;
    const struct sim_options *options = &config->options;
    spec->partition = (struct partition_spec){
        .channels = spec->channels,
        .slices = options->gpgpu_n_sub_partition_per_mchannel,
        .latency = options->dram_latency,
        .shared_credits = shared_credits(config),
        .dram_hz = config->dram_mhz * 1e6,
        .l2_hz = config->l2_mhz * 1e6,
        .core_hz = config->core_mhz * 1e6,
        .places = &spec->places,
    };
}

static void set_crossbars(struct spec *spec)
{
    const struct sim_options *options = &spec->config->options;
    struct xbar_spec xbar = {
        .nodes = spec->clusters + spec->slices,
        .output_limit = options->icnt_out_buffer_limit,
        .arbiter = options->icnt_arbiter_algo == 0 ? XBAR_ROUND_ROBIN : XBAR_ISLIP,
        .output_rate = spec->sm.port_sectors,
        .grant_cycles = options->icnt_grant_cycles ? options->icnt_grant_cycles : 1,
    };
    spec->request = spec->reply = xbar;
    spec->request.inputs = spec->reply.outputs = spec->clusters;
    spec->request.outputs = spec->reply.inputs = spec->slices;
    spec->request.first_input = 0;
    spec->reply.first_input = spec->clusters;
    spec->request.senders = spec->gpcs * options->hearth_cpcs;
    spec->request.sender_of = spec->cluster_cpcs;
    spec->request.sender_bytes = options->hearth_cpcs != 0 ? options->hearth_cpc_port : 0;
    spec->reply.output_sms = spec->sms_per_cluster;
    spec->reply.groups = spec->gpcs;
    spec->reply.group_of = spec->cluster_gpcs;
    spec->reply.group_rate = options->hearth_gpc_port / SECTOR_BYTES;
    spec->reply.riders = options->gpgpu_lrc_enabled && options->hearth_lrc_multicast;
}

void spec_set_memory(struct spec *spec)
{
    const struct sim_options *options = &spec->config->options;
    set_slice(spec);
    set_partition(spec);
    set_crossbars(spec);
    spec->l2_spread = options->hearth_l2_spread;
    spec->spread_gpcs = options->hearth_l2_spread_gpc;
    spec->merges = (struct merges_spec){.max = options->hearth_l2_merge,
                                        .halves = &spec->halves,
                                        .gpcs = options->hearth_lrc_gpc ? spec->sm_gpcs : NULL};
    /* At most half the delay: see code_shares.h. */
    spec->code_shares = (struct code_shares_spec){
        .gpcs = options->hearth_gcc != 0 ? spec->sm_gpcs : NULL, /* they share a cache */
        .cycles = options->gpgpu_l2_rop_latency / 2,
    };
    spec->page_walks = (struct page_walks_spec){
        .latency = options->hearth_page_walk,
        .walkers = options->hearth_page_walkers,
        .shift = (uint32_t)__builtin_ctz(options->hearth_page_reach),
    };
}
