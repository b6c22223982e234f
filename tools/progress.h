/* The line on a terminal that says how far a run is. */
#ifndef HEARTH_TOOLS_PROGRESS_H
#define HEARTH_TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/sim.h"

struct progress {
    bool shown;          /* stderr is a terminal and nobody asked for quiet */
    bool dirty;          /* the line holds text that must be cleared */
    size_t launches, at; /* in all; the one that runs, from 1 */
    uint64_t warps;      /* of all launches: what time left is reckoned from */
    uint64_t warps_done; /* of finished launches */
    uint64_t warps_now;  /* of the running one */
    uint64_t insts_done; /* warp instructions of finished launches */
    double start, last;  /* seconds; of the run, of the last line */
};

/* LAUNCHES of WARPS in all are going to run. */
void progress_init(struct progress *progress, bool quiet, size_t launches, uint64_t warps);
/* The next launch begins. */
void progress_launch(struct progress *progress, uint64_t warps);
/* Shows how far it is, a few times a second. */
void progress_show(struct progress *progress, const struct sim_progress *now);
/* It ended after INSTS warp instructions. */
void progress_launched(struct progress *progress, uint64_t insts);
/* Takes the line away, so that a message can stand there. */
void progress_clear(struct progress *progress);

#endif
