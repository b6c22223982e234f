#include "traces/profile/warp_types.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define SLOT_FREE UINT32_MAX

void warp_types_init(struct warp_types *types)
{
    *types = (struct warp_types){0};
}

void warp_types_finish(struct warp_types *types)
{
    free(types->blocks);
    free(types->block_slots);
    free(types->touched);
    free(types->types);
    free(types->type_slots);
    free(types->bytes);
    *types = (struct warp_types){0};
}

/* COUNT free slots, or NULL. */
static uint32_t *make_slots(size_t count)
{
    uint32_t *slots = malloc(count * sizeof *slots);
    if (slots != NULL)
        memset(slots, 0xff, count * sizeof *slots);
    return slots;
}

/* ---- basic blocks ------------------------------------------------------ */

static uint32_t *find_block(struct warp_types *types, uint32_t pc, uint32_t insts)
{
    uint32_t mask = types->block_slot_count - 1;
    uint64_t key = ((uint64_t)insts << 32 | pc) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t i = (uint32_t)(key >> 32) & mask;
    for (;; i = (i + 1) & mask) {
        uint32_t *slot = &types->block_slots[i];
        const struct basic_block *block = &types->blocks[*slot];
        if (*slot == SLOT_FREE || (block->pc == pc && block->insts == insts))
            return slot;
    }
}

static int grow_blocks(struct warp_types *types)
{
    uint32_t capacity = types->block_capacity > 0 ? 2 * types->block_capacity : 64;
    struct basic_block *blocks = reallocarray(types->blocks, capacity, sizeof *blocks);
    if (blocks != NULL)
        types->blocks = blocks;
    uint32_t *touched = reallocarray(types->touched, capacity, sizeof *touched);
    if (touched != NULL)
        types->touched = touched;
    uint32_t *slots = make_slots(2 * (size_t)capacity);
    if (blocks == NULL || touched == NULL || slots == NULL) {
        free(slots);
        return -1;
    }
    free(types->block_slots);
    types->block_slots = slots;
    types->block_slot_count = 2 * capacity;
    types->block_capacity = capacity;
    for (uint32_t i = 0; i < types->block_count; i++)
        *find_block(types, blocks[i].pc, blocks[i].insts) = i;
    return 0;
}

void warp_types_add(struct warp_types *types, uint32_t pc, uint32_t insts)
{
    if (types->block_count == types->block_capacity && grow_blocks(types) != 0) {
        types->failed = true;
        return;
    }
    uint32_t *slot = find_block(types, pc, insts);
    if (*slot == SLOT_FREE) {
        *slot = types->block_count++;
        types->blocks[*slot] = (struct basic_block){pc, insts, 0};
    }
    if (types->blocks[*slot].count++ == 0)
        types->touched[types->touched_count++] = *slot;
}

/* ---- warps ------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static uint8_t *put(uint8_t *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    return at;
}

static const uint8_t *get(const uint8_t *at, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0;; shift += 7) {
        *value |= (uint64_t)(*at & 0x7f) << shift;
        if ((*at++ & 0x80) == 0)
            return at;
    }
}

#define MOST_ENTRY 20 /* bytes of two varints */

/* Appends the vector of the current warp to those of the types, and clears
 * it. */
static int encode(struct warp_types *types, size_t *length)
{
    size_t most = types->byte_count + (size_t)types->touched_count * MOST_ENTRY;
    if (most > types->byte_capacity) {
        uint8_t *more = realloc(types->bytes, 2 * most);
        if (more == NULL)
            return -1;
        types->bytes = more;
        types->byte_capacity = 2 * most;
    }
    uint8_t *start = types->bytes + types->byte_count, *at = start;
    uint32_t before = 0;
    qsort(types->touched, types->touched_count, sizeof *types->touched, compare_numbers);
    for (uint32_t i = 0; i < types->touched_count; i++) {
        struct basic_block *block = &types->blocks[types->touched[i]];
        at = put(at, types->touched[i] + 1 - before);
        at = put(at, block->count);
        before = types->touched[i] + 1;
        block->count = 0;
    }
    types->touched_count = 0;
    *length = (size_t)(at - start);
    return 0;
}

