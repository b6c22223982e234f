/* What an SM holds: threads, pipeline stages, shared memory. */
#include "sim/config/derive.h"

#include "sim/config/fields.h"

static int threads(const struct build *build, struct sim_config *config)
{
    struct fields fields = fields_of(build, SIM_OPTION_gpgpu_shader_core_pipeline, 2);
    if (fields_u32(&fields, "threads", 32, 65536, &config->threads) < 0 ||
        fields_separator(&fields, ':', "warp size") < 0 ||
        fields_u32(&fields, "warp size", 32, 32, &config->warp_size) < 0 ||
        fields_end(&fields) < 0)
        return -1;
    if (config->threads % config->warp_size != 0)
        return build_fail(build, SIM_OPTION_gpgpu_shader_core_pipeline, 0,
                          "%u threads are no whole warps of %u", config->threads,
                          config->warp_size);
    return 0;
}

static const char *const stage_names[SIM_STAGE_COUNT] = {
    "ID_OC_SP", "ID_OC_DP",          "ID_OC_INT",         "ID_OC_SFU", "ID_OC_MEM",
    "OC_EX_SP", "OC_EX_DP",          "OC_EX_INT",         "OC_EX_SFU", "OC_EX_MEM",
    "EX_WB",    "ID_OC_TENSOR_CORE", "OC_EX_TENSOR_CORE",
};

static int pipeline_widths(const struct build *build, struct sim_config *config)
{
    struct fields fields = fields_of(build, SIM_OPTION_gpgpu_pipeline_widths, SIM_STAGE_COUNT);
    for (unsigned i = 0; i < SIM_STAGE_COUNT; i++)
        config->pipeline_width[i] = 1;
    for (unsigned i = 0; i < SIM_STAGE_COUNT; i++) {
        if (i > 0 && fields_at_end(&fields))
            return 0;
        if ((i > 0 && fields_separator(&fields, ',', stage_names[i]) < 0) ||
            fields_u32(&fields, stage_names[i], 0, 1024, &config->pipeline_width[i]) < 0)
            return -1;
    }
    return fields_end(&fields);
}

static int carve_outs(const struct build *build, struct sim_config *config)
{
    const enum sim_option option = SIM_OPTION_gpgpu_shmem_option;
    struct fields fields = fields_of(build, option, SIM_MAX_CARVE_OUTS);
    uint32_t *sizes = config->shmem_sizes;
    for (unsigned count = 0;; count++) {
        uint32_t size;
        if (count == SIM_MAX_CARVE_OUTS)
            return build_fail(build, option, fields.at, "expected at most %d sizes",
                              SIM_MAX_CARVE_OUTS);
        if (fields_u32(&fields, "size", 0, 1 << 20, &size) < 0)
            return -1;
        unsigned place = count;
        for (; place > 0 && sizes[place - 1] > size * 1024; place--)
            sizes[place] = sizes[place - 1];
        sizes[place] = size * 1024;
        config->shmem_size_count = count + 1;
        if (!fields_accept(&fields, ','))
            return fields_end(&fields);
    }
}

/* The parts must fit in the unified memory. L1 has ways for all of it; the carve-out of a
 * launch takes ways from it. */
static int unified(const struct build *build, struct sim_config *config)
{
    uint64_t all = (uint64_t)config->options.gpgpu_unified_l1d_size * 1024;
    uint64_t base = (uint64_t)config->l1d.sets * config->l1d.ways * config->l1d.line;
    uint32_t largest = config->shmem_sizes[config->shmem_size_count - 1];
    if (all == 0)
        return 0;
    if (largest > all)
        return build_fail(
            build, SIM_OPTION_gpgpu_shmem_option, 0,
            "%u KiB of shared memory do not fit in %u KiB (-gpgpu_unified_l1d_size)",
            largest / 1024, config->options.gpgpu_unified_l1d_size);
    if (config->l1d.enabled && (base > all || all % base != 0))
        return build_fail(build, SIM_OPTION_gpgpu_unified_l1d_size, 0,
                          "%u KiB are no multiple of the %llu bytes of -gpgpu_cache:dl1",
                          config->options.gpgpu_unified_l1d_size, (unsigned long long)base);
    if (config->l1d.enabled)
        config->l1d.ways *= (uint32_t)(all / base);
    return 0;
}

/* A scheduler with its own units has its own slot in each stage. */
static int sub_cores(const struct build *build, const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    const bool needed[SIM_STAGE_COUNT] = {
        [SIM_STAGE_ID_SP] = true,
        [SIM_STAGE_ID_SFU] = true,
        [SIM_STAGE_ID_MEM] = true,
        [SIM_STAGE_ID_DP] = options->gpgpu_num_dp_units > 0,
        [SIM_STAGE_ID_INT] = options->gpgpu_num_int_units > 0,
        [SIM_STAGE_ID_TENSOR] = options->gpgpu_tensor_core_avail != 0,
    };
    if (!options->gpgpu_sub_core_model)
        return 0;
    for (unsigned i = 0; i < SIM_STAGE_COUNT; i++)
        if (needed[i] && config->pipeline_width[i] != options->gpgpu_num_sched_per_core)
            return build_fail(
                build, SIM_OPTION_gpgpu_pipeline_widths, 0,
                "%s is %u: the sub-core model needs one for each of %u schedulers "
                "(-gpgpu_num_sched_per_core)",
                stage_names[i], config->pipeline_width[i], options->gpgpu_num_sched_per_core);
    if (options->gpgpu_num_reg_banks % options->gpgpu_num_sched_per_core != 0)
        return build_fail(
            build, SIM_OPTION_gpgpu_num_reg_banks, 0,
            "%u banks do not divide among %u schedulers (-gpgpu_num_sched_per_core)",
            options->gpgpu_num_reg_banks, options->gpgpu_num_sched_per_core);
    return 0;
}

int derive_sm(const struct build *build)
{
    struct sim_config *config = build->config;
    if (threads(build, config) < 0 || pipeline_widths(build, config) < 0 ||
        sub_cores(build, config) < 0)
        return -1;
    config->shmem_size_count = 0;
    if (!config->options.gpgpu_adaptive_cache_config)
        return 0;
    return carve_outs(build, config) < 0 ? -1 : unified(build, config);
}
