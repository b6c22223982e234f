/* Sweeps: many workloads on many configurations, in full and sampled (docs/sweeps.md). */
#ifndef HEARTH_TOOLS_SWEEP_SWEEP_H
#define HEARTH_TOOLS_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "traces/base/error.h"

/* Names of the engines, NULL-terminated. */
extern const char *const sweep_engine_names[];

struct sweep_request {
    const char *spec;   /* path of the specification */
    const char *output; /* folder of the tables */
    const char *store;  /* folder of the jobs, which sweeps may share; NULL: OUTPUT/store */
    const char *engine; /* one of sweep_engine_names */
    unsigned processes; /* jobs at a time; 0: one for each usable core */
    unsigned threads;   /* of each job; at least 1 */
    double memory;      /* MiB for all of them; 0: what is available */
    unsigned minutes;   /* engine slurm: time limit of each job; 0: none is given */
    const char **slurm; /* engine slurm: more options of sbatch */
    size_t slurm_count;
    unsigned workers; /* engines list and slurm: processes for each run that may be split into
                         segments; at least 1 */
    bool wait;        /* engine slurm: until all jobs have ended */
    bool retry;       /* do failed jobs again */
    bool quiet;       /* no progress and summary */
};

/* Executes the sweep, as far as it is not done, and writes its tables. Returns 0; 1 if jobs
 * failed; -1 with ERR filled; or, with ERR filled, the exit code after a signal. */
int sweep_run(const struct sweep_request *request, struct error *err);

/* Prints how far the sweep in the folder OUTPUT is. Returns 0, or -1 with ERR filled. */
int sweep_status(const char *output, struct error *err);

#endif
