#include "traces/text/raw_blocks.h"

#include <stdlib.h>
#include <string.h>

#define FREE UINT32_MAX

int raw_blocks_init(struct raw_blocks *blocks)
{
    *blocks = (struct raw_blocks){.capacity = 256, .slot_mask = 1023};
    blocks->ids = malloc(256 * sizeof *blocks->ids);
    blocks->half = malloc(256 * sizeof *blocks->half);
    blocks->slots = malloc(1024 * sizeof *blocks->slots);
    if (blocks->ids == NULL || blocks->half == NULL || blocks->slots == NULL) {
        raw_blocks_finish(blocks);
        return -1;
    }
    memset(blocks->slots, 0xff, 1024 * sizeof *blocks->slots);
    return 0;
}

void raw_blocks_finish(struct raw_blocks *blocks)
{
    free(blocks->ids);
    free(blocks->half);
    free(blocks->slots);
    *blocks = (struct raw_blocks){0};
}

/* Where ID stands, or the free slot for it. */
static uint32_t *find(const struct raw_blocks *blocks, uint64_t id)
{
    uint32_t slot = (uint32_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & blocks->slot_mask;
    while (blocks->slots[slot] != FREE && blocks->ids[blocks->slots[slot]] != id)
        slot = (slot + 1) & blocks->slot_mask;
    return &blocks->slots[slot];
}

/* Doubles everything. */
static bool grow(struct raw_blocks *blocks)
{
    size_t capacity = 2 * (size_t)blocks->capacity, slots = 4 * capacity;
    if (capacity > UINT32_MAX / 8)
        return false;
    void *ids = reallocarray(blocks->ids, capacity, sizeof *blocks->ids);
    if (ids != NULL)
        blocks->ids = ids;
    void *half = reallocarray(blocks->half, capacity, sizeof *blocks->half);
    if (half != NULL)
        blocks->half = half;
    uint32_t *table = malloc(slots * sizeof *table);
    if (ids == NULL || half == NULL || table == NULL) {
        free(table);
        return false;
    }
    memset(table, 0xff, slots * sizeof *table);
    free(blocks->slots);
    blocks->slots = table;
    blocks->slot_mask = (uint32_t)(slots - 1);
    blocks->capacity = (uint32_t)capacity;
    for (uint32_t i = 0; i < blocks->count; i++)
        *find(blocks, blocks->ids[i]) = i;
    return true;
}

uint32_t raw_blocks_order(struct raw_blocks *blocks, uint64_t id)
{
    uint32_t *slot = find(blocks, id);
    if (*slot != FREE)
        return *slot;
    if (blocks->count == blocks->capacity) {
        if (!grow(blocks))
            return FREE;
        slot = find(blocks, id);
    }
    uint32_t order = blocks->count++;
    blocks->ids[order] = id;
    blocks->half[order] = 0;
    *slot = order;
    return order;
}
