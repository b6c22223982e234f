#include "traces/packed/text/unpack.h"

#include <stdlib.h>
#include <string.h>

#include "traces/packed/models/template.h"
#include "traces/text/header.h"
#include "traces/text/line.h"

/* Text that is collected before it is handed on. */
#define CHUNK_TEXT ((size_t)1 << 16)

struct unpack {
    char *name;
    struct trace_header header;
    const struct group *group;
    const struct group_item *item;
    struct coder flow;
    struct part part;
    bool in_part;
    uint64_t events; /* of the part, read so far */
    struct bytes out;
    struct piece piece;
    uint64_t block; /* number in the grid */
    uint64_t numbers[3];
    uint32_t warp;
    char ids[64];
    size_t ids_length;
};

struct unpack *unpack_create(const char *name)
{
    struct unpack *unpack = calloc(1, sizeof *unpack);
    if (unpack == NULL || (unpack->name = strdup(name)) == NULL ||
        piece_init(&unpack->piece) != 0) {
        unpack_destroy(unpack);
        return NULL;
    }
    return unpack;
}

static void end_part(struct unpack *unpack)
{
    if (unpack->in_part)
        part_finish(&unpack->part);
    unpack->in_part = false;
}

void unpack_destroy(struct unpack *unpack)
{
    if (unpack == NULL)
        return;
    end_part(unpack);
    header_finish(&unpack->header);
    piece_finish(&unpack->piece);
    bytes_finish(&unpack->out);
    free(unpack->name);
    free(unpack);
}

static int corrupt(const struct unpack *unpack, struct error *err)
{
    return error_undecoded(err, unpack->name, 0, 0, "the records of a launch make no sense");
}

/* ---- lines ------------------------------------------------------------- */

static void print_address(struct bytes *out, uint64_t address, bool wide)
{
    bytes_put(out, " 0x", 3);
    template_hex(out, address, wide ? 16 : 1);
}

static void print_distance(struct bytes *out, uint64_t distance)
{
    bytes_byte(out, ' ');
    if ((int64_t)distance < 0)
        bytes_byte(out, '-');
    template_decimal(out, (int64_t)distance < 0 ? 0 - distance : distance);
}

static void print_addresses(struct bytes *out, const struct piece *piece, uint32_t i, bool wide)
{
    uint64_t addresses[32] = {0};
    const struct piece_mode *mode = &piece->modes[i];
    uint32_t mask = piece->memory_masks[i];
    int n = __builtin_popcount(mask);
    if (n > 0)
        piece_addresses(piece, &piece->accesses[i], mask, addresses);
    bytes_byte(out, (uint8_t)('0' + mode->mode));
    if (mode->mode == 0) {
        for (int k = 0; k < n; k++)
            print_address(out, addresses[k], wide);
        return;
    }
    print_address(out, n > 0 ? addresses[0] : mode->base, wide);
    if (mode->mode == 1) {
        print_distance(out, n > 1 ? addresses[1] - addresses[0] : mode->stride);
        return;
    }
    for (int k = 1; k < n; k++)
        print_distance(out, addresses[k] - addresses[k - 1]);
}

/* Prints record I with what it has of addresses (AT among the memory records)
 * and NUMBERS of its tail. */
static void print_record(struct unpack *unpack, const struct code *code, uint32_t i,
                         uint32_t at, const uint64_t *numbers)
{
    struct bytes *out = &unpack->out;
    const struct code_inst *inst = &code->insts[unpack->piece.insts[i]];
    const char *pre = code_pre(code, inst);
    bytes_put(out, unpack->ids, unpack->ids_length);
    bytes_put(out, pre, inst->pre);
    template_hex(out, unpack->piece.masks[i], 8);
    bytes_put(out, pre + inst->pre, inst->post);
    if (inst->flags & CODE_ADDRESSES) {
        const char *tail = pre + inst->pre + inst->post;
        print_addresses(out, &unpack->piece, at, inst->flags & CODE_WIDE);
        if (inst->flags & CODE_DYNAMIC)
            template_join((const uint8_t *)tail, inst->tail, numbers, out);
        else
            bytes_put(out, tail, inst->tail);
    }
    if (unpack->piece.actives[i] != unpack->piece.masks[i]) {
        bytes_byte(out, LINE_ACTIVE);
        template_hex(out, unpack->piece.actives[i], 8);
    }
    bytes_byte(out, '\n');
}

