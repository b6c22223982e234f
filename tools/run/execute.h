/* Executes the segments of a plan on simulators. */
#ifndef HEARTH_TOOLS_RUN_EXECUTE_H
#define HEARTH_TOOLS_RUN_EXECUTE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "sim/sim.h"
#include "tools/run/events/event_file.h"
#include "tools/run/input_guard.h"
#include "tools/run/journal/journal.h"
#include "tools/run/plan/launches.h"
#include "tools/run/plan/plan.h"
#include "tools/run/progress/progress.h"
#include "tools/run/run_limits.h"
#include "tools/run/segments.h"

/* What all segments have in common. */
struct execution {
    const struct plan *plan;
    const bool *skip; /* items to skip */
    struct segments *segments;
    const struct launches *launches;
    const struct trace_workload *workload; /* the workload of the launches */
    bool overlap;   /* launches of different streams run concurrently; then L2 is not flushed
                       between launches, and there are no intervals */
    bool followers; /* the same of programmatic launches beside the one before them, if their
                       stream is its, and their number the next one */
    bool flush_l1;  /* between launches that overlap */
    /* They count over the plan in its order: with limits, segments must be executed one after
     * another. */
    struct run_limits limits;
    struct progress *progress;
    uint64_t intervals;        /* cycles per interval to be stored in rows; 0: none */
    const char *intra_profile; /* as in struct run_request */
    FILE *warps;               /* warps.csv, with one job only; NULL: none */
    struct event_file *events; /* of a launch, with one job only; NULL: none */
    /* Called with the row of each launch that has ended, including launches of an earlier
     * process, in the order of the plan. For segments that are executed in order. NULL: not
     * called. */
    void (*launched)(void *data, const struct row *row);
    void *data;
    struct journal *journal; /* stores finished launches, and states from time to time; NULL:
                                none */
    /* Number of the earliest segment in the plan that an error or a limit ended; 0: none.
     * Later segments stop and earlier ones continue, so that the error that is reported does
     * not depend on how many run in parallel. */
    atomic_size_t ended;
};

/* Whether every item of PLAN can be executed, and states can be saved where it says, without
 * replacing a file in READS. Returns 0, or -1 with ERR naming the first item that cannot.
 * OVERLAP: the option that lets launches overlap; NULL: none does. OUTSIDE: lines of a plan's
 * file may save and restore states outside the plan's folder. */
int execute_check(const struct plan *plan, const bool *skip, const char *overlap, bool outside,
                  struct input_guard *reads, struct error *err);

/* Executes SEGMENT on SIM until its end or until it must stop; the outcome is stored in
 * SEGMENT. It contains the rows of finished launches in any case; execution continues after
 * the rows that it already has. USED: SIM has been used since sim_create(). Different segments
 * may be executed by different threads at the same time, each on a simulator of its own. */
void execute(struct execution *execution, struct segment *segment, struct sim *sim, bool used);

#endif
