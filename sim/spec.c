#include "sim/spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"

/* A limit of this implementation that CONFIG goes beyond. */
static int too_many(struct error *err, const char *option, uint64_t value, uint64_t most)
{
    return error_set(err, ERROR_USAGE, NULL, 0, 0, "-%s %llu: this model has at most %llu",
                     option, (unsigned long long)value, (unsigned long long)most);
}

/* A register of each pipeline stage; a sub-core has one of its own at least.
 * check_widths() has seen that there are not too many. */
static uint8_t width(const struct sm_spec *sm, uint32_t configured)
{
    uint32_t least = sm->sub_cores ? sm->schedulers : 1;
    return (uint8_t)(configured < least ? least : configured);
}

static int check_widths(const struct sim_config *config, struct error *err)
{
    const struct sim_options *options = &config->options;
    uint32_t units[] = {options->gpgpu_num_sp_units, options->gpgpu_num_dp_units,
                        options->gpgpu_num_int_units, options->gpgpu_num_sfu_units,
                        options->gpgpu_num_tensor_core_units};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (units[i] > SM_MAX_UNITS)
            return too_many(err, "gpgpu_num_*_units", units[i], SM_MAX_UNITS);
    for (uint32_t stage = 0; stage < SIM_STAGE_COUNT; stage++)
        if (config->pipeline_width[stage] > SM_MAX_WIDTH)
            return too_many(err, "gpgpu_pipeline_widths", config->pipeline_width[stage],
                            SM_MAX_WIDTH);
    for (uint32_t u = 0; u < SIM_SPECIAL_UNITS; u++) {
        const struct sim_special_unit *unit = &config->special[u];
        if (unit->count > SM_MAX_WIDTH || unit->operand_width > SM_MAX_WIDTH ||
            unit->issue_width > SM_MAX_WIDTH)
            return error_set(
                err, ERROR_USAGE, NULL, 0, 0,
                "-specialized_unit_%u: this model has at most %d units and registers", u + 1,
                SM_MAX_WIDTH);
    }
    return 0;
}

static void set_pipes(struct sm_spec *sm, const struct sim_config *config)
{
    static const struct {
        enum pipe pipe;
        enum sim_pipeline_stage id, ex;
    } stages[] = {
        {PIPE_SP, SIM_STAGE_ID_SP, SIM_STAGE_EX_SP},
        {PIPE_DP, SIM_STAGE_ID_DP, SIM_STAGE_EX_DP},
        {PIPE_INT, SIM_STAGE_ID_INT, SIM_STAGE_EX_INT},
        {PIPE_SFU, SIM_STAGE_ID_SFU, SIM_STAGE_EX_SFU},
        {PIPE_MEM, SIM_STAGE_ID_MEM, SIM_STAGE_EX_MEM},
        {PIPE_TENSOR, SIM_STAGE_ID_TENSOR, SIM_STAGE_EX_TENSOR},
    };
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        sm->id_oc[stages[i].pipe] = width(sm, config->pipeline_width[stages[i].id]);
        sm->oc_ex[stages[i].pipe] = width(sm, config->pipeline_width[stages[i].ex]);
    }
    for (uint32_t s = 0; s < SIM_SPECIAL_UNITS; s++) {
        sm->id_oc[PIPE_SPECIALIZED + s] = width(sm, config->special[s].operand_width);
        sm->oc_ex[PIPE_SPECIALIZED + s] = width(sm, config->special[s].issue_width);
        sm->units[PIPE_SPECIALIZED + s] = width(sm, config->special[s].count);
    }
    const struct sim_options *options = &config->options;
    sm->units[PIPE_SP] = width(sm, options->gpgpu_num_sp_units);
    sm->units[PIPE_DP] = width(sm, options->gpgpu_num_dp_units);
    sm->units[PIPE_INT] = width(sm, options->gpgpu_num_int_units);
    sm->units[PIPE_SFU] = width(sm, options->gpgpu_num_sfu_units);
    sm->units[PIPE_TENSOR] = width(sm, options->gpgpu_num_tensor_core_units);
}

