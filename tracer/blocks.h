/* The thread blocks of a launch: records find their warp, and blocks are given
 * out in the order of the grid.
 *
 * A block is finished when all its threads have left by EXIT. If some never do (a
 * trap, code that is not instrumented), it waits for the end of the launch. Finished
 * blocks wait, too, while all blocks take no more than half of the budget: a record
 * that comes late reopens its block. Once that has happened, EXITs cannot be trusted,
 * and no block of any launch is given out before its launch ends. */
#ifndef HEARTH_TRACER_BLOCKS_H
#define HEARTH_TRACER_BLOCKS_H

#include "tracer/pool.h"

struct traced_block {
    uint64_t number;
    struct pool_warp *warps; /* NULL: they are in the file, at `parked` */
    uint64_t parked;
    uint32_t left; /* threads that left */
    bool finished;
};

struct blocks {
    struct chunk_pool *pool;
    uint64_t count;              /* of the grid */
    uint32_t threads;            /* of a block */
    uint32_t warps;              /* of a block */
    uint64_t next;               /* all before it have been given out */
    struct traced_block **slots; /* those that have begun, by number: open addressing */
    size_t slot_count, used;
    struct traced_block *last; /* the one that was found last */
    uint64_t late;             /* how often a record came for a finished block */
};

void blocks_init(struct blocks *blocks, struct chunk_pool *pool, uint64_t count,
                 uint32_t threads);
void blocks_finish(struct blocks *blocks);

/* Lanes of warp WARP: fewer than 32 in a block's last. */
uint32_t blocks_lanes(const struct blocks *blocks, uint32_t warp);

/* What the sender says of a record; WORDS are as its head tells. */
struct block_record {
    uint64_t block, head;
    const uint64_t *words;
    uint32_t warp;
    bool access, leaves; /* in memory-only traces; lanes of the mask leave */
};

/* Adds RECORD, whose block and warp the grid has. Returns 1, 0 if the block was
 * given out before, so that the launch cannot be written, or -1 with ERR filled. */
int blocks_add(struct blocks *blocks, const struct block_record *record, struct error *err);

/* The next block to give out, all of them where the launch ENDED: with its warps,
 * or a block without warps, `warps` NULL, where none of its records came.
 * Returns 1 with *BLOCK set, 0 for none, or -1. */
int blocks_next(struct blocks *blocks, bool ended, struct traced_block *block,
                struct error *err);
/* Forgets the block that was given out. */
void blocks_drop(struct blocks *blocks, struct traced_block *block);

#endif
