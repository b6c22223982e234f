#include "tools/run/run_limits.h"

#include <stddef.h>

struct run_limits run_limits_of(const struct sim_options *options)
{
    return (struct run_limits){
        .cycles = options->gpgpu_max_cycle,
        .insts = options->gpgpu_max_insn,
        .blocks_begun = options->gpgpu_max_cta,
        .blocks_done = options->gpgpu_max_completed_cta,
    };
}

bool run_limits_any(const struct run_limits *limits)
{
    return limits->cycles > 0 || limits->insts > 0 || limits->blocks_begun > 0 ||
           limits->blocks_done > 0;
}

void run_limits_launched(struct run_limits *limits, const struct sim_result *result)
{
    limits->used_cycles += result->end_cycle - result->start_cycle;
    limits->used_insts += result->counters.thread_insts;
    limits->used_blocks += result->counters.blocks;
}

const char *run_limits_reached(const struct run_limits *limits, const struct sim_progress *now)
{
    uint64_t cycles = limits->used_cycles + (now != NULL ? now->cycle : 0);
    uint64_t blocks = limits->used_blocks + (now != NULL ? now->blocks_done : 0);
    const struct {
        const char *option;
        uint64_t limit, used;
    } checks[] = {
        {"gpgpu_max_cycle", limits->cycles, cycles},
        {"gpgpu_max_insn", limits->insts, limits->used_insts},
        {"gpgpu_max_cta", limits->blocks_begun, blocks},
        {"gpgpu_max_completed_cta", limits->blocks_done, blocks},
    };
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        if (checks[i].limit > 0 && checks[i].used >= checks[i].limit)
            return checks[i].option;
    return NULL;
}
