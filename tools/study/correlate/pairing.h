/* Which simulated launch is which measured one: both lists are in the order of the
 * application. */
#ifndef HEARTH_TOOLS_STUDY_CORRELATE_PAIRING_H
#define HEARTH_TOOLS_STUDY_CORRELATE_PAIRING_H

#include "tools/run/run.h"
#include "tools/study/correlate/measured.h"
#include "traces/base/ranges.h"

/* A simulated and a measured launch; either is NULL if it has no partner. */
struct pairing_item {
    const struct measured_launch *measured;
    const struct row *row; /* one of the list's `rows` */
};

/* Owns the list. Empty when zeroed. */
struct pairing {
    struct pairing_item *items; /* in the order of both lists */
    size_t count;
    size_t matched;
    struct row *rows; /* the measured ones */
    size_t row_count;
};

/* Pairs the launches of PROGRAM, only those with a number in CHOSEN unless it is empty, with
 * the measured rows (role measure) of ROWS. Launches match that have the same kernel and, where
 * both know it, the same grid. Where the lists differ, the fewest launches are passed over
 * until they agree again, at most 1,000 at a place. MEASURED and the store of ROWS must outlive
 * the result. Returns 0, or -1 with ERR filled; pairing_finish() either way. */
int pairing_init(struct pairing *pairing, const struct measured *measured, const char *program,
                 const struct ranges *chosen, const struct rows *rows, struct error *err);
void pairing_finish(struct pairing *pairing);

#endif
