#include "traces/packed/models/memory.h"

#include <stdlib.h>
#include <string.h>

#include "traces/packed/models/predict_address.h"

void memory_init(struct memory *memory, const struct code *code, uint32_t number,
                 struct warp_paths *paths, uint32_t next_path)
{
    *memory = (struct memory){.code = code,
                              .number = number,
                              .paths = paths,
                              .next_path = next_path,
                              .last_path = MAP_NONE};
    memset(memory->warp_paths, 0xff, sizeof memory->warp_paths);
    predict_mask_init(&memory->masks, CODER_MEMORY_MASK_HITS);
}

int memory_fit(struct memory *memory)
{
    uint32_t count = memory->code->memory_count + 1; /* one more: never none */
    void *insts = reallocarray(memory->insts, count, sizeof *memory->insts);
    if (insts == NULL)
        return -1;
    memory->insts = insts;
    memset(memory->insts + memory->count, 0, (count - memory->count) * sizeof *memory->insts);
    memory->count = count;
    return predict_mask_fit(&memory->masks, memory->code->count);
}

void memory_finish(struct memory *memory)
{
    for (uint32_t i = 0; i < memory->count; i++)
        predict_address_finish(&memory->insts[i]);
    free(memory->insts);
    predict_mask_finish(&memory->masks);
    *memory = (struct memory){0};
}

void memory_begin_block(struct memory *memory)
{
    memory->block_stamp++;
}

void memory_begin_warp(struct memory *memory, uint32_t warp)
{
    memory->warp = warp;
    memory->warp_stamp++;
    memory->ring_count = 0;
    memory->has_last = false;
}

/* Codes which path a piece takes: that of the same warp in the block before,
 * that of the warp before, or a new one are foreseen in this order. */
static uint32_t code_path(struct memory *memory, struct coder *flow, uint32_t path,
                          const bool reading)
{
    uint32_t expected = memory->warp_paths[memory->warp];
    if (expected == MAP_NONE)
        expected = memory->last_path;
    if (expected == MAP_NONE)
        expected = memory->next_path;
    if (coder_hit(flow, CODER_MEMORY_PATH_HITS, path == expected, reading)) {
        path = expected;
    } else {
        uint64_t choice = path == memory->next_path ? 0 : 1 + (uint64_t)path;
        choice = coder_number(flow, CODER_MEMORY_PATH, choice, reading);
        path = choice == 0 ? memory->next_path : (uint32_t)(choice - 1);
    }
    memory->next_path += path == memory->next_path;
    memory->last_path = memory->warp_paths[memory->warp] = path;
    return path;
}

static inline __attribute__((always_inline)) void code_addresses(struct memory *memory,
                                                                 struct coder *flow,
                                                                 struct piece *piece,
                                                                 const bool reading)
{
    const struct code_inst *insts = memory->code->insts;
    for (uint32_t i = 0; i < piece->memory_count; i++) {
        const struct code_inst *inst = &insts[piece->memory_insts[i]];
        uint32_t mask = piece->memory_masks[i];
        if (mask == 0 || !(inst->flags & CODE_ADDRESSES))
            continue;
        if (reading)
            predict_address_read(memory, flow, inst->memory, mask, piece, &piece->accesses[i]);
        else
            predict_address_write(memory, flow, inst->memory, mask, piece, &piece->accesses[i]);
    }
}

uint32_t memory_write(struct memory *memory, struct coder *flow, struct piece *piece)
{
    uint32_t path = warp_paths_memory(memory->paths, flow, memory->number, piece->memory_insts,
                                      piece->memory_count);
    if (path == MAP_NONE)
        return MAP_NONE;
    code_path(memory, flow, path, false);
    const struct predict_mask_path masks = {
        path, piece->memory_count, piece->memory_insts, NULL, 0, NULL};
    predict_mask_write(&memory->masks, flow, &masks, piece->memory_masks);
    code_addresses(memory, flow, piece, false);
    return memory->failed || memory->masks.failed ? MAP_NONE : path;
}

uint32_t memory_read(struct memory *memory, struct coder *flow, struct piece *piece)
{
    uint32_t path = code_path(memory, flow, 0, true);
    const struct path_list *list = &memory->paths->memory;
    if (path >= list->count || list->items[path].code != memory->number)
        return MAP_NONE;
    uint32_t count = list->items[path].length;
    piece->memory_count = count;
    if (count > 0)
        memcpy(piece->memory_insts, path_elements(list, path),
               count * sizeof *piece->memory_insts);
    const struct predict_mask_path masks = {path, count, piece->memory_insts, NULL, 0, NULL};
    predict_mask_read(&memory->masks, flow, &masks, piece->memory_masks);
    code_addresses(memory, flow, piece, true);
    return memory->failed || memory->masks.failed ? MAP_NONE : path;
}
