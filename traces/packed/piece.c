#include "traces/packed/piece.h"

#include <stdlib.h>
#include <string.h>

int piece_init(struct piece *piece)
{
    *piece = (struct piece){0};
    piece->insts = malloc(PIECE_MOST * sizeof *piece->insts);
    piece->masks = malloc(PIECE_MOST * sizeof *piece->masks);
    piece->actives = malloc(PIECE_MOST * sizeof *piece->actives);
    piece->memory_insts = malloc(PIECE_MOST * sizeof *piece->memory_insts);
    piece->memory_masks = malloc(PIECE_MOST * sizeof *piece->memory_masks);
    piece->accesses = malloc(PIECE_MOST * sizeof *piece->accesses);
    piece->modes = malloc(PIECE_MOST * sizeof *piece->modes);
    if (piece->insts != NULL && piece->masks != NULL && piece->actives != NULL &&
        piece->memory_insts != NULL && piece->memory_masks != NULL && piece->accesses != NULL &&
        piece->modes != NULL)
        return 0;
    piece_finish(piece);
    return -1;
}

void piece_finish(struct piece *piece)
{
    free(piece->insts);
    free(piece->masks);
    free(piece->actives);
    free(piece->memory_insts);
    free(piece->memory_masks);
    free(piece->accesses);
    free(piece->modes);
    free(piece->lanes);
    free(piece->numbers);
    free(piece->literals);
    bytes_finish(&piece->texts);
    *piece = (struct piece){0};
}

void piece_clear(struct piece *piece)
{
    piece->count = piece->memory_count = 0;
    piece->lane_count = piece->number_count = piece->literal_count = 0;
    piece->texts.size = 0;
}

static bool more(void *array, size_t count, size_t *capacity, size_t add, size_t size)
{
    void **at = array;
    if (count + add <= *capacity)
        return true;
    size_t wanted = 2 * (count + add);
    void *larger = reallocarray(*at, wanted, size);
    if (larger == NULL)
        return false;
    *at = larger;
    *capacity = wanted;
    return true;
}

bool piece_more_lanes(struct piece *piece, size_t add)
{
    return more(&piece->lanes, piece->lane_count, &piece->lane_capacity, add,
                sizeof *piece->lanes);
}

bool piece_more_numbers(struct piece *piece, size_t add)
{
    return more(&piece->numbers, piece->number_count, &piece->number_capacity, add,
                sizeof *piece->numbers);
}

bool piece_more_literals(struct piece *piece)
{
    return more(&piece->literals, piece->literal_count, &piece->literal_capacity, 1,
                sizeof *piece->literals);
}

void piece_addresses(const struct piece *piece, const struct piece_access *access,
                     uint32_t mask, uint64_t addresses[static 32])
{
    int n = 0;
    if (!access->linear) {
        size_t count = (size_t)__builtin_popcount(mask);
        memcpy(addresses, piece->lanes + access->at, count * sizeof *addresses);
        return;
    }
    for (; mask != 0; mask &= mask - 1)
        addresses[n++] = access->first + (uint64_t)__builtin_ctz(mask) * access->stride;
}

/* The distance from lane to lane, if there is one for all. */
static bool find_stride(uint32_t mask, const uint64_t *addresses, uint64_t *stride)
{
    int first = __builtin_ctz(mask), n = 0;
    uint32_t rest = mask & (mask - 1);
    if (rest == 0)
        return false;
    int64_t lanes = __builtin_ctz(rest) - first;
    int64_t distance = (int64_t)(addresses[1] - addresses[0]);
    *stride = (uint64_t)(distance / lanes);
    int last = 31 - __builtin_clz(mask); /* this lane rules out most without a stride */
    if (addresses[__builtin_popcount(mask) - 1] !=
        addresses[0] + (uint64_t)(last - first) * *stride)
        return false;
    for (; mask != 0; mask &= mask - 1, n++)
        if (addresses[n] != addresses[0] + (uint64_t)(__builtin_ctz(mask) - first) * *stride)
            return false;
    return true;
}

void piece_classify(struct piece *piece, struct piece_access *access, uint32_t mask,
                    const uint64_t addresses[static 32])
{
    uint64_t stride;
    access->linear = find_stride(mask, addresses, &stride);
    if (access->linear) {
        access->stride = stride;
        access->first = addresses[0] - (uint64_t)__builtin_ctz(mask) * stride;
        return;
    }
    size_t count = (size_t)__builtin_popcount(mask);
    access->first = addresses[0];
    access->stride = 0;
    access->at = (uint32_t)piece->lane_count;
    if (addresses != piece->lanes + piece->lane_count)
        memcpy(piece->lanes + piece->lane_count, addresses, count * sizeof *addresses);
    piece->lane_count += count;
}

/* Base and stride for one run of active lanes at equal distances, of two lanes
 * at least or none at all; deltas for all else. */
uint8_t piece_expected_mode(uint32_t mask, const uint64_t addresses[static 32])
{
    if (mask == 0)
        return 1;
    uint32_t run = mask >> __builtin_ctz(mask);
    int n = __builtin_popcount(mask);
    if (n < 2 || (run & (run + 1)) != 0)
        return 2;
    for (int i = 2; i < n; i++)
        if (addresses[i] - addresses[i - 1] != addresses[1] - addresses[0])
            return 2;
    return 1;
}

static bool add_access(struct piece *piece, uint32_t mask, const struct piece_mode *mode,
                       const uint64_t addresses[static 32])
{
    struct piece_access *access = &piece->accesses[piece->memory_count];
    piece->modes[piece->memory_count] = *mode;
    if (mask == 0)
        return true;
    if ((mask & (mask - 1)) == 0) {
        *access = (struct piece_access){.first = addresses[0], .linear = true};
        return true;
    }
    if (!piece_more_lanes(piece, 32))
        return false;
    piece_classify(piece, access, mask, addresses);
    return true;
}

bool piece_add(struct piece *piece, const struct code *code, uint32_t inst, uint32_t mask,
               const struct piece_mode *mode, const uint64_t addresses[static 32],
               const uint64_t *numbers)
{
    const struct code_inst *what = &code->insts[inst];
    if (what->flags & CODE_MEMORY) {
        if (what->flags & CODE_ADDRESSES && !add_access(piece, mask, mode, addresses))
            return false;
        if (!piece_more_numbers(piece, what->numbers))
            return false;
        for (unsigned i = 0; i < what->numbers; i++)
            piece->numbers[piece->number_count++] = numbers[i];
        piece->memory_insts[piece->memory_count] = inst;
        piece->memory_masks[piece->memory_count++] = mask;
    }
    piece->insts[piece->count] = inst;
    piece->actives[piece->count] = mask;
    piece->masks[piece->count++] = mask;
    return true;
}
