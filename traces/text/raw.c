/* Raw traces: the lines of all warps in the order in which the GPU's channel
 * delivered them. Whether a block is complete shows only at the end, so the
 * whole file is read first: records are collected in batches, sorted by block
 * and warp; full batches go to disk as runs. Then the blocks are merged out of
 * the runs and the last batch, in the order of their first lines. */
#include <stdlib.h>
#include <string.h>

#include "traces/address.h"
#include "traces/kernel.h"
#include "traces/text/batch.h"
#include "traces/text/header.h"
#include "traces/text/raw_blocks.h"

#define WARP_BITS 5
/* Guesses for the next instruction; warps that share one only lose speed. */
#define HINTS 8192

/* A sorted batch on disk and how far it has been read. */
struct sorted_run {
    uint64_t from, at, to;
    struct chunk chunk; /* the one at `at`, if at < to */
};

struct raw {
    struct raw_blocks blocks;
    struct batch batch;
    size_t batch_at; /* merged so far */
    struct sorted_run *runs;
    size_t run_count;
    uint64_t *ends; /* of the runs while they are written */
    uint32_t hints[HINTS];
    struct chunk_writer writer;
};

/* ---- collecting -------------------------------------------------------- */

/* Writes the batch to disk as a run and empties it. */
static int write_run(struct trace_kernel *kernel, struct error *err)
{
    struct raw *raw = kernel->raw;
    struct batch *batch = &raw->batch;
    void *more = reallocarray(raw->ends, raw->run_count + 1, sizeof *raw->ends);
    if (more == NULL)
        return error_no_memory_for(err, ERROR_TRACE, kernel->source.name);
    raw->ends = more;
    batch_sort(batch);
    uint64_t key = UINT64_MAX;
    chunk_begin(&raw->writer, &kernel->spill, key);
    for (size_t i = 0; i < batch->count; i++) {
        uint32_t n = batch->order[i];
        if (batch->keys[n] != key) {
            if (chunk_flush(&raw->writer, err) != 0)
                return -1;
            key = batch->keys[n];
            chunk_begin(&raw->writer, &kernel->spill, key);
        }
        const struct trace_record *record = &batch->records[n];
        if (chunk_add(&raw->writer, record, batch->words + record->address, err) != 0)
            return -1;
    }
    if (chunk_flush(&raw->writer, err) != 0)
        return -1;
    raw->ends[raw->run_count++] = kernel->spill.end;
    batch->count = batch->word_count = 0;
    return 0;
}

/* The key of the line's warp, or UINT64_MAX on error. */
static uint64_t find_warp(struct trace_kernel *kernel, const struct line *line,
                          struct error *err)
{
    const uint32_t *grid = kernel->header.grid, *id = line->ids;
    if (!header_has_block(&kernel->header, id)) {
        source_error(&kernel->source, err, kernel->source.at, HEADER_NOT_IN_GRID, id[0], id[1],
                     id[2], grid[0], grid[1], grid[2]);
        return UINT64_MAX;
    }
    if (id[3] >= kernel->warps) {
        source_error(&kernel->source, err, kernel->source.at, "warp %u; blocks have %u warps",
                     id[3], kernel->warps);
        return UINT64_MAX;
    }
    uint64_t linear = ((uint64_t)id[2] * grid[1] + id[1]) * grid[0] + id[0];
    uint32_t order = raw_blocks_order(&kernel->raw->blocks, linear);
    if (order == UINT32_MAX) {
        error_no_memory_for(err, ERROR_TRACE, kernel->source.name);
        return UINT64_MAX;
    }
    return (uint64_t)order << WARP_BITS | id[3];
}

/* An LDGSTS has two memory operands and so two lines, that of the shared side
 * first; grouping keeps the second. */
static bool is_shared_side(struct trace_kernel *kernel, const struct line *line, uint64_t key)
{
    if (!(kernel->insts.items[line->record.inst].flags & TRACE_INST_LDGSTS))
        return false;
    uint32_t *half = &kernel->raw->blocks.half[key >> WARP_BITS];
    uint32_t bit = UINT32_C(1) << (key & (BLOCK_MAX_WARPS - 1));
    *half ^= bit;
    return *half & bit;
}

