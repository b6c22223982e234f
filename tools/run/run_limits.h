/* The options that end a run early: -gpgpu_max_cycle and its kin. */
#ifndef HEARTH_TOOLS_RUN_RUN_LIMITS_H
#define HEARTH_TOOLS_RUN_RUN_LIMITS_H

#include "sim/sim.h"

/* Limits, 0: none, and what finished launches used up. Cycles and blocks are
 * looked at while a launch runs, instructions between launches. */
struct run_limits {
    uint64_t cycles, insts, blocks_begun, blocks_done; /* the most */
    uint64_t used_cycles, used_insts, used_blocks;
};

struct run_limits run_limits_of(const struct sim_options *options);
/* Whether there is any. */
bool run_limits_any(const struct run_limits *limits);
/* A launch is over. */
void run_limits_launched(struct run_limits *limits, const struct sim_result *result);
/* The name of the option whose limit is reached, or NULL. NOW is how far the
 * running launch is; NULL between launches. */
const char *run_limits_reached(const struct run_limits *limits, const struct sim_progress *now);

#endif
