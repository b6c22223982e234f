/* What hearth trace footprint prints about all launches together. */
#ifndef HEARTH_TOOLS_COMMANDS_TRACE_FOOTPRINT_SUM_H
#define HEARTH_TOOLS_COMMANDS_TRACE_FOOTPRINT_SUM_H

#include "tools/study/footprint/footprint.h"

/* Distances 1, 2, 3-4, 5-8 ...: the logarithm of distance - 1, rounded up. */
#define FOOTPRINT_BUCKETS 33

/* Empty when zeroed. */
struct footprint_sum {
    uint64_t launches, records, accesses;
    uint64_t sectors, reused, copied;
    uint64_t by_distance[FOOTPRINT_BUCKETS]; /* sectors with a source at that distance */
    double forward, backward;                /* sums of shares of addresses */
    uint64_t forwards, backwards;            /* number of launches that have one */
};

/* Adds a launch that has just been read. */
void footprint_sum_add(struct footprint_sum *sum, const struct footprint_row *row);
/* Adds its reuse, once the next launch is known. */
void footprint_sum_add_reuse(struct footprint_sum *sum, const struct footprint_row *row);

/* TOTALS include all launches that were read. */
void footprint_sum_print(FILE *out, const struct footprint_sum *sum,
                         const struct trace_reuse_totals *totals);

#endif
