/* The progress of a run, or of a pass over a workload. Launches may run at the same time:
 * several threads may call these functions at a time. */
#ifndef HEARTH_TOOLS_RUN_PROGRESS_PROGRESS_H
#define HEARTH_TOOLS_RUN_PROGRESS_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/sim.h"

/* The argument of a hook. */
struct progress_now {
    const char *what; /* the pass: "reach", "states", "corrections"; NULL: the simulation */
    size_t done, launches; /* finished; total */
    double share;          /* share of all warps that are finished, 0 to 1 */
    double rate;           /* warp instructions per second so far */
    double left;           /* seconds; negative: unknown */
    bool among;            /* the run is one of several, as in a study; then: */
    double all_left;       /* seconds of this run and those that follow; negative: unknown */
};

/* TAKE is called a few times a second, by one thread at a time; and with NULL at the end if it
 * was called before. TAKE is NULL if there is no hook. */
struct progress_hook {
    void (*take)(void *data, const struct progress_now *now);
    void *data;
};

struct progress {
    const char *what; /* as in struct progress_now */
    struct progress_hook hook;
    pthread_mutex_t mutex; /* guards all members below */
    bool told;             /* the hook has been called */
    size_t launches, done; /* total; finished */
    uint64_t warps;        /* of all launches: for the time left */
    uint64_t warps_done;   /* of finished launches */
    uint64_t insts;        /* warp instructions of finished and running launches */
    double running;        /* warps of running launches, as far as they are finished */
    double start, last;    /* in seconds: the start of the run, the last call */
};

/* A running launch and its contribution to the sums above. */
struct progress_launch {
    struct progress *progress;
    uint64_t warps, insts;
    double done;
};

/* LAUNCHES with WARPS in total are about to run. */
void progress_init(struct progress *progress, struct progress_hook hook, size_t launches,
                   uint64_t warps);
/* The run is over. */
void progress_finish(struct progress *progress);

/* LAUNCHES with WARPS in total need not run: an earlier process ran them. */
void progress_pass(struct progress *progress, size_t launches, uint64_t warps);

/* A launch with WARPS begins. */
void progress_launch(struct progress_launch *launch, struct progress *progress, uint64_t warps);
/* Its progress is NOW. */
void progress_show(struct progress_launch *launch, const struct sim_progress *now);
/* It ended after INSTS warp instructions. */
void progress_launched(struct progress_launch *launch, uint64_t insts);
/* It will not be finished. */
void progress_drop(struct progress_launch *launch);

#endif
