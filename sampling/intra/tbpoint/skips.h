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
    struct {
        uint64_t differences; /* between units in a row of a window */
        double squares;       /* half of their squares, relative, summed */
        double weight;        /* of runs before the last: cycles squared over units */
        double units;         /* of the last one's window */
    } within;
};

/* A run of skipped blocks begins, with IPC; FOLLOWS: in the region of the one before, which
 * then lies between two windows, if it began with one. */
void skips_begin(struct skips *skips, double ipc, double spread, bool follows);
/* The run that has begun takes its IPC from a window of UNITS; half of the squared differences
 * between the units, relative, are SQUARES. */
void skips_window(struct skips *skips, uint64_t units, double squares);
/* A block of INSTS warp instructions is skipped. */
void skips_add(struct skips *skips, double insts);
/* Half of the interval of the cycles with CONFIDENCE. From SKIPS_FEW differences on, it comes
 * from them: each run has an IPC that differs from the true one by an error of its own. With
 * fewer, it comes from the units of windows, if these have so many differences, as if units
 * were independent of each other. Else it is the model's spread. */
double skips_bar(const struct skips *skips, double confidence);

#define SKIPS_FEW 4

#endif
