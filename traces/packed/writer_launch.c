/* Launches of packed files as they are written, and their parts. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/packed/code_group.h"
#include "traces/packed/writer_state.h"

/* Elements of paths after which a group is closed. */
#define WRITER_ELEMENTS (WARP_PATHS_MOST / 8)

/* ---- parts ------------------------------------------------------------- */

/* The code of the kernel whose name's line is template NAME. */
static uint32_t find_code(struct pending_launch *group, uint32_t name)
{
    uint64_t key = map_key(name, 0);
    uint32_t i = map_get(&group->codes_by_name, key);
    if (i != MAP_NONE)
        return i;
    i = group->code_count;
    void *more = reallocarray(group->codes, (size_t)i + 1, sizeof *group->codes);
    if (more == NULL)
        return MAP_NONE;
    group->codes = more;
    group->codes[i] = calloc(1, sizeof **group->codes);
    if (group->codes[i] == NULL || !map_set(&group->codes_by_name, key, i)) {
        free(group->codes[i]);
        return MAP_NONE;
    }
    group->code_count++;
    return i;
}

/* Starts a part with `info` set but for its code. */
static int begin_part(struct packed_writer *writer, uint32_t code, struct error *err)
{
    struct pending_launch *group = &writer->group;
    if (code == MAP_NONE)
        return writer_out_of_memory(writer, err);
    writer->info.code = code;
    writer->info.memory_path = group->paths.memory.count;
    writer->info.full_path = group->paths.full.count;
    for (int s = 0; s < CODER_STREAMS; s++)
        writer->starts[s] = group->flow.out[s].size;
    coder_begin_part(&group->flow);
    group->items++;
    writer->in_launch = true;
    part_init(&writer->part, &writer->info, group->codes[code], &group->paths, writer->warps);
    return 0;
}

static int end_part(struct packed_writer *writer, struct error *err)
{
    struct coder *flow = &writer->group.flow;
    for (int s = 0; s < CODER_STREAMS; s++)
        writer->info.lengths[s] = (uint32_t)(flow->out[s].size - writer->starts[s]);
    part_code_info(&writer->info, flow, false);
    part_finish(&writer->part);
    writer->in_launch = false;
    return coder_failed(flow) ? writer_out_of_memory(writer, err) : 0;
}

static uint64_t raw_bytes(const struct coder *flow)
{
    uint64_t bytes = 0;
    for (int s = 0; s < CODER_STREAMS; s++)
        bytes += flow->out[s].size;
    return bytes;
}

/* Whether the group holds TIMES as much as it should. */
static bool is_full(const struct packed_writer *writer, uint64_t times)
{
    const struct pending_launch *group = &writer->group;
    return group->records >= times * writer->options.group_records ||
           group->paths.memory.used + group->paths.full.used >= times * WRITER_ELEMENTS ||
           raw_bytes(&group->flow) >= times * WRITER_BYTES;
}

/* Closes a group that is full while a launch is being written. */
static int split(struct packed_writer *writer, struct error *err)
{
    struct part_info info = {.block = writer->part.events.block + 1};
    const struct event *last = &writer->part.events.last;
    if (last->kind != EVENT_END)
        info.warp = last->kind == EVENT_BLOCK ? 1 : last->value + 2;
    if (end_part(writer, err) != 0 || writer_close_group(writer, true, err) != 0 ||
        writer_begin_group(writer, err) != 0)
        return -1;
    coder_number(&writer->group.flow, CODER_LENGTH, GROUP_CONTINUES, false);
    writer->info = info;
    return begin_part(writer, find_code(&writer->group, GROUP_CONTINUED), err);
}

/* ---- launches ---------------------------------------------------------- */

static int write_line(struct packed_writer *writer, enum group_tag tag, const char *line,
                      size_t length, struct error *err)
{
    struct pending_launch *group = &writer->group;
    coder_number(&group->flow, CODER_LENGTH, tag, false);
    group->items++;
    return lines_write(&group->lines, &group->flow, 0, line, length) != MAP_NONE
               ? 0
               : writer_out_of_memory(writer, err);
}

/* A full group is closed only before it takes more, not as soon as it is full, so
 * that the list's last lines need no group of their own. */
static int make_room(struct packed_writer *writer, struct error *err)
{
    if (!is_full(writer, 1) && writer->group.items < WRITER_ITEMS)
        return 0;
    return writer_close_group(writer, false, err) != 0 ? -1 : writer_begin_group(writer, err);
}

int packed_writer_functions(struct packed_writer *writer, const void *text, size_t length,
                            struct error *err)
{
    if (writer->code.size > 0 && writer->code.size + length > CODE_GROUP_BYTES &&
        (writer_close_group(writer, false, err) != 0 || writer_begin_group(writer, err) != 0))
        return -1;
    bytes_put(&writer->code, text, length);
    return writer->code.failed ? writer_out_of_memory(writer, err) : 0;
}

int packed_writer_line(struct packed_writer *writer, const char *line, size_t length,
                       struct error *err)
{
    if (writer->options.launch_groups) {
        bytes_put(&writer->start.lines, line, length);
        bytes_byte(&writer->start.lines, '\n');
    }
    return write_line(writer, GROUP_LINE, line, length, err);
}

/* Writes the lines of a header. Returns its code, MAP_NONE on failure. */
static uint32_t write_header(struct pending_launch *group, const char *header, size_t length)
{
    uint32_t name = MAP_NONE;
    uint64_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += header[i] == '\n';
    coder_number(&group->flow, CODER_LENGTH, count, false);
    for (const char *at = header, *end; at < header + length; at = end + 1) {
        end = memchr(at, '\n', (size_t)(header + length - at));
        size_t n = (size_t)(end - at);
        uint32_t line = lines_write(&group->lines, &group->flow, name + 1, at, n);
        if (line == MAP_NONE)
            return MAP_NONE;
        if (group_is_name(at, n))
            name = line;
    }
    return find_code(group, name);
}

