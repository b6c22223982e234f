/* One run of a study: hearth run with a warm-up policy, in a folder of its own under the
 * study's. A piece that is there, complete and the same, is not run again; one that was stopped
 * goes on. */
#ifndef HEARTH_TOOLS_STUDY_STUDY_RUN_H
#define HEARTH_TOOLS_STUDY_STUDY_RUN_H

#include "tools/study/run_measures.h"
#include "tools/study/study_options.h"

#define STUDY_RUN_SETS 4

struct study_run {
    const char *name; /* of its folder; NULL: made of the policy */
    const char
        *serves; /* what it is run for, where that is no run of its own; NULL: its name */
    const char *target;               /* workload or plan; NULL: the study's operand */
    const char *policy;               /* NULL: no --warm */
    const char *config;               /* besides the study's; NULL: none */
    const char *flush;                /* NULL: the study's */
    const char *sets[STUDY_RUN_SETS]; /* further options, NULL-ended when fewer */
    bool redone; /* what is there of another plan or configuration is replaced; else an error */
};

/* How far a study is, for the line that says so. */
struct study_run_count {
    size_t done, all;
};

/* The folder of the piece called NAME, to be freed; NULL without memory. */
char *study_run_folder(const struct study_options *options, const char *name);

/* PIECE or, if its flush and further options (without --flush of the study's) are in force in
 * the study's run of its policy alone, which was done before, that run: the results are the
 * same. */
struct study_run study_run_plain(const struct study_options *options,
                                 const struct study_run *piece);

/* Runs PIECE and reads what it measured into SERIES (a zeroed one; NULL: not read). Returns 0,
 * a higher exit code without ERR filled when it was stopped, or -1. */
int study_run_run(const struct study_options *options, const struct study_run *piece,
                  struct study_run_count *count, struct run_measures *series,
                  struct error *err);

#endif
