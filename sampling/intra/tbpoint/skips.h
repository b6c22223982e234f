/* What was skipped inside homogeneous regions: runs of blocks, each with the IPC of the unit
 * before it. Private to sampling/intra. */
#ifndef HEARTH_SAMPLING_INTRA_TBPOINT_SKIPS_H
#define HEARTH_SAMPLING_INTRA_TBPOINT_SKIPS_H

#include <stdbool.h>
#include <stdint.h>

/* A zeroed one has none. */
struct skips {
    uint64_t count;       /* runs */
    uint64_t blocks;      /* of the last one */
    double ipc, spread;   /* of the last one: IPC; the model's relative spread of it */
    double cycles;        /* of all */
    double own;           /* of the last one */
    double squares;       /* of the cycles of those before, summed */
    double model;         /* of all: cycles x spread */
    uint64_t differences; /* between runs in a row of one region */
    double variance;      /* half of their squares, relative, summed */
};

/* A run of skipped blocks begins, with IPC; FOLLOWS: in the region of the one before. */
void skips_begin(struct skips *skips, double ipc, double spread, bool follows);
/* A block of INSTS warp instructions is skipped. */
void skips_add(struct skips *skips, double insts);
/* Half of the interval of the cycles with CONFIDENCE. From SKIPS_FEW differences on, it comes
 * from them: each run has an IPC that differs from the true one by an error of its own. With
 * fewer, it is the model's spread. */
double skips_bar(const struct skips *skips, double confidence);

#define SKIPS_FEW 4

#endif
