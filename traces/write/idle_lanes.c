#define _GNU_SOURCE /* memmem, rawmemchr */
#include "traces/write/idle_lanes.h"

#include <stdio.h>
#include <string.h>

#include "traces/address.h"
#include "traces/kernel.h"
#include "traces/text/line_address.h"
#include "traces/text/text_view.h"
#include "traces/write/sink_line.h"

#define LANES 32
/* The copies whose lanes may be idle. */
#define OPCODE " LDGSTS"

struct idle_view {
    struct text_view view;
    struct trace_idle_lanes idle;
};

/* A line of which lanes go. */
struct idle_line {
    const char *mask, *operands, *address, *rest; /* where these begin in it */
    struct trace_record record;
    const struct trace_inst *inst;
    struct trace_extras extras;
    uint64_t addresses[LANES]; /* of those that stay */
    uint32_t shared[LANES];    /* likewise, in shared memory, if HAS_SHARED */
    uint32_t left;             /* lanes that stay */
    bool has_shared;
};

/* ---- a line ------------------------------------------------------------ */

/* Finds the parts of the line at AT. Returns false if it is none. */
static bool find_parts(const struct text_view *view, const char *at, uint32_t length,
                       struct idle_line *line)
{
    struct line_reader reader = view->reader;
    uint32_t ids[4];
    uint64_t words[LANES];
    struct line_address list = {.words = words};
    at = scan_blanks(at);
    if (reader.ids && (at = line_read_ids(&reader, at, ids)) == NULL)
        return false;
    if (reader.lineinfo)
        at = scan_blanks(scan_token_end(at));
    line->mask = scan_blanks(scan_token_end(at));
    line->operands = scan_token_end(line->mask);
    line->address = scan_blanks(scan_blanks(line->operands) + length);
    line->rest = line_address_read(line->address, line->record.mask, &list);
    return line->rest != NULL;
}

/* Sorts the lanes into those that stay and others; WORDS are those of the record. */
static void sort_lanes(const struct trace_idle_lanes *idle, struct idle_line *line,
                       const uint64_t *words)
{
    uint64_t room[LANES];
    uint32_t shared[LANES], n = 0, kept = 0;
    const uint64_t *lanes = address_lanes(&line->record, words, room);
    line->has_shared = trace_extras_shared(&line->extras, &line->record, shared);
    line->left = 0;
    for (uint32_t mask = line->record.mask; mask != 0; mask &= mask - 1, n++) {
        if (idle->is_idle(idle->data, line->inst->pc, lanes[n]))
            continue;
        line->left |= mask & -mask;
        line->addresses[kept] = lanes[n];
        line->shared[kept++] = line->has_shared ? shared[n] : 0;
    }
}

static void put_text(struct bytes *out, const char *from, const char *to)
{
    bytes_put(out, from, (size_t)(to - from));
}

/* As the tracer has them: a base and a distance if these are all. */
static void put_addresses(struct bytes *out, const struct idle_line *line)
{
    char text[SINK_LINE_ROOM];
    const uint64_t *addresses = line->addresses;
    uint32_t count = (uint32_t)__builtin_popcount(line->left), i = 1;
    uint64_t stride[2] = {addresses[0], count > 1 ? addresses[1] - addresses[0] : 0};
    while (i < count && addresses[i] - addresses[i - 1] == stride[1])
        i++;
    bool evenly = i >= count;
    const struct trace_sink_inst inst = {.mask = line->left,
                                         .width = line->inst->width,
                                         .mode =
                                             evenly ? TRACE_ADDRESS_STRIDE : TRACE_ADDRESS_LIST,
                                         .words = evenly ? stride : addresses};
    put_text(out, text, sink_line_addresses(text, &inst));
}

static void put_number(struct bytes *out, uint32_t number)
{
    char text[16];
    int length = snprintf(text, sizeof text, "%c%u ", LINE_VALUE, number);
    bytes_put(out, text, (size_t)length);
}

/* The second addresses, likewise. */
static void put_shared(struct bytes *out, const struct idle_line *line)
{
    const uint32_t *shared = line->shared;
    uint32_t count = (uint32_t)__builtin_popcount(line->left), i = 1;
    uint32_t distance = count > 1 ? shared[1] - shared[0] : 0;
    while (i < count && shared[i] - shared[i - 1] == distance)
        i++;
    if (i < count) {
        for (i = 0; i < count; i++)
            put_number(out, shared[i]);
        return;
    }
    put_number(out, shared[0]);
    put_number(out, distance);
}

/* Puts the line at AT, which NEXT follows, with the lanes that stay. */
static void put_line(struct text_view *view, const struct idle_line *line, const char *at,
                     const char *next)
{
    struct bytes *out = &view->out;
    char text[16];
    const char *end = line->rest;
    while (*end != LINE_VALUE && *end != LINE_ACTIVE && *end != '\n')
        end++;
    put_text(out, at, line->mask);
    snprintf(text, sizeof text, "%08x", line->left);
    put_text(out, text, text + 8);
    put_text(out, line->operands, line->address);
    put_addresses(out, line);
    put_text(out, line->rest, end);
    if (line->has_shared && line->left != 0)
        put_shared(out, line);
    if (view->header.active_masks) {
        snprintf(text, sizeof text, "%c%08x", LINE_ACTIVE,
                 line->extras.has_active ? line->extras.active : line->record.mask);
        put_text(out, text, text + 9);
    }
    put_text(out, next - 1, next);
}

static const char *copy_inst(struct walk *walk, const char *at, struct error *err)
{
    const struct idle_view *idle = walk->data;
    struct text_view *view = walk->data;
    const char *begin = walk->source->at, *next = (const char *)rawmemchr(at, '\n') + 1;
    uint64_t words[LINE_MAX_WORDS];
    struct line read;
    struct idle_line line;
    if (memmem(at, (size_t)(next - at), OPCODE, sizeof OPCODE - 1) == NULL) {
        put_text(&view->out, begin, next);
        return next;
    }
    if (line_read(&view->reader, at, INSTS_NONE, &read, words) == NULL)
        return walk_bad_line(walk, &view->reader, err);
    line.record = read.record;
    line.record.address = 0;
    line.inst = &view->insts.items[read.record.inst];
    line.left = read.record.mask;
    if (read.record.mode != TRACE_ADDRESS_NONE && trace_extras_read(&line.extras, at) == NULL &&
        find_parts(view, at, view->insts.texts[read.record.inst].length, &line))
        sort_lanes(&idle->idle, &line, words);
    if (line.left != read.record.mask)
        put_line(view, &line, begin, next);
    else
        put_text(&view->out, begin, next);
    return next;
}

/* ---- all lines --------------------------------------------------------- */

static const struct text_view_ops ops = {
    .walk = {.begin_block = text_view_pass,
             .index = text_view_pass_value,
             .begin_warp = text_view_pass_value,
             .insts = text_view_pass_value,
             .inst = copy_inst,
             .end_block = text_view_pass,
             .other = text_view_pass},
};

int idle_lanes_open(struct source *source, const struct trace_idle_lanes *idle,
                    struct error *err)
{
    struct idle_view *view = text_view_open(source, &ops, sizeof *view, err);
    if (view != NULL)
        view->idle = *idle;
    return view != NULL ? 0 : -1;
}
