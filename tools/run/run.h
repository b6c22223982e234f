/* Runs: a workload or a plan goes in, rows of counters come out, in memory and, if requested,
 * as a folder of results. `hearth run` and the studies use this interface.
 *
 * This header includes plans (plan/plan.h), results and rows (results/results.h, row.h,
 * totals.h, extrapolation.h) and progress (progress.h). These other headers of tools/run are
 * also public, for commands that make or inspect plans; all others are private:
 *   plan/digest.h              digests of workloads, texts and files
 *   plan/launches.h            workloads, and the numbers of their launches
 *   plan/state_file.h          contents of L2 in files
 *   plan/warm_plan.h           plans with the warm-up of a policy
 *   split/segment_digests.h    what the segments of a plan simulate
 *   sample/sample_source.h     profiles of workloads, read or made
 *   sample/workload_profile.h  the same, launch by launch
 *   sample/sample_plan.h       plans of samples
 *   sample/represented.h       which launches a representative stands for
 *   input_guard.h              files that are read and must not be written
 *   notes.h                    notes on stderr
 *   jobs.h                     how many threads a machine has for a simulator
 *   traced.h                   traces, opened as the simulator wants them
 *   values/value_lists.h       values of options, for shells
 */
#ifndef HEARTH_TOOLS_RUN_RUN_H
#define HEARTH_TOOLS_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/run/plan/plan.h"
#include "tools/run/progress/progress.h"
#include "tools/run/results/results.h"
#include "traces/base/error.h"

#define RUN_JOBS 1024 /* at most; also threads of each */

/* What to run. The caller owns everything and keeps it until the call ends. Zero is a valid
 * value of every member but `target`. */
struct run_request {
    const char *target;         /* path of a workload or a plan; ignored if there is a `plan` */
    const struct plan *plan;    /* a plan in memory, instead of `target`; NULL: none */
    const char *const *configs; /* cards and option files; later ones override earlier ones;
                                   none: rtx3070 */
    size_t config_count;
    const char *const *sets; /* NAME=VALUE; they override `configs` */
    size_t set_count;
    const char *flush;  /* caches to empty before launches: "none", "l1", "l2" or "all";
                           overrides `sets`. NULL: as in the configuration */
    const char *warm;   /* policy of warmup_parse(); NULL: the plan is not changed */
    const char *states; /* with `warm` nsl: a folder of states that the tracer made, so that the
                           pass over the workload is left out; NULL: none */
    const char *intra;  /* method that samples inside launches, METHOD[:OPTION=VALUE...] of
                           sampling/intra/intra.h, for measured launches of `target` that
                           have none in the plan; NULL: none */
    const char
        *intra_profile;   /* thread blocks of a profile (NAME.blocks.csv): methods that can,
                             take it instead of reading launches before they run; NULL: none */
    const char *launches; /* numbers and ranges of those to simulate, "1,5-9"; NULL: all */
    const char *segments; /* numbers and ranges of segments of the plan to simulate, "1,5-9":
                             `output` gets the file of split/segment_rows.h instead of
                             results; NULL: all */
    const char *join;     /* a file that names folders of such runs, whose rows are taken; NULL:
                             none */
    const char *output;   /* folder of the results; NULL: none are written */
    bool resume;          /* continue an interrupted run in `output`; complete results are
                             not changed */
    unsigned checkpoint;  /* seconds between two saved states; at least as long as one takes */
    unsigned jobs;        /* segments that run in parallel; 0: 1 */
    unsigned threads;     /* per job; 0: the usable cores, divided by the jobs */
    uint64_t intervals;   /* cycles per interval of intervals.csv; 0: no intervals */
    const char *events; /* LAUNCH[:SM[:FROM-TO]] of event_spec_parse(): what an SM does in that
                           launch, the first time that it is measured in detail, is written
                           to events.json in `output`; NULL: nothing */
    bool warps; /* when warps of measured, detailed launches are issued and retire is written to
                   warps.csv in `output`; not with `resume` */
    bool allow_outside;         /* lines of the plan's file may name files outside its folder */
    bool catch_signals;         /* SIGINT and SIGTERM end the run, and finished launches are
                                   written */
    const char *const *command; /* NULL-terminated command line for run.json; NULL: an
                                   equivalent one is composed */
};

/* Hooks that are called during a run. Zero is a valid value of every member. */
struct run_hooks {
    void *data; /* passed to all hooks */
    /* The progress of the run; see struct progress_hook. */
    void (*progress)(void *data, const struct progress_now *now);
    /* Everything is prepared, and the first launch is about to be simulated. Not called if
     * complete results were found to resume. */
    void (*begun)(void *data);
    /* A launch has ended. Called once for each row in the order of the plan: with one job as
     * soon as the launch has ended, otherwise at the end. Launches that an earlier process
     * simulated are included. Not yet set: `step`, corrections, and the `notes` of all
     * rows. */
    void (*launched)(void *data, const struct row *row);
};

/* Executes REQUEST; HOOKS may be NULL. RESULTS hold what was simulated in any case, and the
 * caller finishes them (results_finish()). If `resume` finds complete results, only `complete`
 * is set, and results_read() reads them. Returns 0; -1 with ERR filled; or, with ERR filled,
 * the exit code after a signal. */
int run_execute(const struct run_request *request, const struct run_hooks *hooks,
                struct results *results, struct error *err);

/* Makes the configuration of REQUEST. Notes about it go to NOTES (NULL: nowhere). The caller
 * destroys it (sim_config_destroy()). NULL with ERR filled: it is invalid. */
struct sim_config *run_config(const struct run_request *request, struct notes *notes,
                              struct error *err);

/* Whether CONFIG has limits, which count over a plan in its order: its segments cannot be
 * executed apart. */
bool run_is_limited(const struct sim_config *config);

#endif
