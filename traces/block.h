/* Thread blocks: how they are built up from records, held and given back. */
#ifndef HEARTH_TRACES_BLOCK_H
#define HEARTH_TRACES_BLOCK_H

#include <pthread.h>

#include "traces/chunk.h"
#include "traces/text/line.h"
#include "traces/traces.h"

#define BLOCK_MAX_WARPS 32

/* A block's memory is one piece: this, the warps, the addresses of all warps,
 * their records. */
struct block {
    struct trace_block public; /* first: a trace_block is cast to its block */
    size_t capacity;           /* bytes of the piece */
    struct block *next;        /* among those that wait for use again */
    uint64_t spill_from, spill_to;
};

/* The memory for the blocks of a kernel. Blocks may be given back by other
 * threads than the one that reads. */
struct block_pool {
    pthread_mutex_t lock;
    size_t budget; /* bytes */
    size_t live;   /* held by blocks in use */
    size_t idle;   /* held by `free` */
    struct block *free;
};

void block_pool_init(struct block_pool *pool, size_t budget);
void block_pool_finish(struct block_pool *pool);
/* Bytes that blocks may still take. */
size_t block_pool_left(struct block_pool *pool);
/* Memory for a block of SIZE bytes, that of a released one if it suits. */
struct block *block_pool_get(struct block_pool *pool, size_t size);
void block_pool_put(struct block_pool *pool, struct block *block);

#endif
