/* Blocks that a timed launch leaves out, but whose accesses L2 is to know (SIM_BLOCK_WARM).
 * They pass through the tags of L2 untimed, between two windows of the engine, when no
 * partition is at work. L1 and local memory are left out: blocks that run replace within little
 * time what an L1 holds.
 *
 * After "functional warming" of SMARTS, as sim_functional(). */
#ifndef HEARTH_SIM_FUNCTIONAL_WARM_BLOCKS_H
#define HEARTH_SIM_FUNCTIONAL_WARM_BLOCKS_H

#include "sim/core/inst.h"
#include "sim/engine.h"

/* A sector that a block accesses. */
struct warm_sector {
    uint64_t address;
    uint32_t bytes; /* written, as a mask */
    uint16_t sm;
    uint8_t kind;  /* enum packet_kind */
    uint8_t ahead; /* as in struct packet */
};

/* Those that wait. A zeroed one has none. */
struct warm_blocks {
    struct warm_sector *sectors; /* owned */
    size_t count, size;
};

/* Of whom blocks are. */
struct warm_launch {
    const struct engine *engine;
    const struct trace_header *header;
    const struct inst_table *insts; /* of its blocks so far */
};

/* Appends what BLOCK accesses; its warps take turns, a memory instruction each. It counts for
 * the SM NUMBER. Returns 0, or -1 with ERR. */
int warm_blocks_add(struct warm_blocks *warm, const struct warm_launch *launch,
                    struct trace_block *block, uint32_t number, struct error *err);
/* L2 takes what waits. ENGINE's partitions stand still. */
void warm_blocks_settle(struct warm_blocks *warm, struct engine *engine);
void warm_blocks_finish(struct warm_blocks *warm);

#endif
