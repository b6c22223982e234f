/* What the plan of a sample says about the whole application, so that no estimate is
 * needed. */
#ifndef HEARTH_TOOLS_RUN_SAMPLE_PLAN_TOTALS_H
#define HEARTH_TOOLS_RUN_SAMPLE_PLAN_TOTALS_H

#include "tools/run/sample/sample_design.h"

/* Replaces ESTIMATE of the statistic NAME if DESIGN knows its instructions. warp_insts,
 * thread_insts and threads_per_inst are then the plan's own, with an error of 0; for ipc and
 * warp_ipc only CYCLES, the estimate of the cycles, has an error. */
void plan_totals_replace(struct sampling_estimate *estimate, const char *name,
                         const struct sample_design *design, struct sampling_estimate cycles);

#endif
