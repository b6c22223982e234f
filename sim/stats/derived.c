#include "sim/stats/derived.h"

#include "sim/packet.h"

/* A bank delivers a sector, or the line of a cache without sectors, in a cycle. */
static double l1_bytes(const struct sim_config *config)
{
    const struct sim_cache_config *l1 = &config->l1d;
    uint32_t bytes = l1->sectored ? SECTOR_BYTES : l1->line;
    return l1->enabled ? (double)config->options.gpgpu_l1_banks * bytes : 0;
}

static double l2_bytes(const struct sim_config *config)
{
    double slices = (double)sim_config_slices(config);
    return config->l2.enabled
               ? slices * config->l2.port_width * config->l2_mhz / config->core_mhz
               : 0;
}

struct sim_peaks sim_peaks_of(const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    double pins = (double)options->gpgpu_n_mem * options->gpgpu_n_mem_per_ctrlr *
                  options->gpgpu_dram_buswidth * options->dram_data_command_freq_ratio;
    uint32_t sms = (uint32_t)sim_config_sms(config);
    return (struct sim_peaks){
        .sms = sms,
        .schedulers = sms * options->gpgpu_num_sched_per_core,
        .warps = config->threads / config->warp_size,
        .core_hz = 1e6 * config->core_mhz,
        .l1_bytes = sms * l1_bytes(config),
        .l2_bytes = l2_bytes(config),
        .dram_bytes = pins * config->dram_mhz / config->core_mhz,
    };
}

static double ratio(double numerator, double denominator)
{
    return denominator > 0 ? numerator / denominator : 0;
}

#define DERIVED(name, unit, description, nsight, numerator, denominator)                       \
    static void parts_##name(const struct sim_counters *c, uint64_t cycles, uint64_t gap,      \
                             const struct sim_peaks *p, double parts[2])                       \
    {                                                                                          \
        parts[0] = (double)(numerator);                                                        \
        parts[1] = (double)(denominator);                                                      \
    }                                                                                          \
    static double get_##name(const struct sim_counters *c, uint64_t cycles, uint64_t gap,      \
                             const struct sim_peaks *p)                                        \
    {                                                                                          \
        return ratio((double)(numerator), (double)(denominator));                              \
    }
#include "sim/stats/derived.def"
#undef DERIVED

const struct sim_derived sim_derived_table[SIM_DERIVED_COUNT] = {
#define DERIVED(name, unit, description, nsight, numerator, denominator)                       \
    {#name, unit, description, nsight, get_##name, parts_##name},
#include "sim/stats/derived.def"
#undef DERIVED
};
