/* Workers that carry out the segments of a plan side by side. */
#ifndef HEARTH_TOOLS_RUN_JOBS_H
#define HEARTH_TOOLS_RUN_JOBS_H

#include "tools/run/execute.h"

struct jobs {
    struct sim **sims; /* one a worker */
    unsigned count;    /* of workers */
};

/* Threads for each of COUNT workers where nobody says how many: all cores that
 * the process may use, shared, but at least one and at most one an SM. */
unsigned jobs_share(unsigned count, const struct sim_config *config);

/* Makes COUNT workers (at least 1, the caller's thread included) whose
 * simulators, of CONFIG, work with THREADS threads each. CONFIG must outlive
 * them. Returns 0, or -1 with ERR filled. */
int jobs_init(struct jobs *jobs, unsigned count, unsigned threads,
              const struct sim_config *config, struct error *err);
/* sim_ideal_l2() of all of them. */
int jobs_ideal_l2(struct jobs *jobs, struct error *err);
/* Accepts a zeroed one. */
void jobs_finish(struct jobs *jobs);

/* Executes all of SEGMENTS, begun in the order of the plan. What comes of
 * each does not depend on how many workers there are. */
void jobs_run(struct jobs *jobs, struct execution *execution, struct segments *segments);

#endif
