/* The results of a run: the rows of its launches and what is computed from them. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_RESULTS_H
#define HEARTH_TOOLS_RUN_RESULTS_RESULTS_H

#include <stdbool.h>

#include "sim/config.h"
#include "tools/run/notes.h"
#include "tools/run/results/extrapolated.h"
#include "tools/run/results/rows/rows.h"
#include "tools/run/results/totals.h"

/* Owns all that it points to. A zeroed struct is empty. */
struct results {
    struct row_store *store; /* where the rows are */
    struct rows rows;        /* of finished launches, in the order of the plan */
    struct totals totals;    /* of the rows; 0 if the results were read */
    uint64_t warp_insts;     /* of launches that this process has simulated */
    /* What was written outside of launches; 0 if the results were read. */
    struct copies_run {
        uint64_t count, bytes;
    } copies[2];                      /* from the host; on the device (1) */
    size_t resumed;                   /* rows of launches that an earlier process finished */
    struct extrapolated extrapolated; /* for the application, if the plan is a sample */
    struct sim_config *config;
    struct notes notes;
    const char *stop_reason; /* "end"; "error", "SIGINT", "SIGTERM", or the option whose limit
                              * was reached: the run stopped early. NULL: nothing was simulated,
                              * or the results could not be written */
    char *report;            /* after a deadlock; NULL: there was none */
    bool complete;           /* `resume` found complete results in the folder, and did not
                                read them */
    /* Seconds that launches took, summed over jobs. For warm-up they include the time for
     * reading traces for reach, states or corrections. Only what this process did, rounded to
     * milliseconds as in run.json. */
    double warm_seconds, measure_seconds;
    bool intra; /* a method sampled inside launches: rows have columns about it */
    double started, cpu_started; /* host_seconds(), host_cpu_seconds() when the run began */
};

/* Reads the results in FOLDER: only the rows, the configuration and the seconds, which are NaN
 * if unknown. Returns 0, or -1 with ERR filled; results_finish() either way. */
int results_read(struct results *results, const char *folder, struct error *err);
/* Accepts a zeroed one. */
void results_finish(struct results *results);

/* Whether the run stopped before its end. */
bool results_partial(const struct results *results);

/* Thousand warp instructions simulated per second since the run began: per second of CPU time
 * of all threads, and of wall time. */
struct results_speed {
    double cpu_seconds, wall_seconds;
    double cpu, wall;
};
struct results_speed results_speed(const struct results *results);

#endif
