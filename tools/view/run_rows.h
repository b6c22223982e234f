/* The launches in kernels.csv, one after the other, with their counters. Counters that the file
 * does not have, because another version wrote it, are 0. */
#ifndef HEARTH_TOOLS_VIEW_RUN_ROWS_H
#define HEARTH_TOOLS_VIEW_RUN_ROWS_H

#include "sim/stats/counters.h"
#include "tools/view/results_csv.h"

struct run_rows {
    struct results_csv table;
    /* The current launch. Texts are valid until the next. */
    const char *kernel, *segment, *grid, *block;
    uint64_t step, launch, stream, cycles, start, gap;
    const char *intra, *check; /* method inside the launch, why it refused; "": none */
    uint64_t simulated;        /* warp instructions, if there is a method */
    bool measured;             /* not a launch that was simulated only to warm caches */
    struct sim_counters counters;
    size_t *places; /* private: columns of the numbers and the counters */
};

/* Returns 0, or -1 with ERR filled; run_rows_finish() either way. */
int run_rows_open(struct run_rows *rows, const char *folder, struct error *err);
/* Returns 1, 0 after the last launch, or -1 with ERR filled. */
int run_rows_next(struct run_rows *rows, struct error *err);
void run_rows_finish(struct run_rows *rows);

#endif
