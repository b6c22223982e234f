#include "traces/block.h"

#include <stdlib.h>

#include "traces/kernel.h"

/* Part of the budget that blocks may hold while they wait for use again. */
#define IDLE_SHARE 8

void block_pool_init(struct block_pool *pool, size_t budget)
{
    *pool = (struct block_pool){.budget = budget};
    pthread_mutex_init(&pool->lock, NULL);
}

static void free_idle(struct block_pool *pool)
{
    for (struct block *block = pool->free, *next; block != NULL; block = next) {
        next = block->next;
        free(block);
    }
    pool->free = NULL;
    pool->idle = 0;
}

void block_pool_finish(struct block_pool *pool)
{
    free_idle(pool);
    pthread_mutex_destroy(&pool->lock);
}

size_t block_pool_left(struct block_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    size_t left = pool->budget > pool->live ? pool->budget - pool->live : 0;
    pthread_mutex_unlock(&pool->lock);
    return left;
}

/* A block that waits for use again and is not much too large. */
static struct block *take_idle(struct block_pool *pool, size_t size)
{
    for (struct block **at = &pool->free; *at != NULL; at = &(*at)->next) {
        struct block *block = *at;
        if (block->capacity < size || block->capacity > 2 * size)
            continue;
        *at = block->next;
        pool->idle -= block->capacity;
        return block;
    }
    return NULL;
}

struct block *block_pool_get(struct block_pool *pool, size_t size)
{
    pthread_mutex_lock(&pool->lock);
    struct block *block = take_idle(pool, size);
    if (block == NULL) {
        /* Those that wait have another size than is needed now. */
        if (pool->live + pool->idle + size > pool->budget)
            free_idle(pool);
        block = malloc(size);
        if (block != NULL)
            block->capacity = size;
    }
    if (block != NULL)
        pool->live += block->capacity;
    pthread_mutex_unlock(&pool->lock);
    return block;
}

void block_pool_put(struct block_pool *pool, struct block *block)
{
    pthread_mutex_lock(&pool->lock);
    pool->live -= block->capacity;
    if (pool->idle + block->capacity <= pool->budget / IDLE_SHARE) {
        pool->idle += block->capacity;
        block->next = pool->free;
        pool->free = block;
        block = NULL;
    }
    pthread_mutex_unlock(&pool->lock);
    free(block);
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
        return error_no_memory_for(err, ERROR_TRACE, NULL);
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