/* Which instruction its warp executed before is only known once the ids are
 * read; they make the slot of the guess. */
static uint32_t *hint_for(struct raw *raw, const char *line)
{
    uint64_t hash = 0;
    for (int blanks = 0; blanks < 4 && *line != '\n'; line++) {
        blanks += *line == ' ';
        hash = hash * 31 + (uint8_t)*line;
    }
    return &raw->hints[hash * UINT64_C(0x9e3779b97f4a7c15) >> 51];
}

static int read_line(struct trace_kernel *kernel, struct error *err)
{
    struct raw *raw = kernel->raw;
    struct source *source = &kernel->source;
    struct line line;
    uint32_t *hint = hint_for(raw, source->at);
    const char *next = line_read(&kernel->reader, source->at, *hint, &line,
                                 raw->batch.words + raw->batch.word_count);
    if (next == NULL)
        return line_error(&kernel->reader, &kernel->source, err);
    uint64_t key = find_warp(kernel, &line, err);
    if (key == UINT64_MAX)
        return -1;
    *hint = line.record.inst;
    source_advance(source, next);
    if (is_shared_side(kernel, &line, key))
        return 0;
    if (!kernel_wants(kernel, &kernel->insts.items[line.record.inst]))
        return 0;
    kernel_strip(kernel, &line);
    batch_add(&raw->batch, key, &line);
    return batch_is_full(&raw->batch) ? write_run(kernel, err) : 0;
}

static int read_all(struct trace_kernel *kernel, struct error *err)
{
    struct source *source = &kernel->source;
    int rc;
    while ((rc = source_line(source, err)) == 1) {
        const char *line = scan_blanks(source->at);
        if (*line == '\n' || *line == '#')
            source_skip(source);
        else if (read_line(kernel, err) != 0)
            return -1;
    }
    uint64_t seen = kernel->raw->blocks.count;
    if (rc == 0 && seen < kernel->blocks)
        return source_error(source, err, NULL, "the trace has %lu of the grid's %lu blocks",
                            (unsigned long)seen, (unsigned long)kernel->blocks);
    return rc;
}

/* ---- merging ----------------------------------------------------------- */

/* Reads the chunk at the run's position. */
static int load_chunk(struct trace_kernel *kernel, struct sorted_run *run, struct error *err)
{
    if (run->at >= run->to)
        return 0;
    long n = chunk_read(&run->chunk, &kernel->spill, run->at, err);
    if (n < 0)
        return -1;
    run->at += (uint64_t)n;
    return 0;
}

static int open_runs(struct trace_kernel *kernel, struct error *err)
{
    struct raw *raw = kernel->raw;
    raw->runs = calloc(raw->run_count + 1, sizeof *raw->runs);
    if (raw->runs == NULL)
        return error_no_memory_for(err, ERROR_TRACE, kernel->source.name);
    uint64_t from = 0;
    for (size_t i = 0; i < raw->run_count; i++) {
        struct sorted_run *run = &raw->runs[i];
        run->from = run->at = from;
        run->to = from = raw->ends[i];
        if (load_chunk(kernel, run, err) != 0)
            return -1;
    }
    return 0;
}

static int add_record(struct trace_kernel *kernel, const struct trace_record *record,
                      const uint64_t *words, struct error *err)
{
    struct builder *builder = &kernel->builder;
    if (builder_reserve(builder, &kernel->spill, err) != 0)
        return -1;
    memcpy(builder->words + builder->word_count, words, address_words(record) * sizeof *words);
    builder_add(builder, record->inst, record->mask, record->mode);
    return 0;
}

