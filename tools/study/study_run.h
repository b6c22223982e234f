/* A run of a study, in a folder of its own in the study's folder. If complete results of the
 * same run exist, it is not run again; if it was stopped, it is resumed. */
#ifndef HEARTH_TOOLS_STUDY_STUDY_RUN_H
#define HEARTH_TOOLS_STUDY_STUDY_RUN_H

#include "tools/run/run.h"
#include "tools/study/run_measures.h"
#include "tools/study/study_options.h"

#define STUDY_RUN_SETS 5

struct study_run {
    const char *name;        /* of its folder; NULL: made from the policy */
    const char *serves;      /* what it is run for, if that is not a run of its own; NULL: its
                                name */
    const struct plan *plan; /* NULL: the workload, which is the study's operand */
    const char *policy;      /* NULL: no --warm */
    const char *intra;       /* method inside launches, with a policy; NULL: none */
    const char *config;      /* in addition to the study's; NULL: none */
    size_t card;             /* its number, from 1; 0: only the study's. States that the tracer
                                made are in FOLDER.<number> */
    const char *flush;       /* NULL: the study's */
    const char *sets[STUDY_RUN_SETS]; /* additional options, NULL-terminated if there are
                                         fewer */
    bool redone; /* replace results of another plan or configuration; otherwise they are an
                    error */
};

/* The progress of a study, for the line that shows it. */
struct study_run_count {
    size_t done, all;
    size_t timed;   /* runs that this process simulated to their end */
    double seconds; /* what they took */
};

/* The name of its folder, before special characters are replaced. */
const char *study_run_name(const struct study_run *run);

/* The folder of the states that RUN restores, which the caller frees, if its policy can have
 * states of the tracer; NULL without memory. */
char *study_run_states(const struct study_options *options, const struct study_run *run);

/* The configuration of RUN, which the caller destroys; NULL on error, with ERR filled. */
struct sim_config *study_run_config(const struct study_options *options,
                                    const struct study_run *run, struct error *err);

/* Prints on stderr which run is made, and what for, unless the study is quiet. */
void study_run_tell(const struct study_options *options, const struct study_run *run,
                    const struct study_run_count *count);

/* After a signal: its exit code, with ERR filled; otherwise 0. */
int study_stopped(const struct study_run_count *count, struct error *err);

/* RUN; or, if its flush and additional options do not change the study's configuration, the
 * study's run with only its policy, which was made before: the results are the same. */
struct study_run study_run_plain(const struct study_options *options,
                                 const struct study_run *run);

/* Executes RUN, or reads its results if its folder already has them. On a terminal a line shows
 * the progress, with the time left of RUN and of all runs; COUNT, whose `done` is the number of
 * runs before RUN, gets the time of RUN. RESULTS (which the caller finishes in any case) get
 * rows, configuration and seconds. Returns 0, a higher exit code if it was stopped, or -1; then
 * ERR is filled. */
int study_run_execute(const struct study_options *options, const struct study_run *run,
                      struct study_run_count *count, struct results *results,
                      struct error *err);

#endif
