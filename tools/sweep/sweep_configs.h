/* The configurations of a sweep: each card with each combination of values. */
#ifndef HEARTH_TOOLS_SWEEP_SWEEP_CONFIGS_H
#define HEARTH_TOOLS_SWEEP_SWEEP_CONFIGS_H

#include "sim/config.h"
#include "tools/sweep/sweep_jobs.h"

/* Fills the configurations of JOBS and their groups. An invalid one is no error. Returns 0, or
 * -1 with ERR filled. */
int sweep_configs_init(struct sweep_jobs *jobs, struct error *err);

/* Makes configuration INDEX; the caller destroys it. NULL with ERR filled. */
struct sim_config *sweep_configs_make(const struct sweep_jobs *jobs, size_t index,
                                      struct error *err);

#endif
