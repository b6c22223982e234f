/* A functional launch in progress, as the files that execute sim_functional() share it. Blocks
 * go to SMs (functional_blocks.c), their warps take turns (functional_warp.c), and each memory
 * instruction becomes accesses of cache lines (functional_access.c). */
#ifndef HEARTH_SIM_FUNCTIONAL_FUNCTIONAL_H
#define HEARTH_SIM_FUNCTIONAL_FUNCTIONAL_H

#include "sim/block_reader.h"
#include "sim/functional/access_queue.h"
#include "sim/functional/warp_order.h"
#include "sim/order/block_order.h"
#include "sim/simulator.h"

/* A block on an SM. */
struct functional_block {
    struct trace_block *block; /* NULL: the place is free */
    uint32_t left;             /* warps that have not ended */
    uint32_t waiting;          /* a bit for each of them that waits at a barrier */
    uint64_t reached;          /* the cycle in which the last of those came to it */
};

/* The loads of a warp that it has not waited for, and its stores. */
struct functional_loads {
    uint64_t pending[4]; /* a bit for each register that loads write */
    uint64_t arrival; /* the cycle in which the last of them has its data; 0: there are none */
    uint64_t stored;  /* the cycle in which the last store is acknowledged; 0: there is none */
};

/* What the accesses up to some time have found. */
struct functional_found {
    uint64_t past_l1; /* sectors that went to L2 */
    uint64_t read;    /* sectors that come from DRAM */
};

/* What an SM holds of the launch. */
struct functional_sm {
    uint32_t number;
    uint32_t blocks;     /* places taken */
    uint32_t given;      /* blocks that it has had */
    bool called;         /* its place is called for another one */
    uint64_t next_block; /* the cycle from which it gets one */
    uint32_t waits;      /* cycles of them in which it waits for its turn of a sweep */
    uint32_t sub_cores;  /* that have had warps, as a mask */
    struct functional_block places[SM_MAX_BLOCKS];
    struct trace_warp *warps[SM_MAX_WARPS]; /* by hardware number */
    struct functional_loads loads[SM_MAX_WARPS];
};

struct functional {
    struct sim *sim;
    struct error *err; /* the caller's: filled by whatever fails */
    const struct trace_header *header;
    struct occupancy occupancy;
    struct local_layout local;
    struct block_reader *reader;
    struct block_order block_order;
    uint32_t last_turn; /* of block_order */
    struct functional_sm *sms;
    const struct sim_hooks *hooks; /* the caller's; may be NULL */
    uint64_t blocks, given, ended; /* a block that is left out counts as given and ended */
    uint64_t left_out;
    bool ended_early; /* the last blocks were not read */
    uint32_t free;    /* places for blocks, of all SMs */
    bool offers;      /* an SM may get a block now */
    struct warp_order warp_order;
    struct access_queue queue;
    struct access_list list;      /* room for one instruction's accesses */
    struct sim_counters counters; /* except those of `queue` */
    struct code_place code;
    uint32_t last_pc; /* the last instruction in the code that a warp has executed */
    struct functional_found found;      /* what `warp_order` knows of */
    const struct trace_warp *coming[2]; /* that are being prefetched */
};

/* Warp NUMBER of SM, counted over all SMs. */
static inline uint32_t functional_warp_id(const struct functional_sm *sm, uint32_t number)
{
    return sm->number * SM_MAX_WARPS + number;
}

/* ---- functional_blocks.c ---- */

/* Warp NUMBER of SM comes to a barrier of its block in CYCLE. It goes on when all others that
 * have not ended have come to one. */
void functional_reach_barrier(struct functional *launch, struct functional_sm *sm,
                              uint32_t number, uint64_t cycle);

/* Gives blocks to SMs while there are blocks, and free places whose time has come. Returns 0,
 * or -1 on error. */
int functional_give_blocks(struct functional *launch);

/* The time of SM number NUMBER has come, whose place was called. */
void functional_offer_place(struct functional *launch, uint32_t number);

/* Warp NUMBER of SM has ended; with a block's last warp, its place becomes free. */
void functional_end_warp(struct functional *launch, struct functional_sm *sm, uint32_t number);

void functional_release_blocks(struct functional *launch);

/* ---- functional_warp.c ---- */

/* The next warp has its turn, or a place for a block. Returns 0, or -1 on error. */
int functional_turn(struct functional *launch);

/* ---- functional_access.c ---- */

/* RECORD, a memory instruction INST of warp NUMBER, goes to the access queue unless it touches
 * no cache. Returns the number of its sectors. */
uint32_t functional_access(struct functional *launch, const struct functional_sm *sm,
                           uint32_t number, const struct inst *inst,
                           const struct trace_record *record);

#endif
