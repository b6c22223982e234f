/* The options that end a run early: -gpgpu_max_cycle and its kin. */
#ifndef HEARTH_TOOLS_RUN_LIMITS_H
#define HEARTH_TOOLS_RUN_LIMITS_H

#include "sim/sim.h"

/* Limits, 0: none, and what finished launches used up. Cycles and blocks are
 * looked at while a launch runs, instructions between launches. */
struct limits {
    uint64_t cycles, insts, blocks_begun, blocks_done; /* the most */
    uint64_t used_cycles, used_insts, used_blocks;
};

struct limits limits_of(const struct sim_options *options);
/* Whether there is any. */
bool limits_any(const struct limits *limits);
/* A launch is over. */
void limits_launched(struct limits *limits, const struct sim_result *result);
/* The name of the option whose limit is reached, or NULL. NOW is how far the
 * running launch is; NULL between launches. */
const char *limits_reached(const struct limits *limits, const struct sim_progress *now);

#endif
