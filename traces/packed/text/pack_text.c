#define _GNU_SOURCE /* rawmemchr */
#include "traces/packed/text/pack_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/packed/models/template.h"
#include "traces/packed/text/pack_line.h"
#include "traces/text/header.h"

struct exact {
    struct packed_writer *writer;
    struct source *source;
    struct error *err;
    struct trace_header header;
    struct pack_line line;
    struct piece piece;
    struct bytes text; /* lines that no record holds, up to now */
    uint64_t warps, blocks, blocks_read;
    bool in_block, has_index, in_warp;
    uint32_t index[3];
    uint32_t warp;
    uint32_t seen; /* warps of the block */
};

static int out_of_memory(struct exact *exact)
{
    return source_error(exact->source, exact->err, NULL, "out of memory");
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
 * follow from the launch unless they are printed in an unusual way. Leaves the
 * line. */
static int put_line(struct exact *exact, const char *value, int count)
{
    struct source *source = exact->source;
    const char *end = rawmemchr(source->at, '\n'), *at = source->at;
    const char *line_end = source->at + source_line_length(source);
    for (int i = 0; i < count; i++) {
        uint64_t number;
        struct bytes usual = {0};
        const char *behind = scan_decimal(value, UINT64_MAX, &number);
        put_text(&exact->text, at, (size_t)(value - at));
        template_decimal(&usual, number);
        bool same = usual.size == (size_t)(behind - value);
        bytes_finish(&usual);
        bytes_byte(&exact->text, TEMPLATE_MARK);
        bytes_byte(&exact->text, same ? TEMPLATE_DECIMAL : TEMPLATE_SKIP);
        at = same ? behind : value;
        value = behind + 1;
    }
    put_text(&exact->text, at, (size_t)(line_end - at));
    source_advance(source, end + 1);
    return exact->text.failed ? out_of_memory(exact) : 0;
}

static int send(struct exact *exact, struct event event)
{
    int rc = packed_writer_event(exact->writer, &event, exact->text.data, exact->text.size,
                                 exact->err);
    exact->text.size = 0;
    return rc;
}

/* ---- header ------------------------------------------------------------ */

/* Collects the header's text: all before the empty line before the first
 * block. */
static int read_header_text(struct exact *exact, struct bytes *header)
{
    struct source *source = exact->source;
    int rc;
    while ((rc = source_line(source, exact->err)) == 1) {
        if (strncmp(scan_blanks(source->at), "#BEGIN_TB", 9) == 0)
            break;
        const char *end = rawmemchr(source->at, '\n');
        bytes_put(header, source->at, (size_t)(end + 1 - source->at));
        source_advance(source, end + 1);
    }
    size_t n = header->size;
    if (n >= 2 && header->data[n - 1] == '\n' && header->data[n - 2] == '\n') {
        header->size--;
        bytes_byte(&exact->text, '\n');
    }
    return rc < 0 ? -1 : header->failed ? out_of_memory(exact) : 0;
}

/* What readers make of the header. */
static int check_header(struct exact *exact, const struct bytes *text)
{
    struct source source;
    if (source_open_memory(&source, exact->source->name, text->data, text->size, exact->err) !=
        0)
        return -1;
    int rc = header_read(&exact->header, &source, exact->err);
    while (rc == 0 && (rc = source_line(&source, exact->err)) == 1) {
        const char *line = scan_blanks(source.at);
        if (*line != '\n' && *line != '#') {
            source_error(&source, exact->err, line, "#BEGIN_TB is expected");
            rc = -1;
            break;
        }
        source_skip(&source);
        rc = 0;
    }
    source_finish(&source);
    return rc;
}

static int begin(struct exact *exact, const char *line)
{
    struct bytes text = {0};
    int rc = read_header_text(exact, &text);
    if (rc == 0)
        rc = check_header(exact, &text);
    exact->blocks = rc == 0 ? header_blocks(&exact->header) : 0;
    exact->warps = rc == 0 ? header_warps(&exact->header) : 0;
    if (rc == 0)
        rc = packed_writer_begin_launch(exact->writer, line, (const char *)text.data, text.size,
                                        (uint32_t)exact->warps, exact->err);
    bytes_finish(&text);
    bool ids = exact->header.version < 30;
    if (rc == 0 && pack_line_init(&exact->line, &exact->header, ids) != 0)
        rc = out_of_memory(exact);
    return rc;
}

/* ---- instructions ------------------------------------------------------ */

static int fail_line(struct exact *exact)
{
    const struct line_reader *reader = &exact->line.reader;
    int length = (int)(scan_token_end(reader->failed_at) - reader->failed_at);
    return source_error(exact->source, exact->err, reader->failed_at,
                        length > 0 ? "%s, not '%.*s'" : "%s", reader->expected,
                        length < 40 ? length : 40, reader->failed_at);
}

static bool starts_instruction(char c)
{
    return scan_hex_digit[(uint8_t)c] < 16;
}

/* Reads COUNT instructions into the piece; FOUND were read of the warp's. */
static int read_piece(struct exact *exact, uint64_t found, uint64_t announced, uint32_t count,
                      uint32_t *previous)
{
    struct source *source = exact->source;
    struct code *code = packed_writer_code(exact->writer);
    piece_clear(&exact->piece);
    while (exact->piece.count < count) {
        int rc = source_line(source, exact->err);
        const char *at = rc == 1 ? scan_blanks(source->at) : "#";
        if (rc < 0)
            return -1;
        if (rc == 1 && (*at == '\n' || (*at == '#' && strncmp(at, "#END_TB", 7) != 0))) {
            const char *end = rawmemchr(at, '\n');
            bytes_put(&exact->text, source->at, (size_t)(end + 1 - source->at));
            source_advance(source, end + 1);
            continue;
        }
        if (!starts_instruction(*at))
            return source_error(source, exact->err, NULL,
                                "warp %u has %lu instructions, 'insts = %lu' was announced",
                                exact->warp, (unsigned long)(found + exact->piece.count),
                                (unsigned long)announced);
        if (at != source->at) /* blanks in front: the line is kept as it is */
            bytes_put(&exact->text, source->at, (size_t)(at - source->at));
        const char *next =
            pack_line_read(&exact->line, code, *previous, at, &exact->text, &exact->piece);
        if (next == NULL)
            return fail_line(exact);
        exact->text.size = 0;
        *previous = exact->piece.insts[exact->piece.count - 1];
        source_advance(source, next);
    }
    return packed_writer_piece(exact->writer, &exact->piece, exact->err);
}

static int read_instructions(struct exact *exact, uint64_t count)
{
    uint32_t previous = MAP_NONE;
    struct event event = {.kind = count > PIECE_MOST ? EVENT_LONG : EVENT_WARP,
                          .value = exact->warp,
                          .total = count};
    for (uint64_t found = 0; found < count || event.kind != EVENT_MORE;) {
        const struct code *code = packed_writer_code(exact->writer);
        uint64_t rest = count - found;
        if (send(exact, event) != 0)
            return -1;
        if (code != packed_writer_code(exact->writer))
            previous = MAP_NONE;
        uint32_t n = rest > PIECE_MOST ? PIECE_MOST : (uint32_t)rest;
        if (read_piece(exact, found, count, n, &previous) != 0)
            return -1;
        found += n;
        event.kind = EVENT_MORE;
    }
    return 0;
}

/* ---- blocks ------------------------------------------------------------ */

static bool has_key(const char *line, const char *key, const char **value)
{
    size_t n = strlen(key);
    if (strncmp(line, key, n) != 0)
        return false;
    line = scan_blanks(line + n);
    if (*line != '=')
        return false;
    *value = scan_blanks(line + 1);
    return true;
}

static int read_index(struct exact *exact, const char *value)
{
    struct source *source = exact->source;
    const char *at = value;
    const uint32_t *grid = exact->header.grid;
    uint64_t number[3];
    for (int i = 0; i < 3; i++) {
        const char *end = scan_decimal(at, UINT32_MAX, &number[i]);
        if (end == NULL || (i < 2 ? *end != ',' : *scan_blanks(end) != '\n'))
            return source_error(source, exact->err, at, "'thread block = x,y,z' is expected");
        at = end + 1;
    }
    if (number[0] >= grid[0] || number[1] >= grid[1] || number[2] >= grid[2])
        return source_error(source, exact->err, value,
                            "thread block %lu,%lu,%lu is not in the grid of (%u,%u,%u)",
                            (unsigned long)number[0], (unsigned long)number[1],
                            (unsigned long)number[2], grid[0], grid[1], grid[2]);
    if (exact->has_index)
        return source_error(source, exact->err, value,
                            "#BEGIN_TB is expected before the next 'thread block ='");
    for (int i = 0; i < 3; i++)
        exact->index[i] = (uint32_t)number[i];
    exact->has_index = true;
    exact->seen = 0;
    uint64_t linear = (number[2] * grid[1] + number[1]) * grid[0] + number[0];
    if (put_line(exact, value, 3) != 0)
        return -1;
    return send(exact, (struct event){.kind = EVENT_BLOCK, .value = linear});
}

static int read_warp(struct exact *exact, const char *value)
{
    struct source *source = exact->source;
    uint64_t warp;
    const char *end = scan_decimal(value, UINT32_MAX, &warp);
    if (end == NULL || *scan_blanks(end) != '\n')
        return source_error(source, exact->err, value, "'warp = W' is expected");
    if (warp >= exact->warps)
        return source_error(source, exact->err, value, "warp %lu; blocks have %lu warps",
                            (unsigned long)warp, (unsigned long)exact->warps);
    if (exact->seen >> warp & 1)
        return source_error(source, exact->err, value, "warp %lu is listed twice",
                            (unsigned long)warp);
    if (exact->in_warp || !exact->has_index)
        return source_error(source, exact->err, value, "'insts = N' is expected");
    exact->seen |= UINT32_C(1) << warp;
    exact->warp = (uint32_t)warp;
    exact->in_warp = true;
    const uint32_t *index = exact->index;
    exact->line.ids_length = (size_t)snprintf(exact->line.ids, sizeof exact->line.ids,
                                              "%" PRIu32 " %" PRIu32 " %" PRIu32 " %u ",
                                              index[0], index[1], index[2], exact->warp);
    return put_line(exact, value, 1);
}

static int read_insts(struct exact *exact, const char *value)
{
    uint64_t count;
    const char *end = scan_decimal(value, UINT64_MAX, &count);
    if (end == NULL || *scan_blanks(end) != '\n')
        return source_error(exact->source, exact->err, value, "'insts = N' is expected");
    if (!exact->in_warp)
        return source_error(exact->source, exact->err, NULL,
                            "'insts = N' is expected behind 'warp = W' only");
    exact->in_warp = false;
    return put_line(exact, value, 1) != 0 ? -1 : read_instructions(exact, count);
}

/* Whether the block may begin or end here, as BEGINS says. */
static int check_place(struct exact *exact, bool begins)
{
    struct source *source = exact->source;
    if (exact->in_block == begins)
        return source_error(source, exact->err, NULL,
                            begins ? "#END_TB is expected before the next #BEGIN_TB"
                                   : "#BEGIN_TB is expected");
    if (begins && exact->blocks_read == exact->blocks)
        return source_error(source, exact->err, NULL,
                            "more thread blocks than the %lu of the grid",
                            (unsigned long)exact->blocks);
    if (!begins && (exact->in_warp || !exact->has_index))
        return source_error(source, exact->err, NULL,
                            exact->has_index ? "'insts = N' is expected"
                                             : "a block without 'thread block = x,y,z'");
    return 0;
}

static int read_end(struct exact *exact)
{
    if (check_place(exact, false) != 0 || put_line(exact, NULL, 0) != 0)
        return -1;
    exact->in_block = exact->has_index = false;
    exact->blocks_read++;
    return send(exact, (struct event){.kind = EVENT_END});
}

/* One line that is no instruction of a warp. */
static int read_line(struct exact *exact, const char *line)
{
    struct source *source = exact->source;
    const char *value;
    if (strncmp(line, "#END_TB", 7) == 0)
        return read_end(exact);
    if (strncmp(line, "#BEGIN_TB", 9) == 0) {
        if (check_place(exact, true) != 0)
            return -1;
        exact->in_block = true;
    } else if (exact->in_block && has_key(line, "thread block", &value)) {
        return read_index(exact, value);
    } else if (exact->in_block && has_key(line, "warp", &value)) {
        return read_warp(exact, value);
    } else if (exact->in_block && has_key(line, "insts", &value)) {
        return read_insts(exact, value);
    } else if (*line != '\n' && *line != '#' && !(exact->in_block && scan_is_cluster(line))) {
        if (exact->in_block && starts_instruction(*line))
            return source_error(source, exact->err, NULL,
                                "an instruction beyond what 'insts = N' announced");
        return source_error(
            source, exact->err, line,
            exact->in_block ? "'warp = W', 'insts = N', an instruction or #END_TB is expected"
                            : "#BEGIN_TB is expected");
    }
    return put_line(exact, NULL, 0);
}

static int read_blocks(struct exact *exact)
{
    int rc;
    while ((rc = source_line(exact->source, exact->err)) == 1)
        if (read_line(exact, scan_blanks(exact->source->at)) != 0)
            return -1;
    if (rc < 0)
        return -1;
    if (exact->in_block)
        return source_error(exact->source, exact->err, NULL,
                            "#END_TB is expected, the trace ends");
    if (exact->blocks_read < exact->blocks)
        return source_error(exact->source, exact->err, NULL,
                            "the trace ends after %lu of the grid's %lu thread blocks",
                            (unsigned long)exact->blocks_read, (unsigned long)exact->blocks);
    return packed_writer_end_launch(exact->writer, (const char *)exact->text.data,
                                    exact->text.size, exact->err);
}

int pack_text(struct packed_writer *writer, const char *line, struct source *source,
              struct error *err)
{
    struct exact *exact = calloc(1, sizeof *exact);
    if (exact == NULL || piece_init(&exact->piece) != 0) {
        free(exact);
        return source_error(source, err, NULL, "out of memory");
    }
    exact->writer = writer;
    exact->source = source;
    exact->err = err;
    int rc = begin(exact, line);
    if (rc == 0)
        rc = read_blocks(exact);
    pack_line_finish(&exact->line);
    header_finish(&exact->header);
    piece_finish(&exact->piece);
    bytes_finish(&exact->text);
    free(exact);
    return rc;
}
