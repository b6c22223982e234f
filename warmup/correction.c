#include "warmup/correction.h"

#include <string.h>

static const struct correction_kind kinds[] = {
    {"thesis", "the formula as it is printed", false, correction_make_thesis},
    {"artifact", "the formula as its scripts compute it", false, correction_make_artifact},
    {"corrected",
     "the cycles by which the longest chain of waits is shorter where L2 holds more", true,
     correction_make_corrected},
};

const struct correction_kind *correction_kind(size_t index)
{
    return index < sizeof kinds / sizeof kinds[0] ? &kinds[index] : NULL;
}

const struct correction_kind *correction_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

void correction_configure(struct correction_input *input, const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    uint32_t transfer =
        options->gpgpu_dram_burst_length / options->dram_data_command_freq_ratio;
    uint32_t commands = config->dram.rcd + config->dram.cl + transfer;
    input->line = config->l2.line;
    input->dram_latency = options->dram_latency;
    input->l2_latency = options->gpgpu_l2_rop_latency;
    input->peaks = sim_peaks_of(config);
    input->penalty = options->dram_latency + commands * config->core_mhz / config->dram_mhz;
}

double correction_controllers(const struct correction_input *input)
{
    return input->busiest_channel_bytes > 0
               ? (double)input->channel_bytes / (double)input->busiest_channel_bytes
               : 1;
}
