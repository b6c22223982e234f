#include "sim/spec.h"

#include <stdlib.h>
#include <string.h>

#include "sim/core/l1_pipe.h"
#include "sim/sim.h"

static int set_l1(struct sm_spec *sm, const struct sim_config *config, struct error *err)
{
    const struct sim_options *options = &config->options;
    sm->l1_enabled = config->l1d.enabled;
    sm->skip_l1_global = options->gpgpu_gmem_skip_L1D;
    sm->l1_latency = options->gpgpu_l1_latency ? options->gpgpu_l1_latency : 1;
    sm->l1_banks = options->gpgpu_l1_banks;
    sm->l1_interleave_log2 = (uint32_t)__builtin_ctz(options->gpgpu_l1_banks_byte_interleaving);
    sm->l1_bank_hash = options->gpgpu_l1_banks_hashing_function;
    sm->shared_latency = options->gpgpu_smem_latency;
    sm->shared_banks = options->gpgpu_shmem_num_banks;
    sm->shared_parts = options->gpgpu_shmem_warp_parts;
    sm->shared_limited = options->gpgpu_shmem_limited_broadcast;
    if (sm->l1_banks > L1_PIPE_BANKS || sm->l1_banks == 0 ||
        (sm->l1_banks & (sm->l1_banks - 1)))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-gpgpu_l1_banks %u: expected 1, 2, 4, 8 or 16", sm->l1_banks);
    if (sm->shared_banks > 64 || sm->shared_banks == 0 ||
        (sm->shared_banks & (sm->shared_banks - 1)))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-gpgpu_shmem_num_banks %u: expected a power of two up to 64",
                         sm->shared_banks);
    if (sm->shared_latency > 255)
        return limits_too_many(err, "gpgpu_smem_latency", sm->shared_latency, 255);
    return 0;
}

/* A cache of BYTES with lines of LINE; WAYS 0: one set. Returns 0, or -1 with ERR. */
static int set_geometry(const char *option, uint32_t bytes, uint32_t line, uint32_t *sets,
                        uint32_t *ways, struct error *err)
{
    uint32_t lines = bytes / line;
    if (lines == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-%s %u: not a line, of %u bytes (-gpgpu_cache:il1)", option, bytes,
                         line);
    if (*ways == 0)
        *ways = lines;
    *sets = lines / *ways;
    if (*sets * *ways != lines || (*sets & (*sets - 1)) != 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-%s %u: %u lines of %u bytes (-gpgpu_cache:il1) are no power of two "
                         "of sets of %u (-%s_ways)",
                         option, bytes, lines, line, *ways, option);
    return 0;
}

static uint32_t near_latency(const struct sim_options *options)
{
    return options->hearth_icache_near_latency != 0 ? options->hearth_icache_near_latency
                                                    : options->hearth_icache_l1_latency;
}

