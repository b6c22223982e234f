/* How far a run, or a pass over a workload, is. Launches may run at the same time: functions
 * may be called by several threads at a time. */
#ifndef HEARTH_TOOLS_RUN_PROGRESS_H
#define HEARTH_TOOLS_RUN_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/sim.h"

/* What a hook is told. */
struct progress_now {
    const char *what; /* the pass: "reach", "states", "corrections"; NULL: the simulation */
    size_t done, launches; /* finished; in all */
    double share;          /* of all warps that are done, 0 to 1 */
    double rate;           /* warp instructions per second so far */
    double left;           /* seconds; negative: not known yet */
};

/* Is told how far it is, a few times a second, by one thread at a time; at the end with NULL,
 * if it was told anything. TAKE is NULL if nobody wants to know. */
struct progress_hook {
    void (*take)(void *data, const struct progress_now *now);
    void *data;
};

struct progress {
    const char *what; /* as in struct progress_now */
    struct progress_hook hook;
    pthread_mutex_t mutex; /* guards all below */
    bool told;             /* the hook knows something */
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
void progress_init(struct progress *progress, struct progress_hook hook, size_t launches,
                   uint64_t warps);
/* It is over. */
void progress_finish(struct progress *progress);

/* LAUNCHES of WARPS in all need not run: an earlier process did. */
void progress_pass(struct progress *progress, size_t launches, uint64_t warps);

/* A launch of WARPS begins. */
void progress_launch(struct progress_launch *launch, struct progress *progress, uint64_t warps);
/* It is as far as NOW says. */
void progress_show(struct progress_launch *launch, const struct sim_progress *now);
/* It ended after INSTS warp instructions. */
void progress_launched(struct progress_launch *launch, uint64_t insts);
/* It will not be finished. */
void progress_drop(struct progress_launch *launch);

#endif
