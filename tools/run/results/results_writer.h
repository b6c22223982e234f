/* Writes the results folder of a run: kernels.csv, stats.json, stats.txt, config.out, plan.out
 * and run.json. All but run.json depend only on workload, plan, configuration and version. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_RESULTS_WRITER_H
#define HEARTH_TOOLS_RUN_RESULTS_RESULTS_WRITER_H

#include "tools/run/activity/activity_table.h"
#include "tools/run/input_guard.h"
#include "tools/run/journal/identity.h"
#include "tools/run/results/results.h"
#include "tools/run/results/streams.h"
#include "tools/run/run.h"
#include "traces/base/files/output_folder.h"

/* What was run, in addition to the results. */
struct results_about {
    const struct run_request *request;
    const struct plan *plan;
    const bool *skip;                /* items of the plan that were not run; NULL: none */
    const struct identity *identity; /* NULL: unknown */
    const char *digest;              /* of the workload */
    const char *listed;              /* the digest for plan.out; NULL: none */
    const char *date;                /* of the start */
    const struct correction_kind *correction; /* of the rows; NULL: none */
    unsigned jobs, threads;                   /* as they were chosen */
    const struct streams *streams;            /* private: the totals of each stream, */
    const struct energies *energies;          /* and the bundled energies */
};

/* Whether PATH, if it is a folder, is empty or has results, which may replace no file in READS.
 * Returns 0, or -1 with ERR filled (ERROR_OUTPUT). */
int results_writer_check(const char *path, struct input_guard *reads, struct error *err);
/* Writes all files in FOLDER and moves them to their place. */
int results_writer_write(struct output_folder *folder, const struct results *results,
                         const struct results_about *about, struct error *err);

#endif