/* Collectors that serve every unit; those of single units are put together
 * with them. */
static int set_collectors(struct sm_spec *sm, const struct sim_options *options,
                          struct error *err)
{
    sm->collectors = options->gpgpu_operand_collector_num_units_gen;
    sm->in_ports = options->gpgpu_operand_collector_num_in_ports_gen;
    sm->out_ports = options->gpgpu_operand_collector_num_out_ports_gen;
    if (options->gpgpu_enable_specialized_operand_collector) {
        sm->collectors += options->gpgpu_operand_collector_num_units_sp +
                          options->gpgpu_operand_collector_num_units_dp +
                          options->gpgpu_operand_collector_num_units_sfu +
                          options->gpgpu_operand_collector_num_units_int +
                          options->gpgpu_operand_collector_num_units_tensor_core +
                          options->gpgpu_operand_collector_num_units_mem;
        sm->in_ports += options->gpgpu_operand_collector_num_in_ports_sp +
                        options->gpgpu_operand_collector_num_in_ports_mem;
        sm->out_ports += options->gpgpu_operand_collector_num_out_ports_sp +
                         options->gpgpu_operand_collector_num_out_ports_mem;
    }
    sm->collect_steps = options->gpgpu_reg_file_port_throughput;
    sm->banks = options->gpgpu_num_reg_banks;
    if (sm->collectors > SM_MAX_COLLECTORS)
        return too_many(err, "gpgpu_operand_collector_num_units_*", sm->collectors,
                        SM_MAX_COLLECTORS);
    if (sm->out_ports > SM_MAX_COLLECTORS)
        return too_many(err, "gpgpu_operand_collector_num_out_ports_*", sm->out_ports,
                        SM_MAX_COLLECTORS);
    if (sm->banks > SM_MAX_BANKS)
        return too_many(err, "gpgpu_num_reg_banks", sm->banks, SM_MAX_BANKS);
    if (sm->collectors == 0 || sm->in_ports == 0 || sm->out_ports == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "no operand collectors, or no ports to them: "
                         "-gpgpu_operand_collector_num_units_gen and its ports are 0");
    if (sm->sub_cores && (sm->banks % sm->schedulers || sm->collectors % sm->schedulers))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-gpgpu_sub_core_model 1: %u register banks and %u operand collectors "
                         "cannot be shared evenly by %u schedulers",
                         sm->banks, sm->collectors, sm->schedulers);
    return 0;
}

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
    if (sm->l1_banks > 16 || sm->l1_banks == 0 || (sm->l1_banks & (sm->l1_banks - 1)))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-gpgpu_l1_banks %u: expected 1, 2, 4, 8 or 16", sm->l1_banks);
    if (sm->shared_banks > 64 || sm->shared_banks == 0 ||
        (sm->shared_banks & (sm->shared_banks - 1)))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-gpgpu_shmem_num_banks %u: expected a power of two up to 64",
                         sm->shared_banks);
    if (sm->shared_latency > 255)
        return too_many(err, "gpgpu_smem_latency", sm->shared_latency, 255);
    return 0;
}

