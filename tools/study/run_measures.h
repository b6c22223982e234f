/* The measurements of a run, launch by launch, and the cost of its warm-up: what studies keep
 * of results. */
#ifndef HEARTH_TOOLS_STUDY_RUN_MEASURES_H
#define HEARTH_TOOLS_STUDY_RUN_MEASURES_H

#include <stddef.h>

#include "tools/run/run.h"

/* A measured launch. */
struct run_measure {
    uint64_t launch; /* number in the workload */
    char *kernel;
    uint32_t grid[3];
    double cycles;    /* corrected cycles if the run's policy corrects them */
    double simulated; /* cycles */
    double thread_insts, warp_insts;
    double l2_reads, l2_read_hits, dram_reads, dram_writes;
    double dirty;                 /* dirty L2 lines that were evicted */
    const char *intra;            /* method that sampled inside it; NULL: none */
    struct intra_outcome outcome; /* what that did */
    double simulated_insts;       /* warp instructions that were simulated */
};

struct run_measures {
    struct run_measure *launches; /* in the order of the rows */
    size_t count;
    double warm_sectors; /* L1 and L2 accesses of warm-up launches, and sectors restored */
    double warm_seconds, measure_seconds; /* NaN if unknown */
};

/* Without launches: the measurements of a run that is left out. */
extern const struct run_measures run_measures_none;

/* Copies them from RESULTS. Returns 0, or -1 with ERR filled; run_measures_finish() either
 * way. */
int run_measures_init(struct run_measures *measures, const struct results *results,
                      struct error *err);
/* Accepts a zeroed one. */
void run_measures_finish(struct run_measures *measures);

/* The corrected cycles of ROW as results show them, a whole number; 0 if there are none. */
double run_measures_corrected(const struct row *row);

/* Thread instructions per cycle of measured launch INDEX. */
double run_measures_ipc(const struct run_measures *measures, size_t index);

/* The sum over the launches of MEMBER of struct run_measure, which must be a double. */
#define RUN_MEASURES_SUM(measures, member)                                                     \
    run_measures_sum(measures, offsetof(struct run_measure, member))
double run_measures_sum(const struct run_measures *measures, size_t offset);

#endif