static void print_piece(struct unpack *unpack, const struct code *code)
{
    const struct piece *piece = &unpack->piece;
    uint32_t memory = 0;
    size_t numbers = 0, literal = 0;
    for (uint32_t i = 0; i < piece->count; i++) {
        const struct code_inst *inst = &code->insts[piece->insts[i]];
        if (literal < piece->literal_count && piece->literals[literal].record == i) {
            const struct piece_literal *text = &piece->literals[literal++];
            if (text->length > 0)
                bytes_put(&unpack->out, piece->texts.data + text->at, text->length);
            bytes_byte(&unpack->out, '\n');
        } else {
            const uint64_t *values = piece->numbers; /* NULL if no record has any */
            print_record(unpack, code, i, memory, values != NULL ? values + numbers : NULL);
        }
        if (inst->flags & CODE_MEMORY)
            memory++;
        numbers += inst->numbers;
    }
}

/* ---- events ------------------------------------------------------------ */

static bool print_layout_text(struct unpack *unpack, uint32_t layout, const uint64_t *numbers,
                              int count)
{
    const struct group *group = unpack->group;
    if (layout >= group->layouts.count)
        return false;
    const struct text_layout *item = &group->layouts.items[layout];
    const uint8_t *text = group->layouts.text.data + item->at;
    if (template_count(text, item->length) > count)
        return false;
    template_join(text, item->length, numbers, &unpack->out);
    return true;
}

static void set_numbers(struct unpack *unpack, const struct event *event, uint64_t total)
{
    const uint32_t *grid = unpack->header.grid;
    if (event->kind == EVENT_BLOCK) {
        unpack->block = event->value;
        unpack->numbers[0] = event->value % grid[0];
        unpack->numbers[1] = event->value / grid[0] % grid[1];
        unpack->numbers[2] = event->value / grid[0] / grid[1];
        return;
    }
    unpack->numbers[0] = unpack->warp = (uint32_t)event->value;
    unpack->numbers[1] = total;
}

static void set_ids(struct unpack *unpack)
{
    const uint32_t *grid = unpack->header.grid;
    struct bytes ids = {0};
    uint64_t block = unpack->block;
    const uint64_t numbers[] = {block % grid[0], block / grid[0] % grid[1],
                                block / grid[0] / grid[1], unpack->warp};
    unpack->ids_length = 0;
    if (unpack->header.version >= 30)
        return;
    for (int i = 0; i < 4; i++) {
        template_decimal(&ids, numbers[i]);
        bytes_byte(&ids, ' ');
    }
    if (!ids.failed && ids.size < sizeof unpack->ids) {
        memcpy(unpack->ids, ids.data, ids.size);
        unpack->ids_length = ids.size;
    }
    bytes_finish(&ids);
}

static bool read_piece(struct unpack *unpack, struct part *part, struct coder *flow)
{
    piece_clear(&unpack->piece);
    uint32_t path = memory_read(&part->memory, flow, &unpack->piece);
    if (path == MAP_NONE || !control_read(&part->control, flow, path, &unpack->piece))
        return false;
    print_read(&part->print, flow, &unpack->piece);
    return !part->print.failed && !coder_failed(flow);
}

static const enum layout_place places[] = {
    [EVENT_BLOCK] = LAYOUT_BLOCK,
    [EVENT_WARP] = LAYOUT_WARP,
    [EVENT_LONG] = LAYOUT_WARP,
    [EVENT_END] = LAYOUT_END,
};

