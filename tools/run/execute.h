/* Carries out the segments of a plan on simulators. */
#ifndef HEARTH_TOOLS_RUN_EXECUTE_H
#define HEARTH_TOOLS_RUN_EXECUTE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "sim/sim.h"
#include "tools/run/input_guard.h"
#include "tools/run/journal/journal.h"
#include "tools/run/limits.h"
#include "tools/run/plan/launches.h"
#include "tools/run/plan/plan.h"
#include "tools/run/progress.h"
#include "tools/run/segments.h"

/* What all segments have in common. */
struct execution {
    const struct plan *plan;
    const bool *skip; /* items to leave out */
    const struct launches *launches;
    const struct trace_workload *workload; /* that the launches are of */
    unsigned flush;                        /* levels, before every launch */
    bool overlap; /* launches of different streams run at once; then flush L1 alone, and no
                   * intervals */
    /* They count over the plan in its order: where there are any, segments
     * must be executed one after the other. */
    struct limits limits;
    struct progress *progress;
    uint64_t intervals; /* cycles of each that rows are to hold; 0: none */
    /* Called with the row of each launch that has ended, also by an earlier process, in the
     * order of the plan. For segments that are executed in order. NULL: not called. */
    void (*launched)(void *data, const struct row *row);
    void *data;
    struct journal *journal; /* takes finished launches, and states now and then; NULL: none */
    /* Number of the earliest segment in the plan that an error or a limit
     * ended; 0: none. Those behind it stop; those before it go on, so that
     * what is found first does not depend on how many run at a time. */
    atomic_size_t ended;
};

/* Whether every item of PLAN is of a kind that can be carried out, and states can be saved
 * where it says, to none of the files in READS: 0, or -1 with ERR naming the first that is not.
 * OVERLAP as in struct execution. */
int execute_check(const struct plan *plan, const bool *skip, bool overlap,
                  struct input_guard *reads, struct error *err);

/* Does what SEGMENT says on SIM until its end or until something stops it;
 * SEGMENT then says what came of it. Rows of finished launches are in it in
 * any case; where it has some already, it goes on behind them. USED tells that SIM is not fresh
 * from sim_create(). Different segments may be executed by different threads at the same time,
 * each on a simulator of its own. */
void execute(struct execution *execution, struct segment *segment, struct sim *sim, bool used);

#endif
