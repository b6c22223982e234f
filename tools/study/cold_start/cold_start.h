/* hearth study cold-start, shared by its files: the results of the runs, and the tables made
 * from them. */
#ifndef HEARTH_TOOLS_STUDY_COLD_START_COLD_START_H
#define HEARTH_TOOLS_STUDY_COLD_START_COLD_START_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/report/report_table.h"
#include "tools/study/study_files.h"
#include "tools/study/study_run.h"

#define COLD_START_POLICIES 32
#define COLD_START_REACHES  64
#define COLD_START_PHASES   8
#define COLD_START_FLUSHES  8

/* A warm-up policy and its results. */
struct cold_start_run {
    const char *policy;
    const struct run_measures *measures;
    const struct run_measures *in_phase; /* of the run whose launches start as in
                                            `full_in_phase`; no launches if there is none */
};

/* A run that was made, for one or several purposes. */
struct cold_start_done {
    char name[256]; /* study_run_name() */
    struct run_measures measures;
};

/* The columns of a launch's footprint that are shown; shares as text of six digits, "" if
 * unknown. */
struct cold_start_footprint {
    uint64_t launch, lines;
    char forward[32], backward[32];
};

struct cold_start {
    struct study_options options;
    const char *policies; /* the list as given */
    const char *reach;
    unsigned phases;     /* number of phases over which noise is measured; below 2: it is not */
    bool no_flush_modes; /* --no-flush-modes */
    bool no_in_phase;    /* --no-in-phase */
    struct study_run_count count;
    char *names;                   /* POLICIES, split at its commas */
    struct cold_start_done **done; /* all runs; the first one is `full` */
    size_t done_count;
    const struct run_measures *full;          /* the reference */
    const struct run_measures *full_in_phase; /* the same, all launches in one starting phase */
    struct cold_start_run runs[COLD_START_POLICIES]; /* the first one is "none" */
    size_t run_count;
    unsigned reaches[COLD_START_REACHES]; /* launches to go back */
    size_t reach_count;
    const struct run_measures *memory[COLD_START_REACHES],
        *functional[COLD_START_REACHES]; /* for each of them */
    const struct run_measures
        *flushes[COLD_START_FLUSHES]; /* --flush none, l1, l2, all; first without, then with
                                         copies that fill L2 */
    double *noise;                    /* for each launch, percent of its IPC; NaN: unknown */
    struct cold_start_footprint *footprints; /* in the order of the workload */
    size_t footprint_count;
    bool footprint_lost; /* memory was short */
    struct study_files files;
};

/* The names of the ways to flush, in the order of struct cold_start.flushes. */
extern const char *const cold_flush_names[COLD_START_FLUSHES / 2];

/* Makes all runs, and measures footprints. Returns the exit code, or -1 with ERR filled. */
int cold_start_run_all(struct cold_start *cold, struct error *err);

/* 100 (1 - |IPC - IPC of full| / IPC of full) of measured launch INDEX, with LATENCY cycles of
 * launch latency added to each launch; FULL is `full`, or for runs in phase
 * `full_in_phase`. */
double cold_start_accuracy(const struct run_measures *full, const struct run_measures *measures,
                           size_t index, double latency);
/* Cycles of measured launch INDEX over those of FULL - 1, for the same instructions; in
 * percent. */
double cold_start_error(const struct run_measures *full, const struct run_measures *measures,
                        size_t index);

/* The errors of several launches. */
struct cold_start_bias {
    size_t launches, exact;      /* EXACT: with the cycles of `full` */
    double mean, standard_error; /* percent; NaN of no launch, the latter also of one */
};
/* Of the launches i with KERNELS[i] == KERNEL; KERNELS NULL: of all. */
struct cold_start_bias cold_start_bias(const struct run_measures *full,
                                       const struct run_measures *measures,
                                       const size_t *kernels, size_t kernel);

/* The tables; the caller finishes them. */
enum cold_sheet {
    COLD_START_BY_LAUNCH,
    COLD_START_BY_KERNEL,
    COLD_START_THRESHOLDS,
    COLD_START_REACH,
    COLD_START_POLICY,
    COLD_START_POLICY_5000,
    COLD_START_BIAS,
    COLD_START_FLUSH,
    COLD_START_ACCURACY,
    COLD_START_SHEETS
};
/* Fills SHEETS. Returns 0, or -1 without memory. */
int cold_start_make_sheets(const struct cold_start *cold,
                           struct report_table sheets[COLD_START_SHEETS]);

/* Fill some of them; -1 without memory. */
int cold_start_fill_reach(const struct cold_start *cold, struct report_table *sheet);
int cold_start_fill_policies(const struct cold_start *cold, struct report_table *sheet);
int cold_start_fill_latency(const struct cold_start *cold, struct report_table *sheet);
int cold_start_fill_bias(const struct cold_start *cold, struct report_table *sheet);
void cold_start_fill_accuracy(const struct cold_start *cold, struct report_table *sheet);
void cold_start_fill_flushes(const struct cold_start *cold, struct report_table *sheet);

/* Writes all files of the study. */
int cold_start_write(struct cold_start *cold, struct report_table sheets[COLD_START_SHEETS],
                     struct error *err);

#endif
