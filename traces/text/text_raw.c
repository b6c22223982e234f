/* The text of a raw trace, grouped on the way as kernel_raw groups records:
 * lines are collected, sorted by block and warp, written to disk as runs where
 * they do not fit into memory, and merged. */
#define _GNU_SOURCE /* rawmemchr */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/kernel.h"
#include "traces/packed/models/template.h"
#include "traces/text/batch.h"
#include "traces/text/header.h"
#include "traces/text/raw_blocks.h"
#include "traces/text/text.h"

#define DEFAULT_BUDGET ((size_t)64 << 20)
#define MIN_LINES      256
/* Bytes of text that a line is taken to have. */
#define LINE_BYTES 96
#define RUN_BUFFER ((size_t)1 << 16)
#define CHUNK      ((size_t)1 << 16)
#define WARP_BITS  5
#define HINTS      8192

/* Lines in memory. */
struct lines_batch {
    uint64_t *keys; /* block << WARP_BITS | warp */
    uint32_t *order, *other;
    size_t *at; /* in `text`, one more than lines */
    size_t count, capacity;
    char *text;
    size_t used, size;
};

/* A sorted batch on disk: for each key that, the bytes, and the text. */
struct lines_run {
    uint64_t at, end;
    uint64_t key, left; /* the current piece; left bytes of it are unread */
    char *buffer;
    size_t buffer_at, buffer_size;
};

struct raw_text {
    struct source source;
    struct trace_header header;
    struct insts insts;
    struct line_reader reader;
    struct raw_blocks blocks;
    uint32_t *counts; /* lines of each key */
    size_t counts_size;
    uint32_t warps;
    struct lines_batch batch;
    size_t batch_at;
    struct spill spill;
    struct lines_run *runs;
    size_t run_count;
    uint32_t hints[HINTS];
    struct bytes out;
    bool collected, ended;
    uint64_t block, warp; /* the next to be printed */
};

/* ---- batch ------------------------------------------------------------- */

static int batch_make(struct lines_batch *batch, size_t bytes)
{
    size_t each = sizeof *batch->keys + 2 * sizeof *batch->order + sizeof *batch->at;
    size_t n = bytes / (each + LINE_BYTES);
    n = n < MIN_LINES ? MIN_LINES : n > UINT32_MAX / 2 ? UINT32_MAX / 2 : n;
    *batch = (struct lines_batch){.capacity = n, .size = n * LINE_BYTES + SOURCE_LINE_MAX};
    batch->keys = malloc(n * sizeof *batch->keys);
    batch->order = malloc(n * sizeof *batch->order);
    batch->other = malloc(n * sizeof *batch->other);
    batch->at = malloc((n + 1) * sizeof *batch->at);
    batch->text = malloc(batch->size);
    return batch->keys && batch->order && batch->other && batch->at && batch->text ? 0 : -1;
}

static void batch_free(struct lines_batch *batch)
{
    free(batch->keys);
    free(batch->order);
    free(batch->other);
    free(batch->at);
    free(batch->text);
}

static void batch_take(struct lines_batch *batch, uint64_t key, const char *text, size_t length)
{
    batch->keys[batch->count] = key;
    batch->at[batch->count++] = batch->used;
    memcpy(batch->text + batch->used, text, length);
    batch->used += length;
    batch->at[batch->count] = batch->used;
}

static void batch_order(struct lines_batch *batch)
{
    batch_sort_keys(batch->keys, &batch->order, &batch->other, batch->count);
}

/* ---- runs -------------------------------------------------------------- */

/* Collects what is written to disk in larger pieces. */
static int spill_bytes(struct raw_text *raw, const void *data, size_t size, struct error *err)
{
    bytes_put(&raw->out, data, size);
    if (raw->out.failed)
        return error_no_memory_for(err, ERROR_TRACE, raw->source.name);
    if (raw->out.size < CHUNK)
        return 0;
    int rc = spill_write(&raw->spill, raw->out.data, raw->out.size, err);
    raw->out.size = 0;
    return rc;
}

/* Writes the sorted lines FROM to TO, which are of one key. */
static int write_lines(struct raw_text *raw, size_t from, size_t to, struct error *err)
{
    const struct lines_batch *batch = &raw->batch;
    uint64_t head[2] = {batch->keys[batch->order[from]], 0};
    for (size_t i = from; i < to; i++)
        head[1] += batch->at[batch->order[i] + 1] - batch->at[batch->order[i]];
    if (spill_bytes(raw, head, sizeof head, err) != 0)
        return -1;
    for (size_t i = from; i < to; i++) {
        size_t at = batch->at[batch->order[i]];
        if (spill_bytes(raw, batch->text + at, batch->at[batch->order[i] + 1] - at, err) != 0)
            return -1;
    }
    return 0;
}

