/* The results folder of a run: kernels.csv, stats.json, stats.txt,
 * config.out, plan.out and run.json. All but run.json depend on workload,
 * plan, configuration and version alone. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_RESULTS_H
#define HEARTH_TOOLS_RUN_RESULTS_RESULTS_H

#include "sim/config.h"
#include "tools/run/files/output_folder.h"
#include "tools/run/input_guard.h"
#include "tools/run/journal/identity.h"
#include "tools/run/plan/plan.h"
#include "tools/run/results/extrapolated.h"
#include "tools/run/results/rows.h"
#include "tools/run/results/streams.h"

struct results {
    struct rows rows;                 /* of finished launches, in the order of the plan */
    struct streams streams;           /* their totals, while they are written */
    struct extrapolated extrapolated; /* from results_write() on */
    struct output_folder folder;
    double started, cpu_started; /* seconds */
    double warm_seconds;         /* of warm-up beside its launches: reading traces for reach,
                                  * states or corrections */
    char date[32];               /* of the start */
};

/* What a run was and how it ended. */
struct results_about {
    const struct plan *plan;
    const bool *skip; /* items of the plan that were not run; NULL: none */
    bool part;        /* the plan itself was cut (struct input) */
    const struct sim_config *config;
    const struct identity *identity;          /* NULL: not known */
    const char *digest;                       /* of the workload */
    const char *listed;                       /* the same for plan.out; NULL: it names none */
    const char *const *arguments;             /* the command line, NULL-ended */
    const char *stop_reason;                  /* "end", or why it stopped before */
    const char *report;                       /* of a deadlock; NULL or "": none */
    const struct correction_kind *correction; /* of its rows; NULL: none */
    uint64_t intervals;                       /* cycles of those that the rows hold; 0: none */
    bool partial;                             /* it stopped before the end */
    unsigned jobs, threads;                   /* that ran side by side; of each job */
};

/* Whether results at PATH would replace none of the files in READS. Returns 0, or -1 with ERR
 * filled. */
int results_check(const char *path, struct input_guard *reads, struct error *err);
/* Prepares the folder at PATH; MARK as for output_folder_init(). Returns 0, or -1 with ERR
 * filled. */
int results_init(struct results *results, const char *path, const char *mark,
                 struct error *err);
/* Whatever was not written is dropped. Accepts a zeroed one. */
void results_finish(struct results *results);

/* Writes all files and moves them to their place. */
int results_write(struct results *results, const struct results_about *about,
                  struct error *err);

/* Thousand warp instructions simulated a second since results_init(): of CPU time, all
 * threads together, and of time. */
struct results_speed {
    double cpu_seconds, wall_seconds;
    double cpu, wall;
};
struct results_speed results_speed(const struct results *results);

#endif
