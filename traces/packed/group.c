#include "traces/packed/group.h"

#include <stdlib.h>
#include <string.h>

#include "traces/base/bytes.h"

#define NAME              "-kernel name"
#define MOST_HEADER_LINES 65536

bool group_is_name(const char *line, size_t length)
{
    return length >= strlen(NAME) && memcmp(line, NAME, strlen(NAME)) == 0;
}

static struct group_item *add_item(struct group *group)
{
    if (!array_room(&group->items, group->count, sizeof *group->items))
        return NULL;
    struct group_item *item = &group->items[group->count++];
    *item = (struct group_item){0};
    return item;
}

/* ---- head -------------------------------------------------------------- */

struct group_head {
    struct group *group;
    struct coder *flow;
    struct lines lines;
    struct map codes; /* by the template of the name's line */
    uint64_t code_of_item;
    uint64_t totals[CODER_STREAMS]; /* of the parts so far */
};

/* Reads the lines of a trace's header and finds its code. */
static bool read_header(struct group_head *head, struct group_item *item)
{
    struct bytes *texts = &head->group->texts;
    uint64_t count = coder_number(head->flow, CODER_LENGTH, 0, true);
    uint32_t name = MAP_NONE;
    if (count > MOST_HEADER_LINES)
        return false;
    item->header = texts->size;
    for (uint64_t i = 0; i < count; i++) {
        size_t from = texts->size;
        uint32_t line = lines_read(&head->lines, head->flow, name + 1, texts);
        if (line == MAP_NONE)
            return false;
        if (group_is_name((const char *)texts->data + from, texts->size - from))
            name = line;
        bytes_byte(texts, '\n');
    }
    item->header_length = texts->size - item->header;
    uint64_t key = map_key(name, 0);
    uint32_t code = map_get(&head->codes, key);
    if (code == MAP_NONE) {
        code = head->codes.count;
        if (!map_set(&head->codes, key, code))
            return false;
    }
    item->info.code = code;
    return true;
}

static bool read_part(struct group_head *head, struct group_item *item)
{
    part_code_info(&item->info, head->flow, true);
    bool starts = item->tag == GROUP_LAUNCH;
    if (!starts && !map_set(&head->codes, map_key(GROUP_CONTINUED, 0), 0))
        return false;
    if (starts != ((item->info.flags & PART_STARTS) != 0) || item->info.warp > 33)
        return false;
    head->group->starts += starts;
    for (int s = CODER_HEAD_END; s < CODER_STREAMS; s++) {
        item->offsets[s] = (uint32_t)head->totals[s];
        head->totals[s] += item->info.lengths[s];
        if (head->totals[s] > FRAME_MOST)
            return false;
    }
    return true;
}

static bool read_item(struct group_head *head)
{
    struct group *group = head->group;
    struct group_item *item = add_item(group);
    if (item == NULL)
        return false;
    uint64_t tag = coder_number(head->flow, CODER_LENGTH, 0, true);
    if (tag > GROUP_CONTINUES)
        return false;
    item->tag = (enum group_tag)tag;
    item->line = group->texts.size;
    if (tag != GROUP_CONTINUES &&
        lines_read(&head->lines, head->flow, 0, &group->texts) == MAP_NONE)
        return false;
    item->line_length = group->texts.size - item->line;
    bytes_byte(&group->texts, '\n');
    if (tag == GROUP_LAUNCH && !read_header(head, item))
        return false;
    return tag == GROUP_LINE || read_part(head, item);
}

static bool read_codes(struct group *group, struct coder *flow)
{
    uint64_t count = coder_number(flow, CODER_STATIC, 0, true);
    if (count > (uint64_t)(flow->in[CODER_STATIC].end - flow->in[CODER_STATIC].at) ||
        coder_failed(flow))
        return false;
    group->codes = calloc(count + 1, sizeof *group->codes);
    if (group->codes == NULL)
        return false;
    group->code_count = (uint32_t)count;
    for (uint64_t i = 0; i < count; i++)
        if (!code_read(&group->codes[i], flow))
            return false;
    for (size_t i = 0; i < group->count; i++)
        if (group->items[i].tag != GROUP_LINE && group->items[i].info.code >= count)
            return false;
    return true;
}

