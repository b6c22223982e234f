/* The segments of a plan: parts that do not depend on anything before them, so that they can
 * be executed in any order, or in parallel. */
#ifndef HEARTH_TOOLS_RUN_SEGMENTS_H
#define HEARTH_TOOLS_RUN_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/run/plan/plan.h"
#include "tools/run/results/rows/rows.h"

/* A segment and its outcome. */
struct segment {
    size_t begin, end; /* its items of the plan: BEGIN to END - 1 */
    size_t number;     /* from 1 */
    char name[24];     /* the number as text */
    const char *label; /* its name in the plan, or the number as text */
    /* The outcome. */
    struct rows rows;        /* of finished launches */
    size_t done;             /* its first item that was not executed, or not to its end */
    const char *stop_reason; /* NULL: executed to its end, or never begun; "error", "SIGINT",
                                "SIGTERM", or the option whose limit was reached */
    struct error error;      /* with "error" */
    char *report;            /* after a deadlock; NULL: there was none */
};

struct segments {
    struct segment *items;
    size_t count;
    size_t serial; /* the first SERIAL segments are executed one after another, before all
                      others: they save states that others may restore */
};

/* Finds the segments of PLAN, which must outlive them; items in SKIP are left out. Their rows
 * will be in STORE. Returns 0, or -1 with ERR filled. */
int segments_init(struct segments *segments, const struct plan *plan, const bool *skip,
                  struct row_store *store, struct error *err);
/* Accepts a zeroed one. */
void segments_finish(struct segments *segments);

/* The earliest segment of the plan with an error, or NULL. */
const struct segment *segments_failed(const struct segments *segments);
/* Why the segments were not executed to their end; "end" if they were. */
const char *segments_stop_reason(const struct segments *segments);

/* Moves all rows to ROWS, which have the same store, in the order of the plan. Returns 0, or -1
 * with ERR filled. */
int segments_collect(struct segments *segments, struct rows *rows, struct error *err);

#endif
