#include "warmup/correction.h"

#define CORRECT "correct the cycles of cold launches by "

static const struct correction_kind
    thesis = {.policy = {.name = "thesis", .description = CORRECT "the thesis's formula"},
              .make = correction_make_thesis},
    artifact = {.policy = {.name = "artifact",
                           .description = CORRECT "the formula that its scripts compute"},
                .make = correction_make_artifact},
    corrected = {
        .policy = {.name = "corrected",
                   .description = CORRECT "how much earlier they end with an ideal L2"},
        .ideal_l2 = true,
        .make = correction_make_corrected};

const struct policy *const correction_kinds[] = {&thesis.policy, &artifact.policy,
                                                 &corrected.policy, NULL};

const struct correction_kind *correction_find(const char *name)
{
    return (const struct correction_kind *)policy_find(correction_kinds, name);
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
