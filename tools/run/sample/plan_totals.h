/* What a sample's plan says of the whole application: no estimate is needed of it. */
#ifndef HEARTH_TOOLS_RUN_SAMPLE_PLAN_TOTALS_H
#define HEARTH_TOOLS_RUN_SAMPLE_PLAN_TOTALS_H

#include "tools/run/sample/sample_design.h"

/* Replaces ESTIMATE, of the statistic called NAME, where DESIGN knows its instructions:
 * warp_insts, thread_insts and threads_per_inst are then the plan's own and have an error of 0;
 * of ipc and warp_ipc only CYCLES, the estimate of the cycles, is left to chance. */
void plan_totals_replace(struct sampling_estimate *estimate, const char *name,
                         const struct sample_design *design, struct sampling_estimate cycles);

#endif
