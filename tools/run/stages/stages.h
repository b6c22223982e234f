/* The stages of run_execute(): checks and preparation, then, after the simulation, the rows and
 * the files of the results. Those that return an int return 0, or -1 with ERR, unless they say
 * otherwise. */
#ifndef HEARTH_TOOLS_RUN_STAGES_STAGES_H
#define HEARTH_TOOLS_RUN_STAGES_STAGES_H

#include <stdio.h>

#include "tools/run/jobs.h"
#include "tools/run/journal/identity.h"
#include "tools/run/journal/journal.h"
#include "tools/run/plan/input.h"
#include "tools/run/run.h"
#include "traces/base/files/output_folder.h"
#include "traces/base/ranges.h"

/* The state of a run. */
struct run {
    const struct run_request *request;
    const struct run_hooks *hooks;
    struct results *results;
    const char **names; /* of inputs */
    struct input_guard reads;
    struct ranges launches;
    struct input input;
    struct segments segments;
    struct jobs jobs;
    unsigned threads; /* per job */
    struct output_folder folder;
    struct event_file events; /* of the request's `events` */
    FILE *warps;              /* warps.csv, while it is written; NULL: none */
    char date[32];            /* of the start */
    struct identity identity;
    struct journal journal;
    size_t planned;   /* launches */
    size_t told;      /* rows that hooks have received */
    bool uncorrected; /* a signal came before corrections were applied */
};

/* checks.c */

/* Whether programmatic launches of the workload may overlap the one before them. */
bool run_has_followers(const struct run *run);
/* The option that lets launches overlap; NULL: none does. */
const char *run_overlap(const struct run *run);
/* Rejects what launches cannot have that overlap, by option OVERLAP, which may be NULL. */
int run_check_overlap(const struct run *run, const char *overlap, struct error *err);
/* The same before the workload is read. */
int run_check_streams(const struct run *run, struct error *err);
/* Rows of segments serve only whole segments that do not depend on others. */
int run_check_split(const struct run *run, struct error *err);
/* Reads the request's `events`, and checks its `warps`. */
int run_take_events(struct run *run, struct error *err);

/* prepare.c */

/* All that precedes the simulation. Returns 0, -1, or the exit code if a signal stopped it. */
int run_prepare(struct run *run, struct error *err);

/* outputs.c */

struct journal_run run_about(const struct run *run);
/* Opens the folder of the results, and finds what an earlier run left to resume: complete
 * results, a journal, or nothing. */
int run_open_results(struct run *run, struct error *err);
/* Writes the rows of the chosen segments, if all came to their end. */
int run_write_segments(struct run *run, struct error *err);
int run_write_results(struct run *run, struct error *err);
/* Names the folder that stays beside the results. */
void run_note_rest(struct run *run);

/* collect.c */

/* Takes the rows from the segments and sums them up. A signal that arrives now becomes the
 * reason why the run stopped. */
int run_collect(struct run *run, struct error *err);

static inline struct progress_hook run_progress(const struct run *run)
{
    return (struct progress_hook){run->hooks->progress, run->hooks->data};
}

#endif
