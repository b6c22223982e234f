/* What is summed over the workloads for each configuration and way: times, speed-ups, and
 * which of them no other one is better than. */
#ifndef HEARTH_TOOLS_SWEEP_TABLES_SWEEP_PARETO_H
#define HEARTH_TOOLS_SWEEP_TABLES_SWEEP_PARETO_H

#include "tools/sweep/tables/sweep_cells.h"

struct sweep_pareto {
    const struct sweep_jobs *jobs; /* not owned */
    struct sweep_sum {
        size_t done, failed; /* workloads */
        double seconds;
        double speedup_logs, kernel_logs; /* sums of logarithms */
        size_t speedups, kernels;
        double *goals; /* of each name in spec->pareto: what is minimised */
        bool best;     /* no other one is as good in all and better in one */
    } * items;         /* by configuration and way */
    size_t count;
    double *goals;
};

int sweep_pareto_init(struct sweep_pareto *pareto, const struct sweep_jobs *jobs,
                      struct error *err);
void sweep_pareto_finish(struct sweep_pareto *pareto);

/* Adds the cells of a workload. */
void sweep_pareto_add(struct sweep_pareto *pareto, const struct sweep_cells *cells);
/* Marks the best ones among those of the same way that have all workloads. */
void sweep_pareto_mark(struct sweep_pareto *pareto);

#endif