static uint32_t *find_type(struct warp_types *types, uint64_t hash, const uint8_t *bytes,
                           size_t length)
{
    size_t mask = types->type_slot_count - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        uint32_t *slot = &types->type_slots[i];
        if (*slot == SLOT_FREE)
            return slot;
        const struct warp_type *type = &types->types[*slot];
        if (type->hash == hash && type->length == length &&
            memcmp(types->bytes + type->at, bytes, length) == 0)
            return slot;
    }
}

static int grow_types(struct warp_types *types)
{
    if (types->type_count < types->type_capacity)
        return 0;
    size_t capacity = types->type_capacity > 0 ? 2 * types->type_capacity : 16;
    struct warp_type *more = reallocarray(types->types, capacity, sizeof *more);
    if (more != NULL)
        types->types = more;
    uint32_t *slots = make_slots(2 * capacity);
    if (more == NULL || slots == NULL) {
        free(slots);
        return -1;
    }
    free(types->type_slots);
    types->type_slots = slots;
    types->type_slot_count = 2 * capacity;
    types->type_capacity = capacity;
    for (uint32_t i = 0; i < types->type_count; i++) {
        const struct warp_type *type = &more[i];
        *find_type(types, type->hash, types->bytes + type->at, type->length) = i;
    }
    return 0;
}

int warp_types_end_warp(struct warp_types *types, uint64_t number)
{
    size_t length;
    if (types->failed || encode(types, &length) != 0 || grow_types(types) != 0)
        return -1;
    const uint8_t *bytes = types->bytes + types->byte_count;
    uint64_t hash = XXH3_64bits(bytes, length);
    uint32_t *slot = find_type(types, hash, bytes, length);
    if (*slot == SLOT_FREE) {
        *slot = (uint32_t)types->type_count++;
        types->types[*slot] = (struct warp_type){0, number, hash, types->byte_count, length};
        types->byte_count += length;
    }
    struct warp_type *type = &types->types[*slot];
    type->warps++;
    if (number < type->first)
        type->first = number;
    return 0;
}

/* ---- output ------------------------------------------------------------ */

static int compare_types(const void *a, const void *b)
{
    const struct warp_type *x = a, *y = b;
    if (x->warps != y->warps)
        return x->warps > y->warps ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static int compare_blocks(const void *a, const void *b)
{
    const struct basic_block *x = a, *y = b;
    if (x->pc != y->pc)
        return x->pc < y->pc ? -1 : 1;
    return x->insts < y->insts ? -1 : x->insts > y->insts;
}

/* Decodes the vector of TYPE into ROW, sorted. Returns how many. */
static size_t decode(const struct warp_types *types, const struct warp_type *type,
                     struct basic_block *row)
{
    const uint8_t *at = types->bytes + type->at, *end = at + type->length;
    size_t count = 0;
    uint64_t block = 0, distance;
    while (at < end) {
        at = get(at, &distance);
        block += distance;
        row[count] = types->blocks[block - 1];
        at = get(at, &row[count++].count);
    }
    qsort(row, count, sizeof *row, compare_blocks);
    return count;
}

int warp_types_write(struct warp_types *types, uint64_t launch, FILE *out)
{
    struct basic_block *row = malloc(((size_t)types->block_count + 1) * sizeof *row);
    if (row == NULL)
        return -1;
    if (types->type_count > 0)
        qsort(types->types, types->type_count, sizeof *types->types, compare_types);
    for (size_t t = 0; t < types->type_count; t++) {
        size_t count = decode(types, &types->types[t], row);
        for (size_t b = 0; b < count; b++)
            fprintf(out, "%" PRIu64 ",%zu,%" PRIu64 ",%u,%u,%" PRIu64 "\n", launch, t + 1,
                    types->types[t].warps, row[b].pc, row[b].insts, row[b].count);
    }
    free(row);
    return 0;
}
