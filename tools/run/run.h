/* Runs: a workload or a plan goes in, rows of counters come out, in memory and, if asked for,
 * as a folder of results. `hearth run` and the studies are made of this call.
 *
 * This header brings plans (plan/plan.h), results and rows (results/results.h, row.h, totals.h,
 * extrapolation.h) and progress (progress.h) with it. Of the others in tools/run these are
 * public, for commands that make or inspect what is run; all else is private: plan/launches.h
 * workloads, and the numbers of their launches plan/warm_plan.h         plans with the warm-up
 * of a policy sample/sample_source.h   profiles of workloads, read or made
 *   sample/workload_profile.h  the same, launch by launch
 *   sample/sample_plan.h     plans of samples
 *   sample/represented.h     which launches one of them stands for
 *   input_guard.h            files that are read and must not be written
 */
#ifndef HEARTH_TOOLS_RUN_RUN_H
#define HEARTH_TOOLS_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/run/plan/plan.h"
#include "tools/run/progress.h"
#include "tools/run/results/results.h"
#include "traces/base/error.h"

#define RUN_JOBS 1024 /* at most; also threads of each */

/* What to run. Everything stays the caller's and must outlive the call. Zero is a valid value
 * of every member but `target`. */
struct run_request {
    const char *target;         /* path of a workload or a plan; without `plan` */
    const struct plan *plan;    /* in memory, instead of `target`; NULL: none */
    const char *const *configs; /* cards and option files, later ones win; none: rtx3070 */
    size_t config_count;
    const char *const *sets; /* NAME=VALUE, which win over `configs` */
    size_t set_count;
    const char *flush;    /* caches to empty before launches: "none", "l1", "l2" or "all"; wins
                           * over    `sets`. NULL: as the configuration says */
    const char *warm;     /* policy of warmup_parse(); NULL: the plan stays as it is */
    const char *launches; /* numbers and ranges of those to simulate, "1,5-9"; NULL: all */
    const char *output;   /* folder of the results; NULL: none is written */
    bool resume;          /* continue what an interrupted run left in `output`; results that
                           * are complete stay as they are */
    unsigned checkpoint;  /* seconds between two saved states; 0: one after each launch */
    unsigned jobs;        /* segments that run at the same time; 0: 1 */
    unsigned threads;     /* of each job; 0: the usable cores, shared by the jobs */
    uint64_t intervals;   /* cycles of each interval of intervals.csv; 0: no intervals */
    bool catch_signals;   /* SIGINT and SIGTERM end the run, and what is done is written */
    const char *const *command; /* NULL-terminated command line for run.json; NULL: one that
                                 * asks for the same is spelled out */
};

/* What a run tells while it is under way. Zero is a valid value of every member. */
struct run_hooks {
    void *data; /* handed to all of them */
    /* How far the run is; see struct progress_hook. */
    void (*progress)(void *data, const struct progress_now *now);
    /* Everything is prepared, and the first launch is about to be simulated. Not called when
     * resumed results are complete. */
    void (*begun)(void *data);
    /* A launch has ended. Called once for each row in the order of the plan: with one job as
     * soon as the launch has ended, otherwise at the end. Launches that an earlier process
     * simulated are among them. Not yet set: `step`, `notes` of all, corrections. */
    void (*launched)(void *data, const struct row *row);
};

/* Carries out REQUEST; HOOKS may be NULL. RESULTS hold what was simulated in any case, and are
 * finished by the caller (results_finish()), except when `resume` finds complete results: then
 * only `complete` is set, and results_read() reads them. Returns 0; -1 with ERR filled; or,
 * with ERR filled, the exit code after a signal. */
int run_execute(const struct run_request *request, const struct run_hooks *hooks,
                struct results *results, struct error *err);

/* The configuration of REQUEST. What is worth telling about it goes to NOTES (NULL: nowhere).
 * The caller destroys it (sim_config_destroy()). NULL with ERR filled: it is invalid. */
struct sim_config *run_config(const struct run_request *request, struct notes *notes,
                              struct error *err);

#endif
