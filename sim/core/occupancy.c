#include "sim/core/occupancy.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t blocks_of_grid(const struct trace_header *header)
{
    return (uint64_t)header->grid[0] * header->grid[1] * header->grid[2];
}

static void set_l1(struct occupancy *occupancy, const struct sim_config *config, uint32_t shmem)
{
    occupancy->l1_ways = config->l1d.ways;
    occupancy->l1_on_fill = config->l1d.allocate != 'm';
    if (!config->options.gpgpu_adaptive_cache_config || config->shmem_size_count == 0)
        return;
    uint64_t total = (uint64_t)shmem * occupancy->blocks;
    uint64_t unified = (uint64_t)config->options.gpgpu_unified_l1d_size * 1024;
    if (config->l1d.allocate == 's')
        occupancy->l1_on_fill = total != 0;
    for (uint32_t i = 0; i < config->shmem_size_count && unified != 0; i++) {
        if (total > config->shmem_sizes[i])
            continue;
        uint64_t left = unified > config->shmem_sizes[i] ? unified - config->shmem_sizes[i] : 0;
        occupancy->l1_ways =
            (uint32_t)((config->l1d.ways * left * 2 + unified) / (2 * unified));
        if (occupancy->l1_ways == 0)
            occupancy->l1_ways = 1; /* a miss needs a line to fill */
        return;
    }
}

int occupancy_compute(struct occupancy *occupancy, const struct sim_config *config,
                      const struct trace_header *header, struct error *err)
{
    const struct sim_options *options = &config->options;
    uint32_t threads = header->block[0] * header->block[1] * header->block[2];
    occupancy->block_warps = (threads + 31) / 32;
    uint64_t padded = (uint64_t)occupancy->block_warps * 32;
    uint64_t by_threads = config->threads / padded;
    uint64_t by_shmem = header->shmem ? options->gpgpu_shmem_size / header->shmem : UINT64_MAX;
    uint64_t regs = ((uint64_t)header->regs + 3) & ~3ull;
    occupancy->needs =
        (struct sm_needs){occupancy->block_warps, (uint32_t)(padded * regs), header->shmem};
    uint64_t by_regs = regs ? options->gpgpu_shader_registers / (padded * regs) : UINT64_MAX;
    uint64_t blocks =
        least(least(by_threads, by_shmem), least(by_regs, options->gpgpu_shader_cta));
    if (blocks == 0 && by_threads != 0 && options->gpgpu_ignore_resources_limitation)
        blocks = 1;
    if (blocks == 0)
        return error_set(
            err, ERROR_USAGE, NULL, 0, 0,
            "launch %s: a block of %u threads, %u registers a thread and %u bytes of "
            "shared memory does not fit on an SM of %u threads, %u registers and %u "
            "bytes",
            header->name, threads, header->regs, header->shmem, config->threads,
            (unsigned)options->gpgpu_shader_registers, (unsigned)options->gpgpu_shmem_size);
    uint64_t sms = sim_config_sms(config);
    uint64_t grid = blocks_of_grid(header);
    if (grid < blocks * sms)
        blocks = (grid + sms - 1) / sms;
    occupancy->blocks = (uint32_t)blocks;
    set_l1(occupancy, config, header->shmem);
    return 0;
}
