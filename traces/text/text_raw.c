/* Raw traces as grouped text. */
#include "traces/text/text.h"

#include <stdlib.h>
#include <string.h>

#include "traces/kernel.h"
#include "traces/packed/models/template.h"
#include "traces/text/raw_lines.h"

/* Text that is collected before it is handed on. */
#define CHUNK ((size_t)1 << 16)
/* Bytes that a line usually has. */
#define LINE_BYTES 96

struct raw {
    struct source inner;
    struct trace_header header;
    struct insts insts;
    struct raw_lines lines;
    bool memory_only;
    uint32_t warps;   /* of a block; 0: the header has not been read */
    uint64_t *counts; /* lines of each warp, block by block */
    size_t counted;   /* blocks in `counts` */
    struct bytes out; /* text to hand on */
    bool collected;
    uint32_t block, warp; /* the next to be printed */
    bool in_warp;
};

static int out_of_memory(const struct raw *raw, struct error *err)
{
    return error_no_memory_for(err, ERROR_TRACE, raw->inner.name);
}

/* ---- collecting -------------------------------------------------------- */

/* How many lines of the warp are kept. */
static uint64_t *count_of(struct raw *raw, uint32_t block, uint32_t warp)
{
    if (block >= raw->counted) {
        size_t blocks = 2 * (size_t)block + 2, size = raw->warps * sizeof *raw->counts;
        void *more = reallocarray(raw->counts, blocks, size);
        if (more == NULL)
            return NULL;
        raw->counts = more;
        memset((char *)more + raw->counted * size, 0, (blocks - raw->counted) * size);
        raw->counted = blocks;
    }
    return &raw->counts[(size_t)block * raw->warps + warp];
}

static int keep_line(struct raw_lines *lines, uint64_t key, struct line *line,
                     struct raw_item *item, const char *text, size_t length, struct error *err)
{
    struct raw *raw = lines->data;
    if (raw->memory_only && !kernel_keeps(&raw->insts.items[line->record.inst]))
        return 0;
    uint64_t *count = count_of(raw, raw_key_block(key), raw_key_warp(key));
    if (count == NULL)
        return out_of_memory(raw, err);
    ++*count;
    return line_sort_add(&lines->sort, key, text, length, err);
}

/* ---- printing ---------------------------------------------------------- */

static void print(struct bytes *out, const char *text)
{
    bytes_put(out, text, strlen(text));
}

static void print_block_start(struct raw *raw)
{
    uint32_t index[3];
    raw_lines_index(&raw->lines, raw->block, index);
    print(&raw->out, "\n#BEGIN_TB\n\nthread block = ");
    for (int i = 0; i < 3; i++) {
        template_decimal(&raw->out, index[i]);
        print(&raw->out, i < 2 ? "," : "\n");
    }
}

static void print_warp_start(struct raw *raw)
{
    if (raw->warp == 0)
        print_block_start(raw);
    print(&raw->out, "\nwarp = ");
    template_decimal(&raw->out, raw->warp);
    print(&raw->out, "\ninsts = ");
    template_decimal(&raw->out, *count_of(raw, raw->block, raw->warp));
    print(&raw->out, "\n");
}

/* Prints a warp, or as much of it as a chunk takes. */
static int print_warp(struct raw *raw, struct error *err)
{
    const void *text;
    size_t size;
    int rc = 1;
    if (!raw->in_warp)
        print_warp_start(raw);
    raw->in_warp = true;
    while (raw->out.size < CHUNK &&
           (rc = line_sort_next(&raw->lines.sort, raw_key(raw->block, raw->warp), &text, &size,
                                err)) == 1)
        bytes_put(&raw->out, text, size);
    if (rc != 0)
        return rc < 0 ? -1 : 0;
    raw->in_warp = false;
    if (++raw->warp == raw->warps) {
        print(&raw->out, "\n#END_TB\n");
        raw->warp = 0;
        raw->block++;
    }
    return 0;
}

/* ---- text -------------------------------------------------------------- */

/* Reads the header and the lines before the first instruction, into `out`. */
static int begin(struct raw *raw, struct error *err)
{
    struct source *source = &raw->inner;
    const struct trace_header *header = &raw->header;
    bool exact;
    int rc = header_read(&raw->header, source, &raw->out, err);
    while (rc == 0 && (rc = source_line(source, err)) == 1) {
        const char *line = scan_blanks(source->at);
        if (*line != '#' && *line != '\n')
            break;
        rc = source_keep_line(source, &raw->out, err);
        source_skip(source);
    }
    if (rc < 0)
        return -1;
    print(&raw->out, "\n"); /* as the tracer's own grouping */
    raw->warps = header_warps(header);
    return insts_init(&raw->insts, opcode_table_for(header->binary_version, &exact)) == 0
               ? 0
               : out_of_memory(raw, err);
}

static int read_raw(struct source *source, const void **text, size_t *size, struct error *err)
{
    struct raw *raw = source->stream;
    raw->out.size = 0;
    if (raw->warps == 0) {
        if (begin(raw, err) != 0)
            return -1;
    } else if (!raw->collected) {
        raw->collected = true;
        if (raw_lines_collect(&raw->lines, &raw->inner, &raw->header, &raw->insts, keep_line,
                              err) != 0)
            return -1;
    }
    while (raw->collected && raw->block < raw->lines.block_count && raw->out.size < CHUNK)
        if (print_warp(raw, err) != 0)
            return -1;
    if (raw->out.failed)
        return out_of_memory(raw, err);
    *text = raw->out.data;
    *size = raw->out.size;
    return raw->out.size > 0;
}

static void close_raw(struct source *source)
{
    struct raw *raw = source->stream;
    header_finish(&raw->header);
    insts_finish(&raw->insts);
    raw_lines_finish(&raw->lines);
    free(raw->counts);
    bytes_finish(&raw->out);
}

int text_group_raw(struct source *source, const struct trace_kernel_options *options,
                   struct error *err)
{
    static const struct source_ops ops = {read_raw, close_raw};
    static const struct trace_kernel_options standard = {0};
    struct raw *raw = source_wrap(source, &ops, sizeof *raw, err);
    if (raw == NULL)
        return -1;
    options = options != NULL ? options : &standard;
    raw->lines.data = raw;
    raw->memory_only = options->memory_only;
    if (raw_lines_init(&raw->lines, kernel_budget(options), LINE_BYTES, options->spill_dir) ==
        0)
        return 0;
    out_of_memory(raw, err);
    source_finish(source);
    return -1;
}
