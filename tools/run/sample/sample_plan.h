/* Makes the plan of a sample. */
#ifndef HEARTH_TOOLS_RUN_SAMPLE_SAMPLE_PLAN_H
#define HEARTH_TOOLS_RUN_SAMPLE_SAMPLE_PLAN_H

#include <stdio.h>

#include "sampling/sampling.h"
#include "tools/run/plan/plan.h"
#include "tools/run/sample/sample_source.h"

/* Makes the plan that simulates the representatives of SELECTION, which was made with OPTIONS
 * from SOURCE. With a workload, it has the workload's names and copies, in order. Without one,
 * it has the names that Accel-Sim's tracer gives, and can only be written. PATH is where it
 * will be written, for messages. The caller destroys it. NULL with ERR filled. */
struct plan *sample_plan_make(const struct sampling *selection,
                              const struct sampling_options *options,
                              const struct sample_source *source, const char *path,
                              struct error *err);

/* Writes the method and its options as key=value pairs, each after a blank. */
void sample_plan_write_method(const struct sampling *selection,
                              const struct sampling_options *options, FILE *out);

#endif
