/* Plans and lists of launches from a selection. */
#ifndef HEARTH_TOOLS_SAMPLE_PLAN_H
#define HEARTH_TOOLS_SAMPLE_PLAN_H

#include <stdio.h>

#include "sampling/sampling.h"
#include "tools/sample_source.h"

/* Writes the plan that simulates the representatives of SELECTION, made by
 * OPTIONS from SOURCE: names and copies of its workload, in order; without one
 * the names that Accel-Sim's tracer gives. */
int sample_plan_write(const struct sampling *selection, const struct sampling_options *options,
                      const struct sample_source *source, FILE *out, struct error *err);

/* Writes the numbers of the representatives as one line of numbers and ranges,
 * separated by blanks: the value of DYNAMIC_KERNEL_RANGE of Accel-Sim's tracer. */
int sample_plan_write_list(const struct sampling *selection, FILE *out, struct error *err);

/* The method and its options as key=value pairs, each behind a blank. */
void sample_plan_write_method(const struct sampling *selection,
                              const struct sampling_options *options, FILE *out);

#endif
