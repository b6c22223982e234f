#include "traces/block.h"

#include <stdlib.h>

#include "traces/kernel.h"

void block_pool_finish(struct block_pool *pool)
{
    for (struct block *block = pool->free, *next; block != NULL; block = next) {
        next = block->next;
        free(block);
    }
    pool->free = NULL;
    pool->idle = 0;
}

struct block *block_pool_get(struct block_pool *pool, size_t size)
{
    for (struct block **at = &pool->free; *at != NULL; at = &(*at)->next) {
        struct block *block = *at;
        if (block->capacity < size || block->capacity > 2 * size)
            continue;
        *at = block->next;
        pool->idle -= block->capacity;
        pool->live += block->capacity;
        return block;
    }
    /* Nothing suits: those that wait have another size than is needed now. */
    if (pool->live + pool->idle + size > pool->budget)
        block_pool_finish(pool);
    struct block *block = malloc(size);
    if (block == NULL)
        return NULL;
    block->capacity = size;
    pool->live += size;
    return block;
}

void block_pool_put(struct block_pool *pool, struct block *block)
{
    const size_t keep = pool->budget / 8;
    pool->live -= block->capacity;
    if (pool->idle + block->capacity > keep) {
        free(block);
        return;
    }
    pool->idle += block->capacity;
    block->next = pool->free;
    pool->free = block;
}

void trace_block_release(struct trace_block *public)
{
    if (public == NULL)
        return;
    struct block *block = (struct block *)public;
    struct trace_kernel *kernel = public->kernel;
    for (uint32_t w = 0; w < public->warp_count; w++)
        free(public->warps[w].chunk);
    spill_drop(&kernel->spill, block->spill_from, block->spill_to);
    block_pool_put(&kernel->pool, block);
}

/* Touches nothing but the warp and the file: warps may be filled by several
 * threads at a time. */
int trace_warp_fill(struct trace_warp *warp, struct error *err)
{
    if (warp->spill_left == 0)
        return 0;
    if (warp->chunk == NULL)
        warp->chunk = malloc(sizeof(struct chunk));
    if (warp->chunk == NULL)
        return error_set(err, ERROR_TRACE, NULL, 0, 0, "out of memory");
    struct chunk *chunk = warp->chunk;
    long n = chunk_read(chunk, &warp->block->kernel->spill, warp->spill_at, err);
    if (n < 0)
        return -1;
    warp->spill_at += (uint64_t)n;
    warp->spill_left -= chunk->head.records;
    warp->at = chunk_records(chunk);
    warp->end = warp->at + chunk->head.records;
    warp->addresses = chunk_words(chunk);
    return 1;
}
