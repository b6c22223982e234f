/* What a run measured, launch by launch, and what its warm-up cost. */
#ifndef HEARTH_TOOLS_STUDY_RUN_MEASURES_H
#define HEARTH_TOOLS_STUDY_RUN_MEASURES_H

#include <stddef.h>

#include "tools/study/csv_table.h"

/* Columns of a frame of kernels.csv. */
enum series_column {
    RUN_MEASURES_LAUNCH,
    RUN_MEASURES_KERNEL,
    RUN_MEASURES_GRID,
    RUN_MEASURES_ROLE,
    RUN_MEASURES_CYCLES,
    RUN_MEASURES_WARP_INSTS,
    RUN_MEASURES_THREAD_INSTS,
    RUN_MEASURES_L1_ACCESSES,
    RUN_MEASURES_L2_READS,
    RUN_MEASURES_L2_READ_HITS,
    RUN_MEASURES_L2_WRITES,
    RUN_MEASURES_DRAM_READS,
    RUN_MEASURES_DRAM_WRITES,
    RUN_MEASURES_DIRTY, /* dirty L2 lines that were evicted */
    RUN_MEASURES_CORRECTED,
    RUN_MEASURES_RESTORED, /* sectors of states of L2 that were restored */
    RUN_MEASURES_COLUMNS
};

struct run_measures {
    struct csv_table frame;
    size_t count;        /* measured launches, in order */
    size_t *rows;        /* of each, its row in the frame */
    double *cycles;      /* of each; corrected ones where the run's policy has them */
    double *insts;       /* thread instructions of each */
    double warm_sectors; /* L1 and L2 accesses of warm-up launches, and sectors restored */
    double warm_seconds, measure_seconds; /* NaN if unknown */
};

/* Reads the results in FOLDER. */
int run_measures_read(struct run_measures *series, const char *folder, struct error *err);
/* Accepts a zeroed one. */
void run_measures_finish(struct run_measures *series);

/* Of measured launch INDEX. */
double run_measures_number(const struct run_measures *series, size_t index,
                           enum series_column column);
const char *run_measures_text(const struct run_measures *series, size_t index,
                              enum series_column column);
/* Thread instructions a cycle. */
double run_measures_ipc(const struct run_measures *series, size_t index);

/* Sum over the measured launches. */
double run_measures_sum(const struct run_measures *series, enum series_column column);

#endif
