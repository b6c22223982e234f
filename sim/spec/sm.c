#include <stdlib.h>

#include "sim/core/l1_pipe.h"
#include "sim/sim.h"
#include "sim/spec/parts.h"

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

/* Times that code takes on its way to a sub-core. */
static void set_code_times(struct code_spec *code, const struct sim_options *options)
{
    code->l0_latency = options->hearth_icache_l0_latency;
    code->l0_interval = options->hearth_icache_l0_interval;
    code->l1_latency = options->hearth_icache_l1_latency;
    code->gcc_latency = options->hearth_gcc != 0 ? options->hearth_gcc_latency : 0;
    code->gcc_interval = options->hearth_gcc_interval;
    code->miss_latency = options->hearth_icache_miss_latency;
    code->near_latency = near_latency(options);
    code->load_latency = options->hearth_icache_load_latency;
    code->l2_latency = options->hearth_icache ? options->hearth_icache_l2_latency : 0;
    code->cold_latency = options->hearth_cold_code_latency;
    code->ahead_interval = options->hearth_gcc_ahead_interval;
    code->cold_interval = options->hearth_cold_code_interval;
}

static void set_constants(struct code_spec *code, const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    code->param_latency = options->hearth_param_line_latency != 0
                              ? options->hearth_param_line_latency
                              : near_latency(options);
    code->constant_interval = options->hearth_gcc_constant_interval;
    code->constant_fetch = options->hearth_const_fetch;
    code->constant_fetch_latency = options->hearth_const_fetch_latency;
    code->constant_latency = options->hearth_const_load_latency;
    code->cold_constants = options->hearth_cold_const_latency;
    code->late_constants = options->hearth_param_latency;
    code->far_constants = options->hearth_param_slots != 0 ? options->hearth_l2_far_latency : 0;
    code->cold_fetch = options->hearth_cold_const_fetch;
    code->loads_ahead = options->hearth_const_ahead;
    code->loads_sets = config->l1c.sets;
    code->loads_ways = config->l1c.ways;
    code->loads_line = config->l1c.line;
}

/* Sets and ways of the caches of a sub-core and of the GPC. */
static int set_code_geometry(struct code_spec *code, const struct sim_options *options,
                             struct error *err)
{
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

static int set_code(struct sm_spec *sm, const struct sim_config *config, struct error *err)
{
    const struct sim_options *options = &config->options;
    if (!options->hearth_icache && !options->hearth_const_cache)
        return 0;
    if (!config->l1i.enabled)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-%s 1 with -gpgpu_cache:il1 none: no cache of the SM",
                         options->hearth_icache ? "hearth_icache" : "hearth_const_cache");
    sm->code = (struct code_spec){
        .fetches = options->hearth_icache,
        .constants = options->hearth_const_cache,
        .line = config->l1i.line,
        .sub_cores = sm->schedulers,
        .l0_ways = options->hearth_icache_l0_ways,
        .l0_recent = options->hearth_icache_l0_recent,
        .l0_requests = options->hearth_icache_l0_requests,
        .stream = options->hearth_icache_stream,
        .l1_sets = config->l1i.sets,
        .l1_ways = config->l1i.ways,
        .l1_requests = options->hearth_icache_l1_requests,
        .gcc_stream = options->hearth_gcc != 0 ? options->hearth_gcc_stream : 0,
        .ahead = options->hearth_gcc != 0 ? options->hearth_gcc_ahead : 0,
    };
    set_code_times(&sm->code, options);
    set_constants(&sm->code, config);
    return set_code_geometry(&sm->code, options, err);
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
    if (model->specify != NULL && model->specify(sm, sm->own, err) != 0)
        return -1;
    sm->sends = model->sends != NULL ? model->sends(sm) : 1;
    return 0;
}

static int check_sm(const struct sm_spec *sm, uint32_t threads, struct error *err)
{
    if (sm->warps > SM_MAX_WARPS)
        return limits_too_many(err, "gpgpu_shader_core_pipeline", threads, SM_MAX_WARPS * 32);
    if (sm->blocks > SM_MAX_BLOCKS)
        return limits_too_many(err, "gpgpu_shader_cta", sm->blocks, SM_MAX_BLOCKS);
    if (sm->schedulers > SM_MAX_SCHEDULERS)
        return limits_too_many(err, "gpgpu_num_sched_per_core", sm->schedulers,
                               SM_MAX_SCHEDULERS);
    return 0;
}

int spec_set_sm(struct spec *spec, struct error *err)
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
    if (check_sm(sm, config->threads, err) != 0)
        return -1;
    sm->scheduler = warp_scheduler_find(options->gpgpu_scheduler);
    if (sm->scheduler == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "-gpgpu_scheduler: there is no '%s'",
                         options->gpgpu_scheduler);
    if (set_l1(sm, config, err) != 0 || set_code(sm, config, err) != 0)
        return -1;
    return set_model(sm, options->hearth_core, err);
}
