#include "tracer/blocks.h"

#include <stdlib.h>
#include <string.h>

#define LANES 32

void blocks_init(struct blocks *blocks, struct chunk_pool *pool, uint64_t count,
                 uint32_t threads)
{
    *blocks = (struct blocks){
        .pool = pool,
        .count = count,
        .threads = threads,
        .warps = (threads + LANES - 1) / LANES,
    };
}

static size_t bytes_of(const struct blocks *blocks)
{
    return sizeof(struct traced_block) + blocks->warps * sizeof(struct pool_warp);
}

static void free_warps(struct blocks *blocks, struct pool_warp *warps)
{
    for (uint32_t w = 0; warps != NULL && w < blocks->warps; w++)
        pool_drop(blocks->pool, &warps[w]);
    free(warps);
}

void blocks_finish(struct blocks *blocks)
{
    for (size_t i = 0; i < blocks->slot_count; i++) {
        struct traced_block *block = blocks->slots[i];
        if (block == NULL)
            continue;
        if (block->warps != NULL)
            pool_discharge(blocks->pool, bytes_of(blocks));
        free_warps(blocks, block->warps);
        free(block);
    }
    free(blocks->slots);
    *blocks = (struct blocks){0};
}

uint32_t blocks_lanes(const struct blocks *blocks, uint32_t warp)
{
    uint32_t left = blocks->threads - warp * LANES;
    return left >= LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1;
}

/* ---- the table --------------------------------------------------------- */

/* The slot of NUMBER, or the free one where it belongs. */
static size_t slot_of(const struct blocks *blocks, uint64_t number)
{
    size_t mask = blocks->slot_count - 1;
    size_t i = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 20) & mask;
    while (blocks->slots[i] != NULL && blocks->slots[i]->number != number)
        i = (i + 1) & mask;
    return i;
}

