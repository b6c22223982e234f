/* Launches of different streams that run at once (sim_run_overlapped()): what the files that
 * carry that out share. */
#ifndef HEARTH_SIM_CONCURRENT_H
#define HEARTH_SIM_CONCURRENT_H

#include "sim/simulator.h"

enum member_state {
    CONCURRENT_WAITS,   /* for its stream's predecessor, or a slot */
    CONCURRENT_STARTED, /* its latency passes */
    CONCURRENT_RUNS,    /* blocks are handed out or run */
};

/* A launch of the window. */
struct concurrent_launch {
    struct concurrent_launch *next; /* in order of the plan */
    struct dispatch_launch blocks;
    struct trace_kernel *kernel;
    struct occupancy occupancy;
    enum member_state state;
    bool follows; /* it may begin before the one before it in its stream has ended */
    uint64_t ends_from, leaves_from; /* the one before it has ended, and what it has sent has
                                      * arrived; 0: there is none, or it has not */
    uint64_t first; /* STARTED: SMs may take blocks from the end of this cycle on */
};

struct concurrent {
    struct sim *sim;
    const struct sim_overlap *calls;
    struct dispatch dispatch;
    struct concurrent_launch *members, **tail; /* the window: launches that have not ended */
    uint32_t count, slots;                     /* of them; most of them */
    bool more;                                 /* there may be launches after the window */
    uint64_t now;                 /* SMs stand at the beginning of this cycle; 0: nothing ran */
    uint64_t start, insts_before; /* of the group */
    uint64_t windows;             /* run so far */
    uint64_t blocks, blocks_ended; /* of launches begun; of those ended */
    uint64_t last_given;
    uint64_t settled; /* from here on, what follows the last launch may start */
    struct deadlock patience;
    struct sim_counters extra;  /* since the last launch; the launch that ends first has them */
    struct sim_counters rest;   /* attributable to no launch: reported so far */
    struct sim_counters *bases; /* of each slot: reported so far */
    uint64_t empty_since;       /* if no SM holds a block: since this cycle */
    struct sim_cpi *stacks;     /* of each slot, per scheduler: reported so far */
    struct sim_cpi empty;       /* of each scheduler, without a block: reported so far */
};

/* Whether all blocks of a launch have ended; *LAST is then the cycle in which the last did. */
bool concurrent_has_ended(const struct concurrent *group,
                          const struct concurrent_launch *member, uint64_t *last);

/* What the simulator has counted before belongs to no launch, or to the first that ends.
 * Returns false when memory is short. */
bool concurrent_begin_counts(struct concurrent *group);
/* Accepts what concurrent_begin_counts() made in part. */
void concurrent_finish_counts(struct concurrent *group);
/* Fills RESULT for a launch that ended at cycle END. The simulator's stacks are then those of
 * this launch. */
void concurrent_count(struct concurrent *group, const struct concurrent_launch *member,
                      uint64_t end, struct sim_result *result);
/* All have ended: the simulator's own sums go on from here. */
void concurrent_end_counts(struct concurrent *group);

/* CPI stacks: from cycle START on SMs hold blocks, or may be given some at the end of cycle
 * FIRST. */
void concurrent_begin_idle(struct concurrent *group, uint64_t start, uint64_t first);
/* The same with SMs standing at group.now, and blocks of another launch to be had now. */
void concurrent_next_idle(struct concurrent *group);
/* SMs stand at group.now, and at least one launch has ended: charges the cycles without a block
 * up to there, which the next report includes. Continues if another launch is still running. */
void concurrent_end_idle(struct concurrent *group);

#endif
