/* Sums over the measured launches of a run. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_TOTALS_H
#define HEARTH_TOOLS_RUN_RESULTS_TOTALS_H

#include <stddef.h>

#include "tools/run/results/row.h"

struct totals {
    uint64_t launches, warm;           /* measured; simulated for warm-up */
    uint64_t warm_insts, warm_sectors; /* warp instructions and cache accesses of warm-up
                                          launches */
    uint64_t restored;                 /* sectors of states that were restored */
    uint64_t cycles, gap_cycles;       /* of measured launches */
    uint64_t elapsed;                  /* last end minus first start, summed over segments */
    uint64_t busy;                     /* cycles in which at least one launch ran: the base
                                          of rates */
    struct sim_counters counters;
    struct sim_peaks peaks;  /* of the configuration */
    bool corrected;          /* the launches' cycles are corrected: */
    double corrected_cycles; /* their sum */
};

/* Sums ROWS; rows of a segment must be adjacent. */
void totals_init(struct totals *totals, const struct row *rows, size_t count);

/* The same for the rows of STREAM only. */
void totals_init_stream(struct totals *totals, const struct row *rows, size_t count,
                        uint64_t stream);

/* The totals as a table, like the columns of a row. */
size_t totals_count(const struct totals *totals);
struct row_column totals_column(const struct totals *totals, size_t index);
struct value totals_value(const struct totals *totals, size_t index);

#endif
