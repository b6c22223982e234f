/* When the warps of a launch would have got on had L2 held all that they read: a second clock
 * beside the simulated one.
 *
 * Each event has a cycle in which it came and one in which it would have come. An instruction
 * would have been issued when the last of what it waits for would have been there: the one in
 * front of it, registers, its block's barrier or, of a block's first, the place that another
 * block left; and as much later as it was in fact, where units and schedulers were busy. A
 * sector would have come earlier by what L2 waited for DRAM, for it or for a request in front
 * of it. So waits count as far as they lie on the longest chain of them: one that is hidden
 * behind another saves nothing.
 *
 * What comes earlier finds others there: issue slots and the port that takes sectors from L1
 * are given once, in a calendar of the second clock, and so are turns at the crossbar and at
 * L2's slices (sim/ideal_l2/crossing.h). Without waits for DRAM both clocks are the same.
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

#define WHATIF_REGISTERS 256

/* Of a request that has passed the crossbar. */
struct whatif_way {
    int64_t late;   /* cycles by which it would have waited longer in front of L2 */
    uint64_t least; /* it would not have been at L2 before */
};

struct whatif_warp {
    struct whatif_time issued;         /* its last instruction; before: its block's arrival */
    uint64_t next;                     /* cycle since when the next one is in its buffer */
    bool drains;                       /* the next one waits for all that is on its way */
    struct whatif_time passed;         /* its block's last barrier opened */
    struct whatif_time result, stored; /* the latest result, acknowledgement of a store */
    struct whatif_way way;             /* of its latest store */
    struct whatif_time ready[WHATIF_REGISTERS];
};

/* An instruction in flight. */
struct whatif_op {
    struct whatif_time issued;
    struct whatif_time came; /* the last sector so far; real 0: none */
    struct whatif_way way;   /* of its requests past L1: the most so far of each */
};

/* A sector that L1 waits for. */
struct whatif_sector {
    uint64_t would; /* when it would have come; 0: as it did */
    struct whatif_way way;
};

struct whatif_block {
    uint64_t barrier;        /* would have been reached by all warps so far */
    uint64_t end;            /* the last warp so far would have retired */
    struct whatif_time left; /* its place was free before; real 0: from the beginning */
};

struct whatif {
    struct whatif_op *ops; /* by the SM's number; owned */
    uint32_t op_count;
    struct whatif_sector *sectors; /* of each MSHR of L1; owned */
    struct sends sends;            /* of packets in front of L2's crossbar */
    uint64_t end;                  /* of the launch: the last block so far would have ended */
    struct calendar issue[SM_MAX_SCHEDULERS], port;
    struct whatif_block blocks[SM_MAX_BLOCKS];
    struct whatif_warp warps[SM_MAX_WARPS];
};

/* NULL when memory is short. */
struct whatif *whatif_create(const struct sm_spec *spec);
/* Accepts NULL. */
void whatif_destroy(struct whatif *whatif);
/* Between launches: what is on its way. */
void whatif_image(struct whatif *whatif, struct image *image);

/* Kept out of the code that runs without it. */
#define WHATIF_APART __attribute__((noinline, cold))

/* ---- what the SM tells, in cycle sm->now ---- */

/* It begins a launch, alone, at cycle START. */
WHATIF_APART void whatif_begin(struct sm *sm, uint64_t start);
/* It has taken a block at the end of cycle NOW; warps have not begun. */
WHATIF_APART void whatif_take_block(struct sm *sm, uint32_t slot, uint64_t now);
WHATIF_APART void whatif_end_block(struct sm *sm, uint32_t slot);
WHATIF_APART void whatif_retire(struct sm *sm, uint32_t warp);
/* A new instruction is the next one of the warp's buffer; the one before has taken effect. */
WHATIF_APART void whatif_next(struct sm *sm, uint32_t warp);
WHATIF_APART void whatif_issue(struct sm *sm, uint16_t op);
/* The warp counts for its block's barrier. */
WHATIF_APART void whatif_arrive(struct sm *sm, uint32_t warp);
/* The warps at BLOCK's barrier go on. */
WHATIF_APART void whatif_open(struct sm *sm, const struct sm_block *block);
/* It has just sent a request. */
WHATIF_APART void whatif_send(struct sm *sm);
/* PACKET, which has come to INPUT of the crossbar, passes it: the oldest of those that the SM
 * has sent and that have not. While the SM stands still. */
WHATIF_APART void whatif_cross(struct sm *sm, struct crossing *crossing, uint32_t input,
                               const struct packet *packet);
/* PACKET is about to fill L1. */
WHATIF_APART void whatif_fill(struct sm *sm, const struct packet *packet);
/* A sector of OP has come: by L1's entry MSHR, */
WHATIF_APART void whatif_sector(struct sm *sm, uint16_t op, uint32_t mshr);
/* in PACKET, past L1, */
WHATIF_APART void whatif_reply(struct sm *sm, const struct packet *packet);
/* or from L1. */
WHATIF_APART void whatif_hit(struct sm *sm, uint16_t op);
/* OP has its result. */
WHATIF_APART void whatif_result(struct sm *sm, uint16_t op);
/* PACKET acknowledges a store. */
WHATIF_APART void whatif_stored(struct sm *sm, const struct packet *packet);

#endif
