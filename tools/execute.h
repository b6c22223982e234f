/* Carries out a plan on a simulator. */
#ifndef HEARTH_TOOLS_EXECUTE_H
#define HEARTH_TOOLS_EXECUTE_H

#include <stdbool.h>

#include "sim/sim.h"
#include "tools/launches.h"
#include "tools/limits.h"
#include "tools/notes.h"
#include "tools/plan.h"
#include "tools/progress.h"
#include "tools/results.h"

struct execution {
    /* Set by the caller. */
    const struct plan *plan;
    const bool *skip; /* items to leave out */
    const struct launches *launches;
    struct sim *sim;
    unsigned flush; /* levels, before every launch but a segment's first */
    struct limits limits;
    struct results *results; /* takes a row a finished launch */
    struct progress *progress;
    struct notes *notes;
    /* What came of it. */
    const char *stop_reason; /* "end", "error", "SIGINT", "SIGTERM", or
                              * the option whose limit was reached */
    size_t done;             /* items of the plan before the first that was not
                              * carried out, or not to its end */
    /* Private. */
    uint64_t step;
    size_t segments;     /* begun so far */
    const char *segment; /* name of the one that runs; NULL: it has a number */
    bool first;          /* no launch of it was simulated yet */
};

/* Whether every item of PLAN is of a kind that can be carried out: 0, or -1
 * with ERR naming the first that is not. */
int execute_check(const struct plan *plan, const bool *skip, struct error *err);

/* Does what the plan says, until its end or until something stops it: a
 * signal or a limit (0, stop_reason says which) or an error (-1, ERR filled).
 * Rows of finished launches are in the results in any case. */
int execute(struct execution *execution, struct error *err);

#endif
