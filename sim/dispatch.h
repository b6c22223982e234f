/* The block scheduler of one launch: hands its blocks to SMs in file order,
 * at most one a cluster and cycle, clusters in turn; and the threads that run
 * the SMs meanwhile.
 *
 * An SM with a free place stops at the end of each cycle and posts it. The
 * earliest post is served once every other SM has come past its cycle: the
 * result does not depend on how many threads there are. */
#ifndef HEARTH_SIM_DISPATCH_H
#define HEARTH_SIM_DISPATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/engine.h"
#include "sim/feed.h"
#include "sim/sim.h"
#include "traces/traces.h"

enum dispatch_state {
    DISPATCH_READY,  /* to be run */
    DISPATCH_RUNS,   /* on some thread */
    DISPATCH_POSTED, /* stands at the end of a cycle with a free place */
    DISPATCH_DONE,   /* has come to the end of the step */
    DISPATCH_STATES
};

struct dispatch {
    struct engine *engine;
    struct feed feed;
    uint64_t blocks, given;          /* of the grid; handed out */
    uint64_t skipped;                /* of them, left out by a hook */
    uint64_t last_given;             /* cycle of the last one */
    const struct sim_hooks *hooks;   /* may be NULL */
    uint64_t start;                  /* of the launch: hooks count cycles from it */
    uint8_t *states;                 /* of each SM: enum dispatch_state */
    uint32_t count[DISPATCH_STATES]; /* SMs in each state */
    uint32_t next;                   /* SM to look at first for a ready one */
    uint64_t *posts;                 /* of each SM that posted: the cycle */
    uint32_t *last_core;             /* of each cluster: SM that got its last block */
    uint32_t *last_cluster; /* cluster that got the last block; kept between launches */
    uint64_t end;           /* of the step */
    uint64_t given_before;  /* blocks handed out before the step */
    uint32_t ahead;         /* blocks that should have been read ahead */
    pthread_mutex_t mutex;  /* guards all above while threads run */
    struct error *errors;   /* of each SM's reading; one more for the block scheduler */
    bool failed;
};

/* Returns false when memory is short. LAST_CLUSTER is kept by the caller. */
bool dispatch_init(struct dispatch *dispatch, struct engine *engine,
                   struct trace_kernel *kernel, uint32_t *last_cluster);
void dispatch_finish(struct dispatch *dispatch);

/* All SMs may take blocks from the end of cycle FIRST on. */
void dispatch_begin(struct dispatch *dispatch, uint64_t first);

/* Runs all SMs up to cycle END, with blocks handed out on the way. Returns 0,
 * or -1 with ERR filled. */
int dispatch_run(struct dispatch *dispatch, uint64_t end, struct error *err);

#endif