static size_t end_of_key(const struct lines_batch *batch, size_t from)
{
    size_t to = from;
    uint64_t key = batch->keys[batch->order[from]];
    while (to < batch->count && batch->keys[batch->order[to]] == key)
        to++;
    return to;
}

static int write_run(struct raw_text *raw, struct error *err)
{
    struct lines_batch *batch = &raw->batch;
    void *more = reallocarray(raw->runs, raw->run_count + 1, sizeof *raw->runs);
    if (more == NULL)
        return error_no_memory_for(err, ERROR_TRACE, raw->source.name);
    raw->runs = more;
    struct lines_run *run = &raw->runs[raw->run_count++];
    *run = (struct lines_run){.at = raw->spill.end};
    batch_order(batch);
    for (size_t i = 0, next; i < batch->count; i = next) {
        next = end_of_key(batch, i);
        if (write_lines(raw, i, next, err) != 0)
            return -1;
    }
    if (spill_write(&raw->spill, raw->out.data, raw->out.size, err) != 0)
        return -1;
    raw->out.size = 0;
    run->end = raw->spill.end;
    batch->count = batch->used = 0;
    return 0;
}

/* Makes sure that unread bytes are in the run's buffer. Returns 1, 0 at its
 * end, -1 on error. */
static int fill_run(struct raw_text *raw, struct lines_run *run, struct error *err)
{
    if (run->buffer_at < run->buffer_size)
        return 1;
    uint64_t left = run->end - run->at;
    if (left == 0)
        return 0;
    size_t wanted = left < RUN_BUFFER ? (size_t)left : RUN_BUFFER;
    long n = spill_read(&raw->spill, run->at, run->buffer, wanted, err);
    if (n < (long)wanted)
        return n < 0 ? -1
                     : error_set(err, ERROR_OUTPUT, raw->spill.dir, 0, 0,
                                 "temporary data is missing");
    spill_drop(&raw->spill, run->at, run->at + wanted);
    run->at += wanted;
    run->buffer_at = 0;
    run->buffer_size = wanted;
    return 1;
}

/* Reads the head of the run's next piece; `key` is UINT64_MAX behind the last. */
static int next_piece(struct raw_text *raw, struct lines_run *run, struct error *err)
{
    uint64_t head[2];
    run->key = UINT64_MAX;
    for (size_t done = 0; done < sizeof head;) {
        int rc = fill_run(raw, run, err);
        if (rc != 1)
            return rc;
        size_t n = run->buffer_size - run->buffer_at;
        n = n < sizeof head - done ? n : sizeof head - done;
        memcpy((char *)head + done, run->buffer + run->buffer_at, n);
        run->buffer_at += n;
        done += n;
    }
    run->key = head[0];
    run->left = head[1];
    return 0;
}

/* ---- collecting -------------------------------------------------------- */

/* The number of the line's block and warp, or UINT64_MAX on error. */
static uint64_t find_key(struct raw_text *raw, const struct line *line, struct error *err)
{
    const uint32_t *grid = raw->header.grid, *id = line->ids;
    if (id[0] >= grid[0] || id[1] >= grid[1] || id[2] >= grid[2] || id[3] >= raw->warps) {
        source_error(&raw->source, err, raw->source.at,
                     "thread block %u,%u,%u, warp %u is not in the grid of (%u,%u,%u) with "
                     "%u warps a block",
                     id[0], id[1], id[2], id[3], grid[0], grid[1], grid[2], raw->warps);
        return UINT64_MAX;
    }
    uint64_t linear = ((uint64_t)id[2] * grid[1] + id[1]) * grid[0] + id[0];
    uint32_t order = raw_blocks_order(&raw->blocks, linear);
    if (order == UINT32_MAX) {
        error_no_memory_for(err, ERROR_TRACE, raw->source.name);
        return UINT64_MAX;
    }
    return (uint64_t)order << WARP_BITS | id[3];
}

/* An LDGSTS has two lines, that of the shared side first: that one is dropped,
 * as the tracer's own grouping does. */
static bool is_shared_side(struct raw_text *raw, const struct line *line, uint64_t key)
{
    if (!(raw->insts.items[line->record.inst].flags & TRACE_INST_LDGSTS))
        return false;
    uint32_t *half = &raw->blocks.half[key >> WARP_BITS];
    uint32_t bit = UINT32_C(1) << (key & (BLOCK_MAX_WARPS - 1));
    *half ^= bit;
    return *half & bit;
}

