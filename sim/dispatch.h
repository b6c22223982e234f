/* The block scheduler: hands the blocks of launches to SMs in file order, at
 * most one a cluster and cycle, clusters in turn, or those of a cluster of thread
 * blocks to as many SMs of a GPC in the same cycle, GPCs in turn; and the threads that run the
 * SMs meanwhile.
 *
 * An SM with a free place stops at the end of each cycle and posts it. The
 * earliest post is served once every other SM has come past its cycle: the
 * result does not depend on how many threads there are. When no block is left to
 * be handed out, each SM runs to the end of the step without a look at the others. */
#ifndef HEARTH_SIM_DISPATCH_H
#define HEARTH_SIM_DISPATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/block_reader.h"
#include "sim/cluster_feed.h"
#include "sim/engine.h"
#include "sim/functional/warm_blocks.h"
#include "sim/order/block_order.h"
#include "sim/sim.h"
#include "traces/base/threads/work_shares.h"
#include "traces/traces.h"

enum dispatch_state {
    DISPATCH_READY,  /* to be run */
    DISPATCH_RUNS,   /* on some thread */
    DISPATCH_POSTED, /* stands at the end of a cycle with a free place */
    DISPATCH_DONE,   /* has reached the end of the step */
    DISPATCH_STATES
};

/* A launch as the block scheduler sees it. */
struct dispatch_launch {
    struct sm_launch sm;           /* what SMs see of it; filled by the caller */
    struct block_reader *feed;     /* owned */
    struct cluster_feed clusters;  /* count 0: none, or not known */
    uint32_t gpc;                  /* that gets the next of them; in turn */
    struct code_seat *seats;       /* of each SM; owned */
    uint64_t blocks, given;        /* of the grid; handed out */
    uint64_t skipped;              /* of them, left out by a hook */
    bool ended_early;              /* the last of these were not read */
    uint64_t last_given;           /* cycle in which the last one was */
    const struct sim_hooks *hooks; /* may be NULL */
    uint64_t start;                /* of the launch: hooks count cycles from it */
    uint64_t given_before;         /* blocks handed out before the step */
    uint32_t ahead;                /* blocks that should have been read ahead */
    struct warm_blocks warm;       /* left out, for L2 to know after the window */
};

/* Whether blocks of LAUNCH are given cluster after cluster: not where a hook chooses among
 * them. */
static inline bool dispatch_gives_clusters(const struct dispatch_launch *launch)
{
    return launch->clusters.count != 0 &&
           (launch->hooks == NULL || launch->hooks->block_begins == NULL);
}

struct dispatch {
    struct engine *engine;
    struct dispatch_launch **launches; /* that run, by slot; NULL: free */
    uint32_t slots;
    struct block_reader *next;       /* of the launch after these; NULL: not known. Not owned */
    uint32_t last;                   /* slot of the launch that comes first */
    struct dispatch_launch *current; /* whose blocks are handed out; NULL: none are left */
    bool shared;                     /* SMs hold blocks of several launches at once */
    struct sm_needs least;           /* shared: of the launches that have blocks left */
    uint8_t *states;                 /* of each SM: enum dispatch_state */
    uint32_t count[DISPATCH_STATES]; /* SMs in each state */
    uint64_t *posts;                 /* of each SM that posted: the cycle */
    struct block_order order;        /* its last_turn is kept between launches */
    uint64_t serving;                /* cycle whose posts are served */
    uint16_t *gpcs;                  /* of each SM */
    uint8_t *taken;                  /* SMs that have got a block of a cluster in it */
    uint64_t end;                    /* of the step */
    bool apart;                      /* no block is handed out in the step */
    struct work_shares sms;          /* apart: those that have not run */
    uint64_t changes;                /* of states, ever */
    uint32_t sleeping;               /* threads that wait for one */
    pthread_cond_t wake;             /* a state has changed */
    pthread_mutex_t mutex;           /* guards all above while threads run, but those apart */
    struct error error;              /* of the block scheduler; SMs have those of sm_report */
    bool failed;
};

/* Returns false when memory is short. SHARED with room for SLOTS launches at once, else 1 for
 * one. LAST_TURN is kept by the caller. */
bool dispatch_init(struct dispatch *dispatch, struct engine *engine, uint32_t slots,
                   bool shared, uint32_t *last_turn, const uint16_t *visit);
void dispatch_finish(struct dispatch *dispatch);

/* A launch of KERNEL for SLOT. FEED, which may have read some of its blocks, becomes its own;
 * NULL: a new one. Returns false when memory is short. */
bool dispatch_launch_init(struct dispatch_launch *launch, const struct engine *engine,
                          struct trace_kernel *kernel, struct block_reader *feed,
                          uint32_t slot);
/* None of its blocks is in an SM any more. */
void dispatch_launch_finish(struct dispatch_launch *launch);

/* Blocks of LAUNCH that have ended; raises *LAST_END to the cycle in which the last of them
 * did. Between steps. */
uint64_t dispatch_ended(const struct dispatch *dispatch, const struct dispatch_launch *launch,
                        uint64_t *last_end);

/* The same of blocks that have let the next launch begin (sm_let_go()). */
uint64_t dispatch_let_go(const struct dispatch *dispatch, const struct dispatch_launch *launch,
                         uint64_t *last);

/* Between steps: LAUNCH has begun to hand out blocks, or has ended. The first of its clusters
 * comes to the GPC of the SM that has the next turn. Blocks of the launch that
 * began to be handed out last go first until none is left, then those of the next slot
 * (gpgpu_sim::select_kernel() of GPGPU-Sim). */
void dispatch_add(struct dispatch *dispatch, struct dispatch_launch *launch);
void dispatch_remove(struct dispatch *dispatch, const struct dispatch_launch *launch);

/* Between steps: SMs stand at the end of cycle FIRST, and may take blocks there. */
void dispatch_begin(struct dispatch *dispatch, uint64_t first);

/* Runs all SMs up to cycle END, with blocks handed out on the way. Returns 0,
 * or -1 with ERR filled. */
int dispatch_run(struct dispatch *dispatch, uint64_t end, struct error *err);

#endif
