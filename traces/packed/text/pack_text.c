#include "traces/packed/text/pack_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/packed/models/template.h"
#include "traces/packed/text/pack_line.h"
#include "traces/text/header.h"
#include "traces/text/walk.h"

struct packing {
    struct packed_writer *writer;
    const char *name; /* of the launch in the list */
    struct trace_header header;
    struct walk walk;
    struct pack_line line;
    struct bytes head; /* the header's text, until the launch begins */
    struct bytes text; /* lines that no record holds, up to now */
    bool begun;        /* the launch */
    /* Of the warp: its records go to the writer piece by piece. */
    struct event event;
    struct code *code;
    struct piece piece;
    uint32_t piece_size;
    uint32_t previous; /* instruction */
};

static int out_of_memory(const struct packing *packing, struct error *err)
{
    return error_no_memory_for(err, ERROR_TRACE, packing->walk.source->name);
}

/* ---- texts ------------------------------------------------------------- */

/* Appends text that is to be printed as it is. */
static void put_text(struct bytes *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bytes_byte(out, (uint8_t)text[i]);
        if (text[i] == TEMPLATE_MARK)
            bytes_byte(out, TEMPLATE_ESCAPE);
    }
}

/* Appends the current line; the COUNT numbers at VALUE, separated by commas,
 * follow from the launch unless they are printed in an unusual way. */
static int put_line(struct packing *packing, const char *value, int count, struct error *err)
{
    const struct source *source = packing->walk.source;
    const char *at = source->at, *end = at + source_line_length(source);
    struct bytes *text = &packing->text;
    for (int i = 0; i < count; i++) {
        uint64_t number;
        const char *after = scan_decimal(value, UINT64_MAX, &number);
        bool usual = *value != '0' || after - value == 1;
        put_text(text, at, (size_t)(value - at));
        bytes_byte(text, TEMPLATE_MARK);
        bytes_byte(text, usual ? TEMPLATE_DECIMAL : TEMPLATE_SKIP);
        at = usual ? after : value;
        value = after + 1;
    }
    put_text(text, at, (size_t)(end - at));
    return text->failed ? out_of_memory(packing, err) : 0;
}

static int send(struct packing *packing, struct event event, struct error *err)
{
    int rc = packed_writer_event(packing->writer, &event, packing->text.data,
                                 packing->text.size, err);
    packing->text.size = 0;
    return rc;
}

/* ---- blocks ------------------------------------------------------------ */

/* Begins the launch. The header's text is all before the empty line before the
 * first block. */
static int begin_launch(struct packing *packing, struct error *err)
{
    struct bytes *head = &packing->head;
    size_t n = head->size;
    if (n >= 2 && head->data[n - 1] == '\n' && head->data[n - 2] == '\n') {
        head->size--;
        bytes_byte(&packing->text, '\n');
    }
    packing->begun = true;
    int rc = packed_writer_begin_launch(packing->writer, packing->name, (char *)head->data,
                                        head->size, packing->walk.warps, err);
    bytes_finish(head);
    return rc;
}

static int begin_block(struct walk *walk, struct error *err)
{
    struct packing *packing = walk->data;
    if (!packing->begun && begin_launch(packing, err) != 0)
        return -1;
    return put_line(packing, NULL, 0, err);
}

static int read_index(struct walk *walk, const char *value, struct error *err)
{
    struct packing *packing = walk->data;
    const uint32_t *index = walk->index, *grid = packing->header.grid;
    uint64_t number = ((uint64_t)index[2] * grid[1] + index[1]) * grid[0] + index[0];
    if (put_line(packing, value, 3, err) != 0)
        return -1;
    return send(packing, (struct event){.kind = EVENT_BLOCK, .value = number}, err);
}

static int begin_warp(struct walk *walk, const char *value, struct error *err)
{
    struct packing *packing = walk->data;
    const uint32_t *index = walk->index;
    packing->line.ids_length = (size_t)snprintf(packing->line.ids, sizeof packing->line.ids,
                                                "%" PRIu32 " %" PRIu32 " %" PRIu32 " %u ",
                                                index[0], index[1], index[2], walk->warp);
    return put_line(packing, value, 1, err);
}

static int end_block(struct walk *walk, struct error *err)
{
    struct packing *packing = walk->data;
    if (put_line(packing, NULL, 0, err) != 0)
        return -1;
    return send(packing, (struct event){.kind = EVENT_END}, err);
}

