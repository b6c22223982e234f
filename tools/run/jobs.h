/* Workers that execute the segments of a plan in parallel. */
#ifndef HEARTH_TOOLS_RUN_JOBS_H
#define HEARTH_TOOLS_RUN_JOBS_H

#include "tools/run/execute.h"

struct jobs {
    struct sim **sims; /* one per worker */
    unsigned count;    /* number of workers */
};

/* Default number of threads for each of COUNT workers: the usable cores, divided by COUNT; at
 * least one, and at most one per SM. */
unsigned jobs_share(unsigned count, const struct sim_config *config);

/* Makes COUNT workers (at least 1, including the caller's thread). Their simulators have
 * CONFIG and use THREADS threads each. CONFIG must outlive them. Returns 0, or -1 with ERR
 * filled. */
int jobs_init(struct jobs *jobs, unsigned count, unsigned threads,
              const struct sim_config *config, struct error *err);
/* Accepts a zeroed one. */
void jobs_finish(struct jobs *jobs);

/* Executes all segments of EXECUTION, starting them in the order of the plan. Their results do
 * not depend on the number of workers. */
void jobs_run(struct jobs *jobs, struct execution *execution);

#endif
