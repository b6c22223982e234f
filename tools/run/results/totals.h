/* Sums over the measured launches of a run. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_TOTALS_H
#define HEARTH_TOOLS_RUN_RESULTS_TOTALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/run/results/rows/rows.h"

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
    /* Private: the measured launches of the last segment, as far as they determine its time. */
    struct totals_span {
        size_t segment;
        uint64_t first, last;
        bool any;
    } span;
};

/* Sums ROWS; rows of a segment must be adjacent. */
void totals_init(struct totals *totals, const struct rows *rows);

/* The same row by row, from zeroed TOTALS on: adds ROW, or ends the sum after the last one. */
void totals_add(struct totals *totals, const struct row *row);
void totals_end(struct totals *totals);

/* The totals as a table, like the columns of a row. */
size_t totals_count(const struct totals *totals);
struct row_column totals_column(const struct totals *totals, size_t index);
struct value totals_value(const struct totals *totals, size_t index);

#endif
