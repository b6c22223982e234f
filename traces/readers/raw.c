/* Raw traces: each line is of any thread block and warp. Blocks are made out of the records of
 * the sorted lines. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "traces/kernel.h"
#include "traces/readers/reader.h"
#include "traces/text/raw_lines.h"
#include "traces/text/text.h"

/* Bytes that a record usually has, with its addresses. */
#define ITEM_BYTES 48
#define WORDS_AT   offsetof(struct raw_item, words)

struct raw_blocks {
    struct raw_lines lines;
    struct bytes rest; /* of an item that goes on in the next piece of the sort */
    uint32_t next;     /* block */
};

/* Whether the first line after the header is an instruction. */
static bool probe(const struct source *source)
{
    bool header = false;
    for (const char *text = source->at, *next; text < source->end; text = next) {
        const char *newline = memchr(text, '\n', (size_t)(source->end - text));
        if (newline == NULL)
            return false;
        next = newline + 1;
        const char *line = scan_blanks(text);
        header |= *line == '-';
        if (*line != '-' && *line != '#' && *line != '\n')
            return header;
        if (strncmp(line, "#BEGIN_TB", 9) == 0)
            return false;
    }
    return false;
}

static int keep_record(struct raw_lines *lines, uint64_t key, struct line *line,
                       struct raw_item *item, const char *text, size_t length,
                       struct error *err)
{
    const struct trace_kernel *kernel = lines->data;
    if (!kernel_wants(kernel, &kernel->insts.items[line->record.inst]))
        return 0;
    kernel_strip(kernel, line);
    item->record = line->record;
    return line_sort_add(&lines->sort, key, item, WORDS_AT + line->words * sizeof *item->words,
                         err);
}

static int collect(struct trace_kernel *kernel, struct error *err)
{
    struct raw_blocks *raw = calloc(1, sizeof *raw);
    if (raw == NULL)
        return error_no_memory_for(err, ERROR_TRACE, kernel->source.name);
    kernel->raw = raw;
    raw->lines.data = kernel;
    kernel->pool.budget /= 2; /* the rest is for blocks */
    if (raw_lines_init(&raw->lines, kernel->pool.budget, ITEM_BYTES, kernel->spill.dir) != 0)
        return error_no_memory_for(err, ERROR_TRACE, kernel->source.name);
    return raw_lines_collect(&raw->lines, &kernel->source, &kernel->header, &kernel->insts,
                             keep_record, err);
}

/* Moves the whole items among SIZE bytes at DATA to the block. Returns how many
 * bytes that are, -1 on error. */
static long add_items(struct trace_kernel *kernel, const char *data, size_t size,
                      struct error *err)
{
    struct builder *builder = &kernel->builder;
    const char *at = data;
    struct trace_record record;
    while (size >= WORDS_AT) {
        memcpy(&record, at, sizeof record);
        size_t bytes = address_words(&record) * sizeof *builder->words;
        if (size < WORDS_AT + bytes)
            break;
        if (builder_reserve(builder, &kernel->spill, err) != 0)
            return -1;
        memcpy(builder->words + builder->word_count, at + WORDS_AT, bytes);
        builder_add(builder, record.inst, record.mask, record.mode);
        at += WORDS_AT + bytes;
        size -= WORDS_AT + bytes;
    }
    return at - data;
}

/* The same for a piece of the sort, which may end within an item. */
static int add_piece(struct trace_kernel *kernel, const char *piece, size_t size,
                     struct error *err)
{
    struct bytes *rest = &kernel->raw->rest;
    bool joined = rest->size > 0;
    if (joined) {
        bytes_put(rest, piece, size);
        piece = (const char *)rest->data;
        size = rest->size;
    }
    long done = rest->failed ? error_no_memory_for(err, ERROR_TRACE, kernel->source.name)
                             : add_items(kernel, piece, size, err);
    if (done < 0)
        return -1;
    size -= (size_t)done;
    if (joined)
        memmove(rest->data, piece + done, rest->size = size);
    else if (size > 0)
        bytes_put(rest, piece + done, size);
    return 0;
}

static int add_warp(struct trace_kernel *kernel, uint32_t warp, struct error *err)
{
    struct raw_blocks *raw = kernel->raw;
    uint64_t key = raw_key(raw->next, warp);
    const void *piece;
    size_t size;
    int rc;
    builder_warp(&kernel->builder, &kernel->spill, warp);
    while ((rc = line_sort_next(&raw->lines.sort, key, &piece, &size, err)) == 1)
        if (add_piece(kernel, piece, size, err) != 0)
            return -1;
    return rc == 0 ? builder_end_warp(&kernel->builder, &kernel->spill, err) : -1;
}

static int next_block(struct trace_kernel *kernel, struct trace_block **block,
                      struct error *err)
{
    if (kernel->raw == NULL && collect(kernel, err) != 0)
        return -1;
    struct raw_blocks *raw = kernel->raw;
    if (raw->next == raw->lines.block_count)
        return 0;
    builder_begin(&kernel->builder, kernel_block_limit(kernel));
    raw_lines_index(&raw->lines, raw->next, kernel->builder.index);
    for (uint32_t w = 0; w < kernel->warps; w++)
        if (add_warp(kernel, w, err) != 0)
            return -1;
    raw->next++;
    *block = builder_end(&kernel->builder, kernel, kernel->warps, err);
    return *block == NULL ? -1 : 1;
}

static void finish(struct trace_kernel *kernel)
{
    struct raw_blocks *raw = kernel->raw;
    if (raw == NULL)
        return;
    raw_lines_finish(&raw->lines);
    bytes_finish(&raw->rest);
    free(raw);
}

static const struct kernel_layout layout = {next_block, finish};

const struct trace_reader trace_reader_raw = {
    .policy = {"raw", NULL, "a raw trace"},
    .probe = probe,
    .layout = &layout,
    .group = text_group_raw,
};