static int set_icache(struct sm_spec *sm, const struct sim_config *config, struct error *err)
{
    const struct sim_options *options = &config->options;
    if (!options->hearth_icache)
        return 0;
    if (!config->l1i.enabled)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-hearth_icache 1 with -gpgpu_cache:il1 none: no instruction cache");
    if (options->hearth_icache_l0 < config->l1i.line)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-hearth_icache_l0 %u: not a line, of %u bytes (-gpgpu_cache:il1)",
                         options->hearth_icache_l0, config->l1i.line);
    sm->icache = (struct icache_spec){
        .enabled = true,
        .l0_count = sm->schedulers,
        .l0_lines = options->hearth_icache_l0 / config->l1i.line,
        .l1_sets = config->l1i.sets,
        .l1_ways = config->l1i.ways,
        .line = config->l1i.line,
        .stream = options->hearth_icache_stream,
        .l1_latency = options->hearth_icache_l1_latency,
        .miss_latency = options->hearth_icache_miss_latency,
    };
    return 0;
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
    sm->issue_max = options->gpgpu_max_insn_issue_per_warp;
    sm->readers_max = options->hearth_war_scoreboard;
    sm->different_units = options->gpgpu_dual_issue_diff_exec_units;
    sm->sub_cores = options->gpgpu_sub_core_model;
    sm->fetches = options->gpgpu_inst_fetch_throughput;
    sm->result_buses = config->pipeline_width[SIM_STAGE_WRITE_BACK];
    sm->constant_miss = options->hearth_const_miss_latency;
    sm->fill_queue = options->gpgpu_n_ldst_response_buffer_size;
    sm->request_limit = options->icnt_in_buffer_limit;
    sm->cpi_stack = options->hearth_cpi_stack;
    sm->invalidate_at_membar = options->gpgpu_flush_l1_cache && config->l1d.enabled;
    if (sm->warps > SM_MAX_WARPS)
        return too_many(err, "gpgpu_shader_core_pipeline", config->threads, SM_MAX_WARPS * 32);
    if (sm->blocks > SM_MAX_BLOCKS)
        return too_many(err, "gpgpu_shader_cta", sm->blocks, SM_MAX_BLOCKS);
    if (sm->schedulers > SM_MAX_SCHEDULERS)
        return too_many(err, "gpgpu_num_sched_per_core", sm->schedulers, SM_MAX_SCHEDULERS);
    for (int unit = 0; unit < TRACE_UNIT_COUNT; unit++)
        if (config->units[unit].latency > SM_WHEEL - 8)
            return too_many(err, "trace_opcode_latency_initiation_*",
                            config->units[unit].latency, SM_WHEEL - 8);
    if (check_widths(config, err) != 0)
        return -1;
    set_pipes(sm, config);
    sm->scheduler = warp_scheduler_find(options->gpgpu_scheduler);
    if (sm->scheduler == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "-gpgpu_scheduler: there is no '%s'",
                         options->gpgpu_scheduler);
    if (set_collectors(sm, options, err) != 0 || set_l1(sm, config, err) != 0 ||
        set_icache(sm, config, err) != 0)
        return -1;
    return 0;
}

/* Requests in front of a scheduler that takes them as they come, as in the
 * reference. */
#define FIFO_QUEUE 2

static void set_dram(struct spec *spec)
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
    if (options->gpgpu_dram_scheduler == 0) {
        dram->queue_max = FIFO_QUEUE;
        dram->write_queue_max = 0;
    }
    dram->dual_bus = options->dram_dual_bus_interface;
    dram->group_high_bits = options->dram_bnkgrp_indexing_policy == 0;
    dram->scheduler = options->gpgpu_dram_scheduler == 0 ? DRAM_FIFO : DRAM_FRFCFS;
}

static void set_places(struct spec *spec)
{
    const struct tags_spec none = {.sets = 1, .ways = 1, .line_bytes = 1 << ADDRESS_TABLE_LINE};
    const struct sim_cache_config *l2 = &spec->config->l2;
    const struct tags_spec tags = l2->enabled ? cache_tags(l2) : none;
    address_table_init(&spec->places, &spec->address, &tags);
}