/* All groups before this one are in the file. */
static int note_start(struct packed_writer *writer, struct error *err)
{
    struct launch_start *start = &writer->start;
    start->at = ftello(writer->file);
    start->groups = writer->groups;
    start->index = writer->index.size;
    return start->lines.failed ? writer_out_of_memory(writer, err) : 0;
}

int packed_writer_begin_launch(struct packed_writer *writer, const char *line,
                               const char *header, size_t header_length, uint32_t warps,
                               struct error *err)
{
    if (make_room(writer, err) != 0 ||
        write_line(writer, GROUP_LAUNCH, line, strlen(line), err) != 0)
        return -1;
    if (writer->options.launch_groups && note_start(writer, err) != 0)
        return -1;
    writer->launches++;
    writer->warps = warps;
    writer->info = (struct part_info){.flags = PART_STARTS};
    return begin_part(writer, write_header(&writer->group, header, header_length), err);
}

struct code *packed_writer_code(struct packed_writer *writer)
{
    return writer->group.codes[writer->info.code];
}

uint64_t packed_writer_group(const struct packed_writer *writer)
{
    return writer->groups;
}

static int code_layout(struct packed_writer *writer, enum layout_place place, const void *text,
                       size_t length, struct error *err)
{
    struct pending_launch *group = &writer->group;
    uint32_t layout = layouts_add(&group->layouts, &group->flow, text, length);
    if (layout == UINT32_MAX)
        return writer_out_of_memory(writer, err);
    print_layout(&writer->part.print, &group->flow, place, layout, false);
    return 0;
}

int packed_writer_event(struct packed_writer *writer, const struct event *event,
                        const void *text, size_t length, struct error *err)
{
    static const enum layout_place places[] = {
        [EVENT_BLOCK] = LAYOUT_BLOCK,
        [EVENT_WARP] = LAYOUT_WARP,
        [EVENT_LONG] = LAYOUT_WARP,
        [EVENT_END] = LAYOUT_END,
    };
    /* Blocks are not torn apart if that can be helped. */
    bool full = event->kind == EVENT_BLOCK ? is_full(writer, 1)
                                           : event->kind != EVENT_END && is_full(writer, 2);
    if (full && split(writer, err) != 0)
        return -1;
    events_write(&writer->part.events, &writer->group.flow, event);
    writer->info.events++;
    writer->info.blocks += event->kind == EVENT_BLOCK;
    part_begin(&writer->part, event);
    if (event->kind == EVENT_MORE)
        return 0;
    return code_layout(writer, places[event->kind], text, length, err);
}

int packed_writer_piece(struct packed_writer *writer, struct piece *piece, struct error *err)
{
    struct coder *flow = &writer->group.flow;
    struct part *part = &writer->part;
    if (part_fit(part) != 0)
        return writer_out_of_memory(writer, err);
    uint32_t path = memory_write(&part->memory, flow, piece);
    if (path == MAP_NONE || !control_write(&part->control, flow, path, piece))
        return writer_out_of_memory(writer, err);
    print_write(&part->print, flow, piece);
    writer->info.records += piece->count;
    writer->info.memory_records += piece->memory_count;
    writer->group.records += piece->count;
    return coder_failed(flow) ? writer_out_of_memory(writer, err) : 0;
}

int packed_writer_end_launch(struct packed_writer *writer, const char *text, size_t length,
                             struct error *err)
{
    if (part_fit(&writer->part) != 0)
        return writer_out_of_memory(writer, err);
    if (code_layout(writer, LAYOUT_FILE, text, length, err) != 0)
        return -1;
    writer->info.flags |= PART_ENDS;
    if (end_part(writer, err) != 0)
        return -1;
    if (writer->options.launch_groups)
        return writer_close_group(writer, false, err) != 0 ? -1
                                                           : writer_begin_group(writer, err);
    const struct pending_launch *group = &writer->group;
    const struct pack_counts now = writer_counts(group);
    return recovery_log_add(&writer->redo, writer->groups, &now, &group->flow, group->codes,
                            group->code_count, err);
}

/* The lines that stood in front of the launch, again. */
static int repeat_lines(struct packed_writer *writer, struct error *err)
{
    const struct bytes lines = writer->start.lines;
    const char *at = (const char *)lines.data;
    int rc = 0;
    for (size_t left = lines.size; left > 0 && rc == 0;) {
        size_t length = (size_t)((const char *)memchr(at, '\n', left) - at);
        rc = write_line(writer, GROUP_LINE, at, length, err);
        at += length + 1;
        left -= length + 1;
    }
    return rc;
}

int packed_writer_drop_launch(struct packed_writer *writer, struct error *err)
{
    const struct launch_start *start = &writer->start;
    if (writer->in_launch)
        part_finish(&writer->part);
    writer->in_launch = false;
    writer_finish_group(&writer->group);
    writer->launches--;
    writer->groups = start->groups;
    writer->index.size = start->index;
    if (writer_flush(writer, err) != 0)
        return -1;
    if (ftruncate(fileno(writer->file), start->at) != 0 ||
        fseeko(writer->file, start->at, SEEK_SET) != 0)
        return writer_cannot_write(writer, err);
    return writer_begin_group(writer, err) == 0 ? repeat_lines(writer, err) : -1;
}