/* Lines between instructions are kept as they are, with the next one. */
static int put_other(struct walk *walk, struct error *err)
{
    struct packing *packing = walk->data;
    struct bytes *text = packing->begun ? &packing->text : &packing->head;
    bool within = walk->in_warp && walk->found < walk->announced;
    if (!packing->begun || within || text->size > SOURCE_KEEP_MAX) /* then an error */
        return source_keep_line(walk->source, text, err);
    return put_line(packing, NULL, 0, err);
}

/* ---- instructions ------------------------------------------------------ */

/* Sends the event before the next piece of a warp's instructions, of which LEFT
 * are to come, and the piece if it is empty. */
static int begin_piece(struct packing *packing, uint64_t left, struct error *err)
{
    const struct code *code = packed_writer_code(packing->writer);
    if (send(packing, packing->event, err) != 0)
        return -1;
    packing->code = packed_writer_code(packing->writer);
    if (packing->code != code)
        packing->previous = MAP_NONE;
    packing->event.kind = EVENT_MORE;
    packing->piece_size = left > PIECE_MOST ? PIECE_MOST : (uint32_t)left;
    piece_clear(&packing->piece);
    return left > 0 ? 0 : packed_writer_piece(packing->writer, &packing->piece, err);
}

static int begin_insts(struct walk *walk, const char *value, struct error *err)
{
    struct packing *packing = walk->data;
    packing->previous = MAP_NONE;
    packing->event =
        (struct event){.kind = walk->announced > PIECE_MOST ? EVENT_LONG : EVENT_WARP,
                       .value = walk->warp,
                       .total = walk->announced};
    if (put_line(packing, value, 1, err) != 0)
        return -1;
    return begin_piece(packing, walk->announced, err);
}

static const char *read_inst(struct walk *walk, const char *at, struct error *err)
{
    struct packing *packing = walk->data;
    struct piece *piece = &packing->piece;
    if (at != walk->source->at) /* blanks before it: the line is kept as it is */
        bytes_put(&packing->text, walk->source->at, (size_t)(at - walk->source->at));
    const char *next = pack_line_read(&packing->line, packing->code, packing->previous, at,
                                      &packing->text, piece);
    if (next == NULL)
        return walk_bad_line(walk, &packing->line.reader, err);
    packing->text.size = 0;
    packing->previous = piece->insts[piece->count - 1];
    if (piece->count < packing->piece_size)
        return next;
    uint64_t left = walk->announced - walk->found - 1;
    if (packed_writer_piece(packing->writer, piece, err) != 0 ||
        (left > 0 && begin_piece(packing, left, err) != 0))
        return NULL;
    return next;
}

/* ---- all --------------------------------------------------------------- */

static const struct walk_ops walk_ops = {
    .begin_block = begin_block,
    .index = read_index,
    .begin_warp = begin_warp,
    .insts = begin_insts,
    .inst = read_inst,
    .end_block = end_block,
    .other = put_other,
};

static int pack(struct packing *packing, struct source *source, struct error *err)
{
    int rc = header_read(&packing->header, source, &packing->head, err);
    if (rc != 0)
        return rc;
    walk_init(&packing->walk, &walk_ops, packing, source, &packing->header);
    if (piece_init(&packing->piece) != 0 ||
        pack_line_init(&packing->line, &packing->header, packing->header.version < 30) != 0)
        return out_of_memory(packing, err);
    while ((rc = walk_next(&packing->walk, err)) > WALK_END)
        ;
    return rc < 0 ? -1
                  : packed_writer_end_launch(packing->writer, (char *)packing->text.data,
                                             packing->text.size, err);
}

int pack_text(struct packed_writer *writer, const char *line, struct source *source,
              struct error *err)
{
    struct packing *packing = calloc(1, sizeof *packing);
    if (packing == NULL)
        return error_no_memory_for(err, ERROR_TRACE, source->name);
    packing->writer = writer;
    packing->name = line;
    int rc = pack(packing, source, err);
    pack_line_finish(&packing->line);
    header_finish(&packing->header);
    piece_finish(&packing->piece);
    bytes_finish(&packing->head);
    bytes_finish(&packing->text);
    free(packing);
    return rc;
}