static void set_memory(struct spec *spec)
{
    const struct sim_config *config = spec->config;
    const struct sim_options *options = &config->options;
    spec->slice = (struct slice_spec){
        .places = &spec->places,
        .in_max = config->slice_queue[0],
        .to_dram_max = config->slice_queue[1],
        .from_dram_max = config->slice_queue[2],
        .out_max = config->slice_queue[3],
        .disabled = !config->l2.enabled || options->gpgpu_cache_dl2_texture_only,
    };
    uint32_t shared =
        options->gpgpu_frfcfs_dram_sched_queue_size + options->gpgpu_dram_return_queue_size;
    if (options->gpgpu_frfcfs_dram_sched_queue_size == 0 ||
        options->gpgpu_dram_return_queue_size == 0)
        shared = 0;
    else
        shared += (options->dram_seperate_write_queue_enable ? config->write_queue : 0) + 1 -
                  options->gpgpu_n_sub_partition_per_mchannel;
    spec->partition = (struct partition_spec){
        .slices = options->gpgpu_n_sub_partition_per_mchannel,
        .latency = options->dram_latency,
        .shared_credits = shared,
        .dram_hz = (uint64_t)llround(config->dram_mhz * 1e6),
        .l2_hz = (uint64_t)llround(config->l2_mhz * 1e6),
        .core_hz = (uint64_t)llround(config->core_mhz * 1e6),
        .places = &spec->places,
    };
    struct xbar_spec xbar = {
        .nodes = spec->clusters + spec->slices,
        .output_limit = options->icnt_out_buffer_limit,
        .arbiter = options->icnt_arbiter_algo == 0 ? XBAR_ROUND_ROBIN : XBAR_ISLIP,
        .grant_cycles = options->icnt_grant_cycles ? options->icnt_grant_cycles : 1,
    };
    spec->request = spec->reply = xbar;
    spec->request.inputs = spec->reply.outputs = spec->clusters;
    spec->request.outputs = spec->reply.inputs = spec->slices;
    spec->request.first_input = 0;
    spec->reply.first_input = spec->clusters;
}

/* The delay in front of L2 covers a window, so that what a slice serves in one came out of the
 * crossbar before it; or two, so that it came out before the window that SMs are in. */
static void set_window(struct spec *spec)
{
    uint32_t delay = spec->config->options.gpgpu_l2_rop_latency;
    spec->run_ahead = delay >= 2;
    spec->window = spec->run_ahead ? delay / 2 : 1;
    if (spec->window > PARTITION_MAX_WINDOW)
        spec->window = PARTITION_MAX_WINDOW;
}

int spec_init(struct spec *spec, const struct sim_config *config, struct error *err)
{
    memset(spec, 0, sizeof *spec);
    spec->config = config;
    const struct sim_options *options = &config->options;
    spec->clusters = options->gpgpu_n_clusters;
    spec->sms_per_cluster = options->gpgpu_n_cores_per_cluster;
    spec->sms = spec->clusters * spec->sms_per_cluster;
    spec->channels = options->gpgpu_n_mem;
    spec->slices = spec->channels * options->gpgpu_n_sub_partition_per_mchannel;
    if (spec->clusters > XBAR_MAX_PORTS)
        return too_many(err, "gpgpu_n_clusters", spec->clusters, XBAR_MAX_PORTS);
    if (spec->slices > XBAR_MAX_PORTS)
        return too_many(err, "gpgpu_n_mem (times slices)", spec->slices, XBAR_MAX_PORTS);
    if (config->dram.bank_groups > 16)
        return too_many(err, "gpgpu_dram_timing_opt nbkgrp", config->dram.bank_groups, 16);
    if (config->dram.banks > DRAM_MAX_BANKS)
        return too_many(err, "gpgpu_dram_timing_opt nbk", config->dram.banks, DRAM_MAX_BANKS);
    if (address_init(&spec->address, config, err) != 0 || set_sm(spec, err) != 0)
        return -1;
    if (config->l2.enabled && config->l2.sets > ADDRESS_TABLE_SETS)
        return too_many(err, "gpgpu_cache:dl2 sets", config->l2.sets, ADDRESS_TABLE_SETS);
    set_places(spec);
    set_dram(spec);
    set_memory(spec);
    set_window(spec);
    return 0;
}

int sim_check(const struct sim_config *config, struct error *err)
{
    struct spec *spec = malloc(sizeof *spec);
    int status = spec != NULL ? spec_init(spec, config, err) : error_no_memory(err);
    free(spec);
    return status;
}