static int count_line(struct raw_text *raw, uint64_t key, struct error *err)
{
    size_t at = (key >> WARP_BITS) * raw->warps + (key & (BLOCK_MAX_WARPS - 1));
    if (at >= raw->counts_size) {
        size_t size = 2 * (at + 1);
        void *more = reallocarray(raw->counts, size, sizeof *raw->counts);
        if (more == NULL)
            return error_no_memory_for(err, ERROR_TRACE, raw->source.name);
        raw->counts = more;
        memset(raw->counts + raw->counts_size, 0,
               (size - raw->counts_size) * sizeof *raw->counts);
        raw->counts_size = size;
    }
    raw->counts[at]++;
    return 0;
}

static const char *skip_ids(const char *at, uint32_t version)
{
    at = scan_blanks(at);
    for (int i = 0; i < line_ids(version); i++)
        at = scan_blanks(scan_token_end(at));
    return at;
}

static uint32_t *hint_for(struct raw_text *raw, const char *line)
{
    uint64_t hash = 0;
    for (int blanks = 0; blanks < 4 && *line != '\n'; line++) {
        blanks += *line == ' ';
        hash = hash * 31 + (uint8_t)*line;
    }
    return &raw->hints[hash * UINT64_C(0x9e3779b97f4a7c15) >> 51];
}

static int take_line(struct raw_text *raw, struct error *err)
{
    struct source *source = &raw->source;
    struct line line;
    uint64_t words[LINE_MAX_WORDS];
    uint32_t *hint = hint_for(raw, source->at);
    const char *next = line_read(&raw->reader, source->at, *hint, &line, words);
    if (next == NULL)
        return line_error(&raw->reader, source, err);
    uint64_t key = find_key(raw, &line, err);
    if (key == UINT64_MAX)
        return -1;
    *hint = line.record.inst;
    /* The ids moved to the blocks' headers with version 3. */
    const char *text =
        raw->header.version < 30 ? source->at : skip_ids(source->at, raw->header.version);
    if (!is_shared_side(raw, &line, key)) {
        if (count_line(raw, key, err) != 0)
            return -1;
        batch_take(&raw->batch, key, text, (size_t)(next - text));
    }
    source_advance(source, next);
    const struct lines_batch *batch = &raw->batch;
    bool full = batch->count == batch->capacity || batch->used + SOURCE_LINE_MAX > batch->size;
    return full ? write_run(raw, err) : 0;
}

static int collect(struct raw_text *raw, struct error *err)
{
    struct source *source = &raw->source;
    int rc;
    while ((rc = source_line(source, err)) == 1) {
        const char *line = scan_blanks(source->at);
        if (*line == '\n' || *line == '#')
            source_skip(source);
        else if (take_line(raw, err) != 0)
            return -1;
    }
    if (rc == 0 && raw->blocks.count < header_blocks(&raw->header))
        return source_error(source, err, NULL, "the trace has %lu of the grid's %lu blocks",
                            (unsigned long)raw->blocks.count,
                            (unsigned long)header_blocks(&raw->header));
    for (size_t i = 0; rc == 0 && i < raw->run_count; i++) {
        raw->runs[i].buffer = malloc(RUN_BUFFER);
        if (raw->runs[i].buffer == NULL)
            return error_no_memory_for(err, ERROR_TRACE, raw->source.name);
        rc = next_piece(raw, &raw->runs[i], err);
    }
    batch_order(&raw->batch);
    return rc;
}

/* ---- printing ---------------------------------------------------------- */

static int print_run(struct raw_text *raw, struct lines_run *run, uint64_t key,
                     struct error *err)
{
    while (run->key == key) {
        while (run->left > 0) {
            if (fill_run(raw, run, err) != 1)
                return -1;
            size_t n = run->buffer_size - run->buffer_at;
            n = n < run->left ? n : (size_t)run->left;
            bytes_put(&raw->out, run->buffer + run->buffer_at, n);
            run->buffer_at += n;
            run->left -= n;
        }
        if (next_piece(raw, run, err) != 0)
            return -1;
    }
    return 0;
}

static void print_batch(struct raw_text *raw, uint64_t key)
{
    const struct lines_batch *batch = &raw->batch;
    for (; raw->batch_at < batch->count; raw->batch_at++) {
        uint32_t n = batch->order[raw->batch_at];
        if (batch->keys[n] != key)
            break;
        bytes_put(&raw->out, batch->text + batch->at[n], batch->at[n + 1] - batch->at[n]);
    }
}

static void print(struct bytes *out, const char *text)
{
    bytes_put(out, text, strlen(text));
}

static void print_block_start(struct raw_text *raw)
{
    uint64_t id = raw->blocks.ids[raw->block];
    const uint32_t *grid = raw->header.grid;
    print(&raw->out, "\n#BEGIN_TB\n\nthread block = ");
    template_decimal(&raw->out, id % grid[0]);
    print(&raw->out, ",");
    template_decimal(&raw->out, id / grid[0] % grid[1]);
    print(&raw->out, ",");
    template_decimal(&raw->out, id / grid[0] / grid[1]);
    print(&raw->out, "\n");
}

