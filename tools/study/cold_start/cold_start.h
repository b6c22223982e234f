/* hearth study cold-start, between its files: what the runs gave, and the tables made of it. */
#ifndef HEARTH_TOOLS_STUDY_COLD_START_COLD_START_H
#define HEARTH_TOOLS_STUDY_COLD_START_COLD_START_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/study/report_table.h"
#include "tools/study/study_files.h"
#include "tools/study/study_run.h"

#define COLD_POLICIES 32
#define COLD_REACHES  64
#define COLD_PHASES   8
#define COLD_FLUSHES  8

/* What launches are measured behind, and what came out. */
struct cold_run {
    const char *policy;
    struct series series;
    struct series in_phase; /* of the run where launches start as in `full_in_phase` */
};

struct cold {
    struct study_options options;
    const char *policies; /* list as given */
    const char *reach;
    unsigned phases;     /* that noise is measured over; below 2: not at all */
    bool no_flush_modes; /* --no-flush-modes */
    bool no_in_phase;    /* --no-in-phase */
    struct piece_count count;
    char *names;                         /* POLICIES, cut at its commas */
    struct series full;                  /* the golden reference */
    struct series full_in_phase;         /* the same, all launches in one starting phase */
    struct series control;               /* the same, all in another one */
    struct cold_run runs[COLD_POLICIES]; /* the first one is "none" */
    size_t run_count;
    unsigned reaches[COLD_REACHES]; /* launches back */
    size_t reach_count;
    struct series memory[COLD_REACHES], functional[COLD_REACHES]; /* of each */
    struct series flushes[COLD_FLUSHES]; /* --flush none, l1, l2, all without, then with copies
                                          * that fill L2 */
    double *noise;          /* of each launch, percent of its IPC; NaN: not known */
    struct frame footprint; /* one row a launch, see cold_footprint_names */
    struct files files;
};

/* Columns of the footprint's table. */
enum { COLD_FOOT_LAUNCH, COLD_FOOT_LINES, COLD_FOOT_FORWARD, COLD_FOOT_BACKWARD };

/* The names of the ways to flush, in the order of struct cold.flushes. */
extern const char *const cold_flush_names[COLD_FLUSHES / 2];

/* 100 (1 - |IPC - IPC of full| / IPC of full) of measured launch INDEX, with LATENCY cycles of
 * launch latency added to each launch; FULL is `full`, or for runs in phase `full_in_phase`. */
double cold_accuracy(const struct series *full, const struct series *series, size_t index,
                     double latency);
/* Whether that, without latency, is 99 or more, or as close to 100 as the launch's noise. */
bool cold_passes(const struct cold *cold, const struct series *full,
                 const struct series *series, size_t index);

/* The tables; the caller finishes them. */
enum cold_sheet {
    COLD_BY_LAUNCH,
    COLD_BY_KERNEL,
    COLD_THRESHOLDS,
    COLD_REACH,
    COLD_POLICY,
    COLD_POLICY_5000,
    COLD_FLUSH,
    COLD_ACCURACY,
    COLD_SHEETS
};
/* Fills SHEETS. Returns 0, or -1 without memory. */
int cold_make_sheets(const struct cold *cold, struct sheet sheets[COLD_SHEETS]);

/* Some of them; -1 without memory. */
int cold_fill_reach(const struct cold *cold, struct sheet *sheet);
int cold_fill_policies(const struct cold *cold, struct sheet *sheet);
int cold_fill_latency(const struct cold *cold, struct sheet *sheet);
void cold_fill_accuracy(const struct cold *cold, struct sheet *sheet);
void cold_fill_flushes(const struct cold *cold, struct sheet *sheet);

/* Writes all files of the study. */
int cold_write(struct cold *cold, struct sheet sheets[COLD_SHEETS], struct error *err);

#endif
