#include "traces/packed/part.h"

#define MOST_WARPS 32

static void code_number(struct coder *flow, uint64_t *number, bool reading)
{
    *number = coder_number(flow, CODER_LENGTH, *number, reading);
}

void part_code_info(struct part_info *info, struct coder *flow, bool reading)
{
    if (!reading && info->lengths[CODER_ACTIVE] > 0)
        info->flags |= PART_ACTIVE;
    code_number(flow, &info->flags, reading);
    if (!(info->flags & PART_STARTS)) {
        code_number(flow, &info->code, reading);
        code_number(flow, &info->block, reading);
        code_number(flow, &info->warp, reading);
    }
    code_number(flow, &info->events, reading);
    code_number(flow, &info->memory_path, reading);
    code_number(flow, &info->full_path, reading);
    code_number(flow, &info->records, reading);
    code_number(flow, &info->memory_records, reading);
    code_number(flow, &info->blocks, reading);
    for (int s = 0; s < CODER_STREAMS; s++) {
        uint64_t length = info->lengths[s];
        if (coder_is_part(s) && (s < CODER_ACTIVE_HITS || info->flags & PART_ACTIVE))
            code_number(flow, &length, reading);
        info->lengths[s] = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
    }
}

void part_init(struct part *part, const struct part_info *info, const struct code *code,
               struct warp_paths *paths, uint32_t warps)
{
    *part = (struct part){0};
    part->events =
        (struct events){.last = {.kind = EVENT_END}, .block = info->block - 1, .warps = warps};
    memory_init(&part->memory, code, (uint32_t)info->code, paths, (uint32_t)info->memory_path);
    control_init(&part->control, code, paths, (uint32_t)info->full_path);
    print_init(&part->print, code);
    if (info->warp > 0) {
        part->events.last = (struct event){.kind = EVENT_BLOCK};
        memory_begin_block(&part->memory);
    }
    if (info->warp > 1) {
        part->events.last = (struct event){.kind = EVENT_WARP, .value = info->warp - 2};
        memory_begin_warp(&part->memory, (uint32_t)(info->warp - 2) % MOST_WARPS);
    }
}

int part_fit(struct part *part)
{
    return memory_fit(&part->memory) != 0 || control_fit(&part->control) != 0 ||
                   print_fit(&part->print) != 0
               ? -1
               : 0;
}

void part_finish(struct part *part)
{
    memory_finish(&part->memory);
    control_finish(&part->control);
    print_finish(&part->print);
}

bool part_begin(struct part *part, const struct event *event)
{
    if (event->kind > EVENT_END)
        return false;
    if (event->kind == EVENT_BLOCK)
        memory_begin_block(&part->memory);
    if (event->kind != EVENT_WARP && event->kind != EVENT_LONG)
        return true;
    if (event->value >= part->events.warps)
        return false;
    memory_begin_warp(&part->memory, (uint32_t)event->value);
    return true;
}
