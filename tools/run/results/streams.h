/* Totals of each stream of a run. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_STREAMS_H
#define HEARTH_TOOLS_RUN_RESULTS_STREAMS_H

#include "tools/run/results/totals.h"

struct stream {
    uint64_t number; /* as in the traces */
    struct totals totals;
};

/* In the order of their first launches. */
struct streams {
    struct stream *items;
    size_t count;
};

/* Sums ROWS by stream; rows of a segment must be adjacent. Returns false if memory is
 * short. */
bool streams_init(struct streams *streams, const struct rows *rows);
/* Accepts a zeroed one. */
void streams_finish(struct streams *streams);

#endif