static int print_event(struct unpack *unpack, struct error *err)
{
    struct event event;
    struct part *part = &unpack->part;
    struct coder *flow = &unpack->flow;
    events_read(&part->events, flow, &event);
    if (!part_begin(part, &event) || coder_failed(flow))
        return corrupt(unpack, err);
    bool records = event.kind != EVENT_BLOCK && event.kind != EVENT_END;
    uint32_t layout = 0;
    if (event.kind != EVENT_MORE)
        layout = print_layout(&part->print, flow, places[event.kind], 0, true);
    if (records && !read_piece(unpack, part, flow))
        return corrupt(unpack, err);
    if (event.kind != EVENT_MORE) {
        set_numbers(unpack, &event,
                    event.kind == EVENT_LONG ? event.total : unpack->piece.count);
        int count = event.kind == EVENT_BLOCK ? 3 : event.kind == EVENT_END ? 0 : 2;
        if (!print_layout_text(unpack, layout, unpack->numbers, count))
            return corrupt(unpack, err);
    }
    if (event.kind == EVENT_WARP || event.kind == EVENT_LONG)
        set_ids(unpack);
    if (records)
        print_piece(unpack, part->memory.code);
    return 0;
}

/* Reads and prints the header. */
static int begin_launch(struct unpack *unpack, const struct group *group,
                        const struct group_item *item, struct error *err)
{
    struct source source;
    const uint8_t *text = group->texts.data + item->header;
    header_finish(&unpack->header);
    bytes_put(&unpack->out, text, item->header_length);
    if (source_open_text(&source, unpack->name, text, item->header_length, err) != 0)
        return -1;
    int rc = header_read(&unpack->header, &source, NULL, err);
    source_finish(&source);
    return rc;
}

int unpack_begin(struct unpack *unpack, const struct group *group,
                 const struct group_item *item, struct error *err)
{
    end_part(unpack);
    unpack->out.size = 0;
    unpack->group = group;
    unpack->item = item;
    unpack->events = 0;
    if (item->tag == GROUP_LAUNCH && begin_launch(unpack, group, item, err) != 0)
        return -1;
    if (unpack->header.name == NULL || !group_open_part(group, item, &unpack->flow))
        return corrupt(unpack, err);
    part_init(&unpack->part, &item->info, &group->codes[item->info.code],
              (struct warp_paths *)&group->paths, header_warps(&unpack->header));
    unpack->in_part = true;
    if (part_fit(&unpack->part) != 0)
        return error_no_memory_for(err, ERROR_TRACE, unpack->name);
    return 0;
}

/* Ends the part; prints what follows the last block if the part ends the launch. */
static int print_end(struct unpack *unpack, struct error *err)
{
    bool ends = unpack->item->info.flags & PART_ENDS;
    uint32_t layout =
        ends ? print_layout(&unpack->part.print, &unpack->flow, LAYOUT_FILE, 0, true) : 0;
    end_part(unpack);
    return ends && !print_layout_text(unpack, layout, NULL, 0) ? corrupt(unpack, err) : 0;
}

int unpack_read(struct unpack *unpack, const void **text, size_t *size, struct error *err)
{
    /* What unpack_begin() printed is still there before the first event. */
    if (unpack->events > 0)
        unpack->out.size = 0;
    while (unpack->in_part && unpack->out.size < CHUNK_TEXT) {
        int rc = unpack->events < unpack->item->info.events ? print_event(unpack, err)
                                                            : print_end(unpack, err);
        if (rc != 0)
            return -1;
        unpack->events++;
    }
    if (unpack->out.failed)
        return error_no_memory_for(err, ERROR_TRACE, unpack->name);
    *text = unpack->out.data;
    *size = unpack->out.size;
    return unpack->out.size > 0;
}