/* Moves what RUN has of warp KEY to the builder. */
static int merge_run(struct trace_kernel *kernel, struct sorted_run *run, uint64_t key,
                     struct error *err)
{
    struct chunk *chunk = &run->chunk;
    while (chunk->head.records > 0 && chunk->head.key == key) {
        const struct trace_record *records = chunk_records(chunk);
        for (uint32_t i = 0; i < chunk->head.records; i++)
            if (add_record(kernel, &records[i], chunk_words(chunk) + records[i].address, err))
                return -1;
        chunk->head.records = 0;
        if (load_chunk(kernel, run, err) != 0)
            return -1;
    }
    if (chunk->head.records == 0) {
        spill_drop(&kernel->spill, run->from, run->to);
        run->from = run->to;
    }
    return 0;
}

static int merge_batch(struct trace_kernel *kernel, uint64_t key, struct error *err)
{
    struct raw *raw = kernel->raw;
    const struct batch *batch = &raw->batch;
    for (; raw->batch_at < batch->count; raw->batch_at++) {
        uint32_t n = batch->order[raw->batch_at];
        if (batch->keys[n] != key)
            break;
        const struct trace_record *record = &batch->records[n];
        if (add_record(kernel, record, batch->words + record->address, err) != 0)
            return -1;
    }
    return 0;
}

static int merge_warp(struct trace_kernel *kernel, uint32_t warp, struct error *err)
{
    struct raw *raw = kernel->raw;
    uint64_t key = kernel->blocks_read << WARP_BITS | warp;
    builder_warp(&kernel->builder, &kernel->spill, warp);
    for (size_t i = 0; i < raw->run_count; i++)
        if (merge_run(kernel, &raw->runs[i], key, err) != 0)
            return -1;
    if (merge_batch(kernel, key, err) != 0)
        return -1;
    return builder_end_warp(&kernel->builder, &kernel->spill, err);
}

/* Reads the file, as a raw trace must be before its first block is known. */
static int collect(struct trace_kernel *kernel, struct error *err)
{
    struct raw *raw = calloc(1, sizeof *raw);
    if (raw == NULL)
        return error_no_memory_for(err, ERROR_TRACE, kernel->source.name);
    kernel->raw = raw;
    memset(raw->hints, 0xff, sizeof raw->hints);
    /* Half of the memory stays with the blocks. */
    size_t half = kernel->pool.budget / 2;
    kernel->pool.budget -= half;
    if (raw_blocks_init(&raw->blocks) != 0 || batch_init(&raw->batch, half) != 0)
        return error_no_memory_for(err, ERROR_TRACE, kernel->source.name);
    if (read_all(kernel, err) != 0)
        return -1;
    batch_sort(&raw->batch);
    if (open_runs(kernel, err) != 0)
        return -1;
    return 0;
}

static int next_block(struct trace_kernel *kernel, struct trace_block **block,
                      struct error *err)
{
    if (kernel->raw == NULL && collect(kernel, err) != 0)
        return -1;
    const uint32_t *grid = kernel->header.grid;
    if (kernel->blocks_read == kernel->raw->blocks.count)
        return 0;
    uint64_t id = kernel->raw->blocks.ids[kernel->blocks_read];
    struct builder *builder = &kernel->builder;
    builder_begin(builder, kernel_block_limit(kernel));
    builder->index[0] = (uint32_t)(id % grid[0]);
    builder->index[1] = (uint32_t)(id / grid[0] % grid[1]);
    builder->index[2] = (uint32_t)(id / grid[0] / grid[1]);
    for (uint32_t w = 0; w < kernel->warps; w++)
        if (merge_warp(kernel, w, err) != 0)
            return -1;
    *block = builder_end(builder, kernel, kernel->warps, err);
    kernel->blocks_read++;
    return *block == NULL ? -1 : 1;
}

static void finish(struct trace_kernel *kernel)
{
    struct raw *raw = kernel->raw;
    if (raw == NULL)
        return;
    raw_blocks_finish(&raw->blocks);
    batch_finish(&raw->batch);
    free(raw->runs);
    free(raw->ends);
    free(raw);
    kernel->raw = NULL;
}

const struct kernel_layout kernel_raw = {next_block, finish};