static bool enlarge(struct blocks *blocks)
{
    size_t count = blocks->slot_count;
    struct traced_block **old = blocks->slots;
    if (blocks->used * 2 < count)
        return true;
    blocks->slot_count = count == 0 ? 64 : 2 * count;
    blocks->slots = calloc(blocks->slot_count, sizeof *blocks->slots);
    if (blocks->slots == NULL) {
        blocks->slots = old;
        blocks->slot_count = count;
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (old[i] != NULL)
            blocks->slots[slot_of(blocks, old[i]->number)] = old[i];
    free(old);
    return true;
}

/* Takes the block of slot I out; those after it move up. */
static void take_out(struct blocks *blocks, size_t i)
{
    size_t mask = blocks->slot_count - 1;
    blocks->slots[i] = NULL;
    blocks->used--;
    for (size_t j = (i + 1) & mask; blocks->slots[j] != NULL; j = (j + 1) & mask) {
        struct traced_block *block = blocks->slots[j];
        blocks->slots[j] = NULL;
        blocks->slots[slot_of(blocks, block->number)] = block;
    }
}

static struct traced_block *make_block(struct blocks *blocks, uint64_t number)
{
    struct traced_block *block = calloc(1, sizeof *block);
    struct pool_warp *warps = calloc(blocks->warps, sizeof *warps);
    if (block == NULL || warps == NULL || !enlarge(blocks)) {
        free(block);
        free(warps);
        return NULL;
    }
    *block = (struct traced_block){.number = number, .warps = warps};
    blocks->slots[slot_of(blocks, number)] = block;
    blocks->used++;
    pool_charge(blocks->pool, bytes_of(blocks));
    return block;
}

/* The block NUMBER, which begins if it has not; NULL when memory ran out. */
static struct traced_block *find_block(struct blocks *blocks, uint64_t number)
{
    if (blocks->last != NULL && blocks->last->number == number)
        return blocks->last;
    struct traced_block *block =
        blocks->slot_count > 0 ? blocks->slots[slot_of(blocks, number)] : NULL;
    return blocks->last = block != NULL ? block : make_block(blocks, number);
}

/* ---- bounded memory ---------------------------------------------------- */

/* Moves a finished block to the file, its table of warps too. */
static int park(struct blocks *blocks, struct traced_block *block, struct error *err)
{
    struct chunk_pool *pool = blocks->pool;
    size_t size = blocks->warps * sizeof *block->warps;
    for (uint32_t w = 0; w < blocks->warps; w++)
        if (pool_spill(pool, &block->warps[w], err) != 0)
            return -1;
    block->parked = pool->spill.end;
    if (spill_write(&pool->spill, block->warps, size, err) != 0)
        return -1;
    free(block->warps);
    block->warps = NULL;
    pool_discharge(pool, bytes_of(blocks));
    return 0;
}

/* Those that wait for others go first: nothing is added to them any more. */
static int park_finished(struct blocks *blocks, struct error *err)
{
    struct chunk_pool *pool = blocks->pool;
    for (size_t i = 0; i < blocks->slot_count && pool->used > pool->budget / 2; i++) {
        struct traced_block *block = blocks->slots[i];
        if (block != NULL && block->finished && block->warps != NULL &&
            park(blocks, block, err) != 0)
            return -1;
    }
    return 0;
}

static int load(struct blocks *blocks, struct traced_block *block, struct error *err)
{
    size_t size = blocks->warps * sizeof *block->warps;
    if (block->warps != NULL)
        return 0;
    block->warps = malloc(size);
    if (block->warps == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    pool_charge(blocks->pool, bytes_of(blocks));
    if (spill_read(&blocks->pool->spill, block->parked, block->warps, size, err) != (long)size)
        return error_set(err, ERROR_OUTPUT, NULL, 0, 0, "temporary data is gone");
    spill_drop(&blocks->pool->spill, block->parked, block->parked + size);
    return 0;
}

/* ---- records ----------------------------------------------------------- */

/* Lanes of MASK leave; a lane counts once. */
static void leave(struct blocks *blocks, struct traced_block *block, struct pool_warp *warp,
                  uint32_t mask)
{
    block->left += (uint32_t)__builtin_popcount(mask & ~warp->left);
    warp->left |= mask;
    block->finished = block->left == blocks->threads;
}

/* A record comes after all threads of its block left, as far as was known. */
static int reopen(struct blocks *blocks, struct traced_block *block, struct error *err)
{
    blocks->late++;
    blocks->pool->patient = true;
    block->finished = false;
    return load(blocks, block, err);
}

int blocks_add(struct blocks *blocks, const struct block_record *record, struct error *err)
{
    if (record->block < blocks->next) {
        blocks->pool->patient = true;
        return 0;
    }
    if (blocks->pool->used > blocks->pool->budget && park_finished(blocks, err) != 0)
        return -1;
    struct traced_block *block = find_block(blocks, record->block);
    if (block == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    if (block->finished && reopen(blocks, block, err) != 0)
        return -1;
    struct pool_warp *warp = &block->warps[record->warp];
    if (pool_append(blocks->pool, warp, record->head, record->words,
                    pool_words(record->head, record->words), err) != 0)
        return -1;
    warp->insts++;
    warp->accesses += record->access;
    if (record->leaves)
        leave(blocks, block, warp, pool_mask(record->head));
    return 1;
}

/* Whether finished blocks go out already: they wait as long as memory allows. */
static bool is_pressed(const struct chunk_pool *pool)
{
    return !pool->patient && pool->used > pool->budget / 2;
}

int blocks_next(struct blocks *blocks, bool ended, struct traced_block *block,
                struct error *err)
{
    if (blocks->next == blocks->count || (!ended && !is_pressed(blocks->pool)))
        return 0;
    *block = (struct traced_block){.number = blocks->next};
    size_t slot = blocks->slot_count > 0 ? slot_of(blocks, blocks->next) : 0;
    struct traced_block *found = blocks->slot_count > 0 ? blocks->slots[slot] : NULL;
    if (!ended && (found == NULL || !found->finished))
        return 0;
    if (found != NULL) {
        if (load(blocks, found, err) != 0)
            return -1;
        *block = *found;
        if (blocks->last == found)
            blocks->last = NULL;
        take_out(blocks, slot);
        free(found);
    }
    blocks->next++;
    return 1;
}

void blocks_drop(struct blocks *blocks, struct traced_block *block)
{
    if (block->warps != NULL)
        pool_discharge(blocks->pool, bytes_of(blocks));
    free_warps(blocks, block->warps);
    block->warps = NULL;
}