static bool read_head(struct group *group)
{
    struct coder *flow = &group->flow;
    struct group_head head = {.group = group, .flow = flow};
    group->memory_paths = coder_number(flow, CODER_LENGTH, 0, true);
    group->full_paths = coder_number(flow, CODER_LENGTH, 0, true);
    group->layout_count = coder_number(flow, CODER_LENGTH, 0, true);
    bool ok = group->memory_paths <= WARP_PATHS_MOST && group->full_paths <= WARP_PATHS_MOST;
    const struct byte_reader *tags = &flow->in[CODER_LENGTH];
    while (ok && tags->at < tags->end && !tags->bad)
        ok = read_item(&head);
    ok = ok && read_codes(group, flow) && !coder_failed(flow) && !group->texts.failed;
    lines_finish(&head.lines);
    map_finish(&head.codes);
    return ok;
}

const char *group_init(struct group *group, const struct frame_header *frames,
                       const uint8_t *data)
{
    *group = (struct group){.frames = *frames};
    if (layouts_init(&group->layouts) != 0)
        return "does not fit into memory";
    return group_load(group, FRAME_HEAD, data);
}

void group_finish(struct group *group)
{
    for (int f = 0; f < FRAMES; f++)
        bytes_finish(&group->raw[f]);
    bytes_finish(&group->texts);
    free(group->items);
    for (uint32_t i = 0; i < group->code_count; i++)
        code_finish(&group->codes[i]);
    free(group->codes);
    warp_paths_finish(&group->paths);
    layouts_finish(&group->layouts);
    *group = (struct group){0};
}

/* ---- other frames ------------------------------------------------------ */

static bool read_memory_paths(struct group *group)
{
    for (uint64_t i = 0; i < group->memory_paths; i++)
        if (!warp_paths_read_memory(&group->paths, &group->flow, group->codes,
                                    group->code_count) ||
            group->flow.in[CODER_MEMORY_DEF].bad)
            return false;
    return true;
}

static bool read_full_paths(struct group *group)
{
    for (uint64_t i = 0; i < group->full_paths; i++)
        if (!warp_paths_read_full(&group->paths, &group->flow, group->codes) ||
            group->flow.in[CODER_CONTROL_DEF].bad || group->flow.in[CODER_SEGMENT].bad)
            return false;
    return true;
}

static bool read_layouts(struct group *group)
{
    for (uint64_t i = 0; i < group->layout_count; i++)
        if (!layouts_read(&group->layouts, &group->flow))
            return false;
    return true;
}

static bool (*const readers[FRAMES])(struct group *group) = {read_head, read_memory_paths,
                                                             read_full_paths, read_layouts};

const char *group_load(struct group *group, enum frame frame, const uint8_t *data)
{
    if (group->loaded[frame])
        return NULL;
    const char *wrong =
        frame_unpack(&group->frames, frame, data, &group->raw[frame], group->flow.in);
    if (wrong == NULL && !readers[frame](group))
        wrong = "is not understood";
    group->loaded[frame] = wrong == NULL;
    return wrong;
}

bool group_open_part(const struct group *group, const struct group_item *item,
                     struct coder *flow)
{
    coder_begin_part(flow);
    for (int s = CODER_HEAD_END; s < CODER_STREAMS; s++) {
        const struct byte_reader *all = &group->flow.in[s];
        flow->in[s] = (struct byte_reader){0};
        if (!coder_is_part((enum coder_stream)s) || all->at == NULL)
            continue;
        uint64_t size = (uint64_t)(all->end - all->at);
        if (item->offsets[s] > size || item->info.lengths[s] > size - item->offsets[s])
            return false;
        const uint8_t *at = all->at + item->offsets[s];
        flow->in[s] = (struct byte_reader){at, at + item->info.lengths[s], false};
    }
    return true;
}
