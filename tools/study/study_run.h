/* One run of a study, in a folder of its own under the study's. A run that is there, complete
 * and the same, is not run again; one that was stopped goes on. */
#ifndef HEARTH_TOOLS_STUDY_STUDY_RUN_H
#define HEARTH_TOOLS_STUDY_STUDY_RUN_H

#include "tools/run/run.h"
#include "tools/study/run_measures.h"
#include "tools/study/study_options.h"

#define STUDY_RUN_SETS 4

struct study_run {
    const char *name;   /* of its folder; NULL: made of the policy */
    const char *serves; /* what it is run for, if that is no run of its own; NULL: its name */
    const struct plan *plan;          /* NULL: the workload, the study's operand */
    const char *policy;               /* NULL: no --warm */
    const char *config;               /* besides the study's; NULL: none */
    const char *flush;                /* NULL: the study's */
    const char *sets[STUDY_RUN_SETS]; /* further options, NULL-terminated if fewer */
    bool redone; /* results of another plan or configuration are replaced; else an error */
};

/* How far a study is, for the line that says so. */
struct study_run_count {
    size_t done, all;
};

/* The name of its folder, before signs that folders do not have are replaced. */
const char *study_run_name(const struct study_run *run);

/* Says on stderr which run is made, and what for, unless the study is quiet. */
void study_run_tell(const struct study_options *options, const struct study_run *run,
                    const struct study_run_count *count);

/* After a signal: its exit code, with ERR filled; else 0. */
int study_stopped(const struct study_run_count *count, struct error *err);

/* RUN or, if its flush and further options make no other configuration than the study's own,
 * the study's run of its policy alone, which was done before: the results are the same. */
struct study_run study_run_plain(const struct study_options *options,
                                 const struct study_run *run);

/* Runs RUN or, if its folder holds its results already, reads them from there. RESULTS
 * (finished by the caller in any case) get rows, configuration and seconds. Returns 0, a higher
 * exit code when it was stopped, or -1; then ERR is filled. */
int study_run_execute(const struct study_options *options, const struct study_run *run,
                      struct results *results, struct error *err);

#endif