static int set_code(struct sm_spec *sm, const struct sim_config *config, struct error *err)
{
    const struct sim_options *options = &config->options;
    if (!options->hearth_icache && !options->hearth_const_cache)
        return 0;
    if (!config->l1i.enabled)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-%s 1 with -gpgpu_cache:il1 none: no cache of the SM",
                         options->hearth_icache ? "hearth_icache" : "hearth_const_cache");
    struct code_spec *code = &sm->code;
    *code = (struct code_spec){
        .fetches = options->hearth_icache,
        .constants = options->hearth_const_cache,
        .line = config->l1i.line,
        .sub_cores = sm->schedulers,
        .l0_ways = options->hearth_icache_l0_ways,
        .stream = options->hearth_icache_stream,
        .l1_sets = config->l1i.sets,
        .l1_ways = config->l1i.ways,
        .l1_latency = options->hearth_icache_l1_latency,
        .l1_requests = options->hearth_icache_l1_requests,
        .gcc_latency = options->hearth_gcc != 0 ? options->hearth_gcc_latency : 0,
        .l0_latency = options->hearth_icache_l0_latency,
        .l0_recent = options->hearth_icache_l0_recent,
        .l0_requests = options->hearth_icache_l0_requests,
        .l0_interval = options->hearth_icache_l0_interval,
        .gcc_interval = options->hearth_gcc_interval,
        .ahead = options->hearth_gcc != 0 ? options->hearth_gcc_ahead : 0,
        .miss_latency = options->hearth_icache_miss_latency,
        .gcc_stream = options->hearth_gcc != 0 ? options->hearth_gcc_stream : 0,
        .near_latency = near_latency(options),
        .param_latency = options->hearth_param_line_latency != 0
                             ? options->hearth_param_line_latency
                             : near_latency(options),
        .constant_interval = options->hearth_gcc_constant_interval,
        .constant_fetch = options->hearth_const_fetch,
        .constant_fetch_latency = options->hearth_const_fetch_latency,
        .constant_latency = options->hearth_const_load_latency,
        .load_latency = options->hearth_icache_load_latency,
        .cold_latency = options->hearth_cold_code_latency,
        .cold_interval = options->hearth_cold_code_interval,
        .cold_constants = options->hearth_cold_const_latency,
        .late_constants = options->hearth_param_latency,
        .cold_fetch = options->hearth_cold_const_fetch,
        .l2_latency = options->hearth_icache ? options->hearth_icache_l2_latency : 0,
        .loads_ahead = options->hearth_const_ahead,
        .loads_sets = config->l1c.sets,
        .loads_ways = config->l1c.ways,
        .loads_line = config->l1c.line,
    };
    if (set_geometry("hearth_icache_l0", options->hearth_icache_l0, code->line, &code->l0_sets,
                     &code->l0_ways, err) != 0)
        return -1;
    uint32_t sets;
    if (code->constants && set_geometry("hearth_const_l0", options->hearth_const_l0, code->line,
                                        &sets, &code->operands_ways, err) != 0)
        return -1;
    if (options->hearth_gcc == 0)
        return 0;
    code->gcc_ways = options->hearth_gcc_ways;
    return set_geometry("hearth_gcc", options->hearth_gcc, code->line, &code->gcc_sets,
                        &code->gcc_ways, err);
}

static int set_model(struct sm_spec *sm, const char *name, struct error *err)
{
    const struct core_model *model = core_model_find(name);
    if (model == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "-hearth_core: there is no '%s'", name);
    sm->model = model;
    if (!model->asks_for_code)
        sm->code.l2_latency = 0;
    if (model->spec_size != 0 && (sm->own = calloc(1, model->spec_size)) == NULL)
        return error_no_memory(err);
    return model->specify != NULL ? model->specify(sm, sm->own, err) : 0;
}

