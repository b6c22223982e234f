/* intervals.csv: counters and rates of each N cycles of each launch. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_INTERVALS_H
#define HEARTH_TOOLS_RUN_RESULTS_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/sim.h"

#define INTERVALS_COUNTERS 10

/* What is stored of an interval. */
struct interval {
    uint64_t begin, end; /* cycles since the launch began */
    uint64_t counts[INTERVALS_COUNTERS];
};

/* The intervals of a launch, in order. */
struct intervals {
    struct interval *items;
    size_t count;
};

/* Accepts a zeroed struct, which is empty. */
void intervals_finish(struct intervals *intervals);

/* Adds an interval that the caller fills. Returns NULL if memory is short. */
struct interval *intervals_new(struct intervals *intervals);
/* Returns false when memory is short. */
bool intervals_add(struct intervals *intervals, const struct sim_interval *interval);

/* Writes the line with the names of the columns, or a line for each interval of step STEP of
 * the plan, which is launch LAUNCH of the workload. */
void intervals_write_head(FILE *out);
void intervals_write(const struct intervals *intervals, uint64_t step, uint64_t launch,
                     const struct sim_peaks *peaks, FILE *out);

#endif
