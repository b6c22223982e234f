#include "tools/view/gpu_title.h"

#include "sim/stats/derived.h"

const char *gpu_title(const struct sim_config *config, char text[static GPU_TITLE])
{
    const struct sim_peaks peaks = sim_peaks_of(config);
    snprintf(text, GPU_TITLE,
             "%u SMs at %g MHz, %.3g MB of L2 in %llu slices, %u DRAM channels with %.4g GB/s",
             peaks.sms, config->core_mhz, (double)sim_config_l2_bytes(config) / (1 << 20),
             (unsigned long long)sim_config_slices(config), config->options.gpgpu_n_mem,
             1e-9 * peaks.dram_bytes * peaks.core_hz);
    return text;
}