static int set_sm(struct spec *spec, struct error *err)
{
    const struct sim_config *config = spec->config;
    const struct sim_options *options = &config->options;
    struct sm_spec *sm = &spec->sm;
    sm->config = config;
    sm->places = &spec->places;
    sm->warps = config->threads / 32;
    sm->blocks = options->gpgpu_shader_cta;
    sm->regs = (uint32_t)options->gpgpu_shader_registers;
    sm->shmem = (uint32_t)options->gpgpu_shmem_size;
    sm->schedulers = options->gpgpu_num_sched_per_core;
    sm->fill_queue = options->gpgpu_n_ldst_response_buffer_size;
    sm->warp_interval = options->hearth_warp_interval;
    sm->block_interval = options->hearth_block_interval;
    sm->block_interval_warp = options->hearth_block_interval_warp;
    sm->block_turnaround = options->hearth_block_turnaround;
    sm->cluster_interval = options->hearth_cluster_interval;
    sm->block_start = options->hearth_block_start_latency;
    sm->sweep = options->hearth_gpcs > 1 ? options->hearth_block_sweep : 0;
    sm->port_sectors = options->hearth_sm_port / SECTOR_BYTES;
    sm->request_limit = options->icnt_in_buffer_limit;
    sm->posted_max = options->hearth_posted_reductions;
    sm->posts_stores = options->hearth_posted_stores;
    sm->notes_lines = options->hearth_lrc_lines;
    sm->waits_for_atomics = options->hearth_atomics_wait;
    sm->cpi_stack = options->hearth_cpi_stack;
    sm->activity = options->hearth_activity;
    if (sm->warps > SM_MAX_WARPS)
        return limits_too_many(err, "gpgpu_shader_core_pipeline", config->threads,
                               SM_MAX_WARPS * 32);
    if (sm->blocks > SM_MAX_BLOCKS)
        return limits_too_many(err, "gpgpu_shader_cta", sm->blocks, SM_MAX_BLOCKS);
    if (sm->schedulers > SM_MAX_SCHEDULERS)
        return limits_too_many(err, "gpgpu_num_sched_per_core", sm->schedulers,
                               SM_MAX_SCHEDULERS);
    sm->scheduler = warp_scheduler_find(options->gpgpu_scheduler);
    if (sm->scheduler == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "-gpgpu_scheduler: there is no '%s'",
                         options->gpgpu_scheduler);
    if (set_l1(sm, config, err) != 0 || set_code(sm, config, err) != 0)
        return -1;
    return set_model(sm, options->hearth_core, err);
}

static int set_dram(struct spec *spec, struct error *err)
{
    const struct sim_config *config = spec->config;
    const struct sim_options *options = &config->options;
    const struct sim_dram_timing *timing = &config->dram;
    struct dram_spec *dram = &spec->dram;
    dram->timing = *timing;
    dram->burst = options->gpgpu_dram_burst_length / options->dram_data_command_freq_ratio;
    dram->atom = options->gpgpu_dram_burst_length * options->gpgpu_dram_buswidth *
                 options->gpgpu_n_mem_per_ctrlr;
    bool turnaround = !options->dram_elimnate_rw_turnaround;
    uint32_t rtw = timing->cl + dram->burst + 2;
    dram->rtw = turnaround && rtw > timing->wl ? rtw - timing->wl : 0;
    if (turnaround && options->hearth_dram_rtw != 0)
        dram->rtw = options->hearth_dram_rtw;
    dram->wtr = turnaround ? timing->wl + dram->burst + timing->cdlr : 0;
    dram->wtp = timing->wl + dram->burst + timing->wr;
    dram->rtp = dram->burst;
    dram->rcdwr = timing->rcd > timing->wl + 1 ? timing->rcd - (timing->wl + 1) : 0;
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
    dram->refresh_interval = options->hearth_dram_refresh_interval;
    dram->refresh = options->hearth_dram_refresh;
    dram->refresh_banks = options->hearth_dram_refresh_banks && dram->refresh_interval != 0;
    dram->refresh_together = options->hearth_dram_refresh_together;
    dram->ccdr = options->hearth_dram_ccdr;
    dram->close = options->hearth_dram_close;
    dram->faw = options->hearth_dram_faw;
    dram->dual_bus = options->dram_dual_bus_interface;
    dram->group_high_bits = options->dram_bnkgrp_indexing_policy == 0;
    return 0;
}

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

/* Between the coalescer and L2. Before it, some cycles are left to run ahead in. */
static uint32_t lrc_delay(const struct sim_options *options)
{
    uint32_t delay = options->gpgpu_l2_rop_latency, most = delay > 16 ? delay - 16 : 0;
    return options->hearth_lrc_delay < most ? options->hearth_lrc_delay : most;
}

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

