/* A run in the course of time: intervals.csv, summed over equal stretches of the run. */
#ifndef HEARTH_TOOLS_VIEW_INTERVAL_VIEW_H
#define HEARTH_TOOLS_VIEW_INTERVAL_VIEW_H

#include "tools/view/run_view.h"

#define INTERVAL_VIEW_BINS 400

enum interval_count {
    INTERVAL_CYCLES, /* of launches in this stretch: more than its own if they overlap */
    INTERVAL_THREAD_INSTS,
    INTERVAL_L1_ACCESSES,
    INTERVAL_L1_HITS,
    INTERVAL_L2_READS,
    INTERVAL_L2_READ_HITS,
    INTERVAL_DRAM_READ_BYTES,
    INTERVAL_DRAM_WRITE_BYTES,
    INTERVAL_COUNTS
};

struct interval_view {
    size_t rows;       /* 0: the run did not write intervals */
    double bin_cycles; /* core cycles of a stretch */
    double sums[INTERVAL_VIEW_BINS][INTERVAL_COUNTS];
};

/* Reads the intervals of RUN's measured launches; what an interval counted is spread evenly
 * over it. Returns 0, or -1 with ERR filled. Nothing is to be freed. */
int interval_view_read(struct interval_view *view, const struct run_view *run,
                       struct error *err);

#endif
