/* The segments of a plan: parts that do not depend on anything before them, so that they can
 * be executed in any order, or in parallel. */
#ifndef HEARTH_TOOLS_RUN_SEGMENTS_H
#define HEARTH_TOOLS_RUN_SEGMENTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "tools/run/plan/plan.h"
#include "tools/run/results/rows/rows.h"

/* A segment and its outcome. A plan may have a million of them, so what few have is kept
 * elsewhere. */
struct segment {
    uint32_t begin;  /* its first item of the plan; segment_end() is behind the last one */
    uint32_t number; /* from 1 */
    /* The outcome. */
    uint32_t done;    /* its first item that was not executed, or not to its end */
    uint32_t stopped; /* private, why: 0, or 1 + index of a reason */
    struct rows rows; /* of finished launches */
};

#define SEGMENTS_REASONS 8 /* an error, a signal, and each limit */

/* The earliest segment of the plan that failed. */
struct segment_failure {
    size_t number; /* of the segment; 0: none failed */
    struct error error;
    char *report; /* after a deadlock; NULL: there was none. Owned */
};

struct segments {
    struct segment *items; /* and one more, which begins where the plan ends */
    size_t count;
    size_t serial; /* the first SERIAL segments are executed one after another, before all
                      others: they save states that others may restore */
    struct segment_failure failure; /* private; under `lock` while segments are executed */
    const char *reasons[SEGMENTS_REASONS]; /* private: those that `stopped` means; likewise */
    pthread_mutex_t lock;                  /* private */
};

/* The item of the plan after the last one of SEGMENT. */
static inline uint32_t segment_end(const struct segment *segment)
{
    return segment[1].begin;
}

/* Finds the segments of PLAN, which must outlive them; items in SKIP are left out. Their rows
 * will be in STORE. Returns 0, or -1 with ERR filled. */
int segments_init(struct segments *segments, const struct plan *plan, const bool *skip,
                  struct row_store *store, struct error *err);
/* Accepts a zeroed one. */
void segments_finish(struct segments *segments);

/* What SEGMENT of PLAN is called, as rows have it: its name in the plan, or its number. */
struct row_segment segments_label(const struct segment *segment, const struct plan *plan);

/* Notes that SEGMENT was stopped: "error", "SIGINT", "SIGTERM", or the option whose limit was
 * reached, a text that lasts; NULL: it was not. Several threads may call it. */
void segments_stop(struct segments *segments, struct segment *segment, const char *reason);
/* Notes that SEGMENT ended with ERROR and, after a deadlock, REPORT (NULL: none). Several
 * threads may call it; only the earliest segment's is kept. */
void segments_fail(struct segments *segments, struct segment *segment,
                   const struct error *error, const char *report);
/* The earliest failure, or NULL. */
const struct segment_failure *segments_failed(const struct segments *segments);
/* Why the segments were not executed to their end; "end" if they were. */
const char *segments_stop_reason(const struct segments *segments);

/* Moves all rows to ROWS, which is empty and has the same store, in the order of the plan.
 * Returns 0, or -1 with ERR filled. */
int segments_collect(struct segments *segments, struct rows *rows, struct error *err);

#endif
