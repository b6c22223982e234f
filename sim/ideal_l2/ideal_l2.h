/* When each event of a launch would have happened if L2 had held everything that the launch
 * reads: a second clock beside the simulated one.
 *
 * Each event has a cycle on both clocks. On the second clock, an instruction issues when the
 * last of its dependences is ready (the previous instruction, registers, the barrier of its
 * block, or for a block's first instruction the slot of an earlier block), plus the delay that
 * it had in the simulation because units and schedulers were busy. A sector arrives earlier by
 * the cycles that L2 waited for DRAM, for this sector or for requests ahead of it. A wait thus
 * counts only if it is on the longest chain of waits; one that overlaps another saves nothing.
 *
 * Contention is resolved again on the second clock: each issue slot, each slot of L1's port to
 * memory, and each turn at the crossbar and at L2's slices is given to one event only
 * (sim/ideal_l2/calendar.h, sim/ideal_l2/crossing.h). Without waits for DRAM both clocks are
 * the same.
 *
 * After the dependence graphs of "Using Interaction Costs for Microarchitectural Bottleneck
 * Analysis" (Fields, Bodik, Hill, Newburn: MICRO 2003), with the costs that were simulated. */
#ifndef HEARTH_SIM_IDEAL_L2_IDEAL_L2_H
#define HEARTH_SIM_IDEAL_L2_IDEAL_L2_H

#include "sim/core/sm.h"
#include "sim/ideal_l2/calendar.h"
#include "sim/ideal_l2/crossing.h"
#include "sim/ideal_l2/send_times.h"
#include "sim/ideal_l2/two_times.h"

#define IDEAL_L2_REGISTERS 256

/* Of a request that has passed the crossbar. */
struct ideal_l2_way {
    int64_t late;   /* cycles by which it would have waited longer in front of L2 */
    uint64_t least; /* it would not have been at L2 before */
};

struct ideal_l2_warp {
    struct two_times issued;         /* its last instruction; before: its block's arrival */
    uint64_t next;                   /* cycle since when the next one is in its buffer */
    bool drains;                     /* the next one waits for all that is on its way */
    struct two_times passed;         /* its block's last barrier opened */
    struct two_times result, stored; /* the latest result, acknowledgement of a store */
    struct ideal_l2_way way;         /* of its latest store */
    struct two_times ready[IDEAL_L2_REGISTERS];
};

/* An instruction in flight. */
struct ideal_l2_op {
    struct two_times issued;
    struct two_times came;   /* the last sector so far; real 0: none */
    struct ideal_l2_way way; /* of its requests past L1: the most so far of each */
};

/* A sector that L1 waits for. */
struct ideal_l2_sector {
    uint64_t would; /* when it would have come; 0: as it did */
    struct ideal_l2_way way;
};

struct ideal_l2_block {
    uint64_t barrier;      /* would have been reached by all warps so far */
    uint64_t end;          /* the last warp so far would have retired */
    struct two_times left; /* its place was free before; real 0: from the beginning */
};

struct ideal_l2 {
    struct ideal_l2_op *ops; /* by the SM's number; owned */
    uint32_t op_count;
    struct ideal_l2_sector *sectors; /* of each MSHR of L1; owned */
    struct send_times sends;         /* of packets in front of L2's crossbar */
    uint64_t end;                    /* of the launch: the last block so far would have ended */
    struct calendar issue[SM_MAX_SCHEDULERS], port;
    struct ideal_l2_block blocks[SM_MAX_BLOCKS];
    struct ideal_l2_warp warps[SM_MAX_WARPS];
};

/* NULL when memory is short. */
struct ideal_l2 *ideal_l2_create(const struct sm_spec *spec);
/* Accepts NULL. */
void ideal_l2_destroy(struct ideal_l2 *ideal_l2);
/* Between launches: what is on its way. */
void ideal_l2_serialize(struct ideal_l2 *ideal_l2, struct serializer *image);

/* Kept out of the code that runs without it. */
#define IDEAL_L2_APART __attribute__((noinline, cold))

/* ---- what the SM tells, in cycle sm->now ---- */

/* It begins a launch, alone, at cycle START. */
IDEAL_L2_APART void ideal_l2_begin(struct sm *sm, uint64_t start);
/* It has taken a block at the end of cycle NOW; warps have not begun. */
IDEAL_L2_APART void ideal_l2_take_block(struct sm *sm, uint32_t slot, uint64_t now);
IDEAL_L2_APART void ideal_l2_end_block(struct sm *sm, uint32_t slot);
IDEAL_L2_APART void ideal_l2_retire(struct sm *sm, uint32_t warp);
/* A new instruction is the next one of the warp's buffer; the one before has taken effect. */
IDEAL_L2_APART void ideal_l2_next(struct sm *sm, uint32_t warp);
IDEAL_L2_APART void ideal_l2_issue(struct sm *sm, uint16_t op);
/* The warp counts for its block's barrier. */
IDEAL_L2_APART void ideal_l2_arrive(struct sm *sm, uint32_t warp);
/* The warps at BLOCK's barrier go on. */
IDEAL_L2_APART void ideal_l2_open(struct sm *sm, const struct sm_block *block);
/* It has just sent a request. */
IDEAL_L2_APART void ideal_l2_send(struct sm *sm);
/* PACKET, which has come to INPUT of the crossbar, passes it: the oldest of those that the SM
 * has sent and that have not. While the SM stands still. */
IDEAL_L2_APART void ideal_l2_cross(struct sm *sm, struct crossing *crossing, uint32_t input,
                                   const struct packet *packet);
/* PACKET is about to fill L1. */
IDEAL_L2_APART void ideal_l2_fill(struct sm *sm, const struct packet *packet);
/* A sector of OP has come: by L1's entry MSHR, */
IDEAL_L2_APART void ideal_l2_sector(struct sm *sm, uint16_t op, uint32_t mshr);
/* in PACKET, past L1, */
IDEAL_L2_APART void ideal_l2_reply(struct sm *sm, const struct packet *packet);
/* or from L1. */
IDEAL_L2_APART void ideal_l2_hit(struct sm *sm, uint16_t op);
/* OP has its result. */
IDEAL_L2_APART void ideal_l2_result(struct sm *sm, uint16_t op);
/* PACKET acknowledges a store. */
IDEAL_L2_APART void ideal_l2_stored(struct sm *sm, const struct packet *packet);

#endif