static int print_warp(struct raw_text *raw, struct error *err)
{
    uint64_t key = raw->block << WARP_BITS | raw->warp;
    size_t at = raw->block * raw->warps + raw->warp;
    if (raw->warp == 0)
        print_block_start(raw);
    print(&raw->out, "\nwarp = ");
    template_decimal(&raw->out, raw->warp);
    print(&raw->out, "\ninsts = ");
    template_decimal(&raw->out, at < raw->counts_size ? raw->counts[at] : 0);
    print(&raw->out, "\n");
    for (size_t i = 0; i < raw->run_count; i++)
        if (print_run(raw, &raw->runs[i], key, err) != 0)
            return -1;
    print_batch(raw, key);
    if (++raw->warp == raw->warps) {
        print(&raw->out, "\n#END_TB\n");
        raw->warp = 0;
        raw->block++;
    }
    return 0;
}

static int read_raw(struct source *source, const void **text, size_t *size, struct error *err)
{
    struct raw_text *raw = source->stream;
    if (!raw->collected) { /* the header stands in `out` since the opening */
        struct bytes header = raw->out;
        raw->out = (struct bytes){0};
        if (collect(raw, err) != 0) {
            bytes_finish(&header);
            return -1;
        }
        bytes_finish(&raw->out);
        raw->out = header;
        raw->collected = true;
    } else {
        raw->out.size = 0;
    }
    while (raw->block < raw->blocks.count && raw->out.size < CHUNK)
        if (print_warp(raw, err) != 0)
            return -1;
    if (raw->out.failed)
        return error_no_memory_for(err, ERROR_TRACE, raw->source.name);
    *text = raw->out.data;
    *size = raw->out.size;
    return raw->out.size > 0;
}

/* ---- open, close ------------------------------------------------------- */

static void finish(struct raw_text *raw)
{
    source_finish(&raw->source);
    header_finish(&raw->header);
    insts_finish(&raw->insts);
    raw_blocks_finish(&raw->blocks);
    free(raw->counts);
    batch_free(&raw->batch);
    spill_finish(&raw->spill);
    for (size_t i = 0; i < raw->run_count; i++)
        free(raw->runs[i].buffer);
    free(raw->runs);
    bytes_finish(&raw->out);
    free(raw);
}

static void close_raw(struct source *source)
{
    finish(source->stream);
}

/* Reads the header and the lines before the first instruction, into `out`. */
static int read_header(struct raw_text *raw, struct error *err)
{
    struct source *source = &raw->source;
    int rc = header_read(&raw->header, source, &raw->out, err);
    while (rc == 0 && (rc = source_line(source, err)) == 1) {
        const char *line = scan_blanks(source->at);
        if (*line != '#' && *line != '\n')
            break;
        rc = source_keep_line(source, &raw->out, err);
        source_skip(source);
    }
    print(&raw->out, "\n"); /* as the tracer's own grouping */
    return rc < 0 ? -1 : 0;
}

static int start(struct raw_text *raw, const char *path,
                 const struct trace_kernel_options *options, struct error *err)
{
    bool exact;
    size_t budget =
        options != NULL && options->memory_budget > 0 ? options->memory_budget : DEFAULT_BUDGET;
    memset(raw->hints, 0xff, sizeof raw->hints);
    if (source_open(&raw->source, path, err) != 0 || read_header(raw, err) != 0)
        return -1;
    raw->warps = header_warps(&raw->header);
    raw->reader = (struct line_reader){.insts = &raw->insts,
                                       .lineinfo = raw->header.lineinfo,
                                       .version = raw->header.version,
                                       .ids = true};
    if (insts_init(&raw->insts, opcode_table_for(raw->header.binary_version, &exact)) != 0 ||
        raw_blocks_init(&raw->blocks) != 0 || batch_make(&raw->batch, budget) != 0 ||
        spill_init(&raw->spill, options != NULL ? options->spill_dir : NULL) != 0)
        return error_no_memory_for(err, ERROR_TRACE, raw->source.name);
    return 0;
}

int text_open_raw(struct source *source, const char *path,
                  const struct trace_kernel_options *options, struct error *err)
{
    static const struct source_ops ops = {read_raw, close_raw};
    struct raw_text *raw = calloc(1, sizeof *raw);
    if (raw == NULL)
        return error_no_memory_for(err, ERROR_TRACE, path);
    raw->spill.fd = -1;
    if (start(raw, path, options, err) == 0)
        return source_open_stream(source, path, &ops, raw, err);
    finish(raw);
    return -1;
}
