/* schedulers.csv: the CPI stack of each warp scheduler in each launch (sim/stats/cpi.h). */
#ifndef HEARTH_TOOLS_RUN_RESULTS_STACKS_H
#define HEARTH_TOOLS_RUN_RESULTS_STACKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/sim.h"

/* The stacks of a launch. */
struct stacks {
    struct sim_cpi *items; /* one per scheduler, summed over SMs; NULL if there are none */
    uint32_t count;
};

/* Accepts a zeroed struct, which is empty. */
void stacks_finish(struct stacks *stacks);

/* Adds the stack of the next scheduler. Returns false if memory is short. */
bool stacks_add(struct stacks *stacks, const struct sim_cpi *stack);
/* Copies the stacks of SIM's last launch; none if SIM does not count them. STACKS must be
 * empty. Returns false if memory is short. */
bool stacks_keep(struct stacks *stacks, const struct sim *sim);

/* Writes the line with the names of the columns, or a line for each scheduler in step STEP of
 * the plan, which is launch LAUNCH of the workload. */
void stacks_write_head(FILE *out);
void stacks_write(const struct stacks *stacks, uint64_t step, uint64_t launch, FILE *out);

#endif
