/* What a run measured, launch by launch, and what its warm-up cost. */
#ifndef HEARTH_TOOLS_STUDY_RUN_MEASURES_H
#define HEARTH_TOOLS_STUDY_RUN_MEASURES_H

#include <stddef.h>

#include "tools/study/csv_table.h"

/* Columns of a frame of kernels.csv. */
enum series_column {
    SERIES_LAUNCH,
    SERIES_KERNEL,
    SERIES_GRID,
    SERIES_ROLE,
    SERIES_CYCLES,
    SERIES_WARP_INSTS,
    SERIES_THREAD_INSTS,
    SERIES_L1_ACCESSES,
    SERIES_L2_READS,
    SERIES_L2_READ_HITS,
    SERIES_L2_WRITES,
    SERIES_DRAM_READS,
    SERIES_DRAM_WRITES,
    SERIES_DIRTY, /* dirty L2 lines that were evicted */
    SERIES_CORRECTED,
    SERIES_RESTORED, /* sectors of states of L2 that were restored */
    SERIES_COLUMNS
};

struct series {
    struct frame frame;
    size_t count;        /* measured launches, in order */
    size_t *rows;        /* of each, its row in the frame */
    double *cycles;      /* of each; corrected ones where the run's policy has them */
    double *insts;       /* thread instructions of each */
    double warm_sectors; /* L1 and L2 accesses of warm-up launches, and sectors restored */
    double warm_seconds, measure_seconds; /* NaN if unknown */
};

/* Reads the results in FOLDER. */
int series_read(struct series *series, const char *folder, struct error *err);
/* Accepts a zeroed one. */
void series_finish(struct series *series);

/* Of measured launch INDEX. */
double series_number(const struct series *series, size_t index, enum series_column column);
const char *series_text(const struct series *series, size_t index, enum series_column column);
/* Thread instructions a cycle. */
double series_ipc(const struct series *series, size_t index);

/* Sum over the measured launches. */
double series_sum(const struct series *series, enum series_column column);

#endif
