#include "warmup/correction.h"

#define CORRECT "correct the cycles of cold launches by "

static const struct correction_kind
    thesis = {.policy = {.name = "thesis", .description = CORRECT "the thesis's formula"},
              .make = correction_make_thesis},
    artifact = {.policy = {.name = "artifact",
                           .description = CORRECT "the formula that its scripts compute"},
                .make = correction_make_artifact};

const struct policy *const correction_kinds[] = {&thesis.policy, &artifact.policy, NULL};

const struct correction_kind *correction_find(const char *name)
{
    return (const struct correction_kind *)policy_find(correction_kinds, name);
}

void correction_configure(struct correction_input *input, const struct sim_config *config)
{
    input->line = config->l2.line;
    input->dram_latency = config->options.dram_latency;
    input->l2_latency = config->options.gpgpu_l2_rop_latency;
}

double correction_controllers(const struct correction_input *input)
{
    return input->busiest_channel_bytes > 0
               ? (double)input->channel_bytes / (double)input->busiest_channel_bytes
               : 1;
}