static struct code_seat find_seat(const struct spec *spec, uint32_t sm)
{
    uint32_t gpc = spec->sm_gpcs[sm], before = clusters_up_to(spec, gpc, sm) - 1;
    uint32_t number = before % spec->tpc * spec->sms_per_cluster + sm % spec->sms_per_cluster;
    uint32_t tpcs = tpcs_up_to(spec, gpc, spec->sms - 1);
    return (struct code_seat){.tpc = before / spec->tpc, .tpcs = tpcs, .sm = number};
}

static bool set_seats(struct spec *spec)
{
    spec->sm_seats = calloc(spec->sms, sizeof *spec->sm_seats);
    if (spec->sm_seats == NULL)
        return false;
    for (uint32_t s = 0; s < spec->sms; s++)
        spec->sm_seats[s] = find_seat(spec, s);
    return true;
}

/* How far the TPC at SEAT is from what its GPC shares: TPCs belong to CPCs in turn, and the
 * last one of each is nearest. The first TPC lies where blocks of an H100 begin, a step away.
 */
static int32_t tpc_distance(const struct spec *spec, const struct code_seat *seat)
{
    const struct sim_options *options = &spec->config->options;
    uint32_t cpcs = options->hearth_cpcs != 0 ? options->hearth_cpcs : 1;
    uint32_t place = (seat->tpc + cpcs) % seat->tpcs;
    uint32_t last = place % cpcs == cpcs - 1 ? options->hearth_cpc_step : 0;
    return (int32_t)((seat->tpcs - 1 - place) / cpcs * options->hearth_tpc_step + last);
}

static bool set_distances(struct spec *spec)
{
    spec->sm_distances = calloc(spec->sms, sizeof *spec->sm_distances);
    if (spec->sm_distances == NULL)
        return false;
    int32_t first = tpc_distance(spec, &spec->sm_seats[0]);
    for (uint32_t s = 0; s < spec->sms; s++)
        spec->sm_distances[s] = tpc_distance(spec, &spec->sm_seats[s]) - first;
    return true;
}

static void set_memory(struct spec *spec)
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
    uint32_t shared =
        options->gpgpu_frfcfs_dram_sched_queue_size + options->gpgpu_dram_return_queue_size;
    if (options->gpgpu_frfcfs_dram_sched_queue_size == 0 ||
        options->gpgpu_dram_return_queue_size == 0)
        shared = 0;
    else
        shared += (options->dram_seperate_write_queue_enable ? config->write_queue : 0) + 1 -
                  options->gpgpu_n_sub_partition_per_mchannel;
    spec->partition = (struct partition_spec){
        .channels = spec->channels,
        .slices = options->gpgpu_n_sub_partition_per_mchannel,
        .latency = options->dram_latency,
        .shared_credits = shared,
        .dram_hz = config->dram_mhz * 1e6,
        .l2_hz = config->l2_mhz * 1e6,
        .core_hz = config->core_mhz * 1e6,
        .places = &spec->places,
    };
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
    if (address_init(&spec->address, config, err) != 0 || set_sm(spec, err) != 0)
        return -1;
    if (config->l2.enabled && config->l2.sets > ADDRESS_TABLE_SETS)
        return limits_too_many(err, "gpgpu_cache:dl2 sets", config->l2.sets,
                               ADDRESS_TABLE_SETS);
    if (set_dram(spec, err) != 0 || set_places(spec, err) != 0)
        return -1;
    if (!set_gpcs(spec) || !set_cpcs(spec, options->hearth_cpcs) || !set_seats(spec) ||
        !set_distances(spec))
        return error_no_memory(err);
    set_memory(spec);
    set_window(spec);
    return 0;
}

void spec_finish(struct spec *spec)
{
    free(spec->sm_gpcs);
    free(spec->cluster_gpcs);
    free(spec->cluster_cpcs);
    free(spec->sm_seats);
    free(spec->sm_distances);
    spec->sm_seats = NULL;
    spec->sm_distances = NULL;
    spec->sm_gpcs = spec->cluster_gpcs = spec->cluster_cpcs = NULL;
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
