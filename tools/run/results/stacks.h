/* schedulers.csv: the CPI stack of each warp scheduler in each launch (sim/stats/cpi.h). */
#ifndef HEARTH_TOOLS_RUN_RESULTS_STACKS_H
#define HEARTH_TOOLS_RUN_RESULTS_STACKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/sim.h"

/* Those of a launch. */
struct stacks {
    struct sim_cpi *items; /* of each scheduler, summed over SMs; NULL without any */
    uint32_t count;
};

/* Accepts a zeroed one, which is an empty one. */
void stacks_finish(struct stacks *stacks);

/* Adds that of the next scheduler. Returns false when memory is short. */
bool stacks_add(struct stacks *stacks, const struct sim_cpi *stack);
/* Keeps those of SIM's last launch, none where it counts none. STACKS is empty. Returns false
 * when memory is short. */
bool stacks_keep(struct stacks *stacks, const struct sim *sim);

/* Writes the line with the names of the columns, and a line for each scheduler: of step STEP
 * of the plan, the workload's launch LAUNCH. */
void stacks_write_head(FILE *out);
void stacks_write(const struct stacks *stacks, uint64_t step, uint64_t launch, FILE *out);

#endif
