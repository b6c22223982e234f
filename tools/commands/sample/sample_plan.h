/* Plans and lists of launches from a selection. */
#ifndef HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_PLAN_H
#define HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_PLAN_H

#include <stdio.h>

#include "sampling/sampling.h"
#include "tools/commands/sample/sample_source.h"

/* Writes the plan that simulates the representatives of SELECTION, made by
 * OPTIONS from SOURCE: names and copies of its workload, in order; without one
 * the names that Accel-Sim's tracer gives. */
int sample_plan_write(const struct sampling *selection, const struct sampling_options *options,
                      const struct sample_source *source, FILE *out, struct error *err);

/* Launches in front of each representative that are traced, too, to warm it. */
struct sample_warm {
    uint64_t count;
    bool memory; /* only their memory accesses */
};

/* Writes the launches to trace: a line of numbers and ranges of those that are
 * traced in full and, behind "memory", one of those that only warm. */
int sample_plan_write_list(const struct sampling *selection, const struct sample_warm *warm,
                           FILE *out, struct error *err);

/* The method and its options as key=value pairs, each behind a blank. */
void sample_plan_write_method(const struct sampling *selection,
                              const struct sampling_options *options, FILE *out);

#endif
