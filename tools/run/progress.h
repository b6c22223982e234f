/* The line on a terminal that says how far a run is. Launches may run side by
 * side: functions may be called by several threads at a time. */
#ifndef HEARTH_TOOLS_RUN_PROGRESS_H
#define HEARTH_TOOLS_RUN_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/sim.h"

struct progress {
    const char *what;      /* is going on, NULL: a run */
    bool shown;            /* stderr is a terminal and nobody asked for quiet */
    pthread_mutex_t mutex; /* guards all below */
    bool dirty;            /* the line holds text that must be cleared */
    size_t launches, done; /* in all; finished */
    uint64_t warps;        /* of all launches: what time left is reckoned from */
    uint64_t warps_done;   /* of finished launches */
    uint64_t insts;        /* warp instructions of finished and running launches */
    double running;        /* warps of running launches, as far as these are done */
    double start, last;    /* seconds; of the run, of the last line */
};

/* One launch that runs, and its share of the sums above. */
struct progress_launch {
    struct progress *progress;
    uint64_t warps, insts;
    double done;
};

/* LAUNCHES of WARPS in all are going to run. */
void progress_init(struct progress *progress, bool quiet, size_t launches, uint64_t warps);
/* Takes the line away, so that a message can stand there. */
void progress_finish(struct progress *progress);

/* LAUNCHES of WARPS in all need not run: an earlier process did. */
void progress_pass(struct progress *progress, size_t launches, uint64_t warps);

/* A launch of WARPS begins. */
void progress_launch(struct progress_launch *launch, struct progress *progress, uint64_t warps);
/* Shows how far it is, a few times a second. */
void progress_show(struct progress_launch *launch, const struct sim_progress *now);
/* It ended after INSTS warp instructions. */
void progress_launched(struct progress_launch *launch, uint64_t insts);
/* It will not be finished. */
void progress_drop(struct progress_launch *launch);

#endif
