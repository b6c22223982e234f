#include "traces/packed/models/control.h"

#include <stdlib.h>
#include <string.h>

void control_init(struct control *control, const struct code *code, struct warp_paths *paths,
                  uint32_t next_path)
{
    *control = (struct control){.code = code, .paths = paths, .next_path = next_path};
    predict_mask_init(&control->masks, CODER_CONTROL_MASK_HITS);
}

int control_fit(struct control *control)
{
    const struct code *code = control->code;
    void *skip = realloc(control->skip, code->count + 1);
    if (skip == NULL)
        return -1;
    control->skip = skip;
    for (uint32_t i = control->masks.count; i < code->count; i++)
        control->skip[i] = (code->insts[i].flags & CODE_MEMORY) != 0;
    return predict_mask_fit(&control->masks, code->count);
}

void control_finish(struct control *control)
{
    predict_mask_finish(&control->masks);
    map_finish(&control->last);
    free(control->skip);
    *control = (struct control){0};
}

/* Codes the full path: the last one with this memory path is foreseen, else
 * the first one of the group. */
static uint32_t code_path(struct control *control, struct coder *flow, uint32_t memory,
                          uint32_t path, const bool reading)
{
    uint64_t key = map_key(memory, 0);
    uint32_t expected = map_get(&control->last, key);
    if (expected == MAP_NONE)
        expected = control->paths->memory.items[memory].memory;
    if (coder_hit(flow, CODER_CONTROL_PATH_HITS, path == expected, reading)) {
        path = expected;
    } else {
        uint64_t choice = path == control->next_path ? 0 : 1 + (uint64_t)path;
        choice = coder_number(flow, CODER_CONTROL_PATH, choice, reading);
        path = choice == 0 ? control->next_path : (uint32_t)(choice - 1);
    }
    control->next_path += path == control->next_path;
    return map_set(&control->last, key, path) ? path : MAP_NONE;
}

/* What the masks are coded with. */
static struct predict_mask_path masks_of(const struct control *control, uint32_t path,
                                         const struct piece *piece)
{
    return (struct predict_mask_path){
        path,         piece->count, piece->insts, piece->memory_masks, piece->memory_count,
        control->skip};
}

bool control_write(struct control *control, struct coder *flow, uint32_t memory,
                   struct piece *piece)
{
    uint32_t path = warp_paths_full(control->paths, flow, control->code, memory, piece->insts,
                                    piece->count);
    if (path == MAP_NONE || code_path(control, flow, memory, path, false) == MAP_NONE)
        return false;
    const struct predict_mask_path masks = masks_of(control, path, piece);
    predict_mask_write(&control->masks, flow, &masks, piece->masks);
    return !control->masks.failed;
}

bool control_read(struct control *control, struct coder *flow, uint32_t memory,
                  struct piece *piece)
{
    const struct path_list *full = &control->paths->full;
    uint32_t path = code_path(control, flow, memory, 0, true);
    if (path >= full->count || full->items[path].memory != memory)
        return false;
    piece->count = full->items[path].length;
    if (piece->count > 0)
        memcpy(piece->insts, path_elements(full, path), piece->count * sizeof *piece->insts);
    const struct predict_mask_path masks = masks_of(control, path, piece);
    predict_mask_read(&control->masks, flow, &masks, piece->masks);
    return !control->masks.failed;
}
