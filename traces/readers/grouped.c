/* Traces whose thread blocks stand together, warp after warp. */
#include <string.h>

#include "traces/kernel.h"
#include "traces/readers/reader.h"

static int begin_block(struct walk *walk, struct error *err)
{
    struct trace_kernel *kernel = walk->data;
    builder_begin(&kernel->builder, kernel_block_limit(kernel));
    return 0;
}

static int read_index(struct walk *walk, const char *value, struct error *err)
{
    struct trace_kernel *kernel = walk->data;
    memcpy(kernel->builder.index, walk->index, sizeof walk->index);
    return 0;
}

static int begin_warp(struct walk *walk, const char *value, struct error *err)
{
    struct trace_kernel *kernel = walk->data;
    builder_warp(&kernel->builder, &kernel->spill, walk->warp);
    kernel->previous = INSTS_NONE;
    return 0;
}

/* Reads those EXTRAS of LINE, which was READ with its addresses at WORDS, that are wanted.
 * Returns 0, or -1 with failed_at set. */
static int read_extras(struct trace_kernel *kernel, const char *line, const struct line *read,
                       const uint64_t *words, struct trace_extras *extras)
{
    kernel->reader.expected = trace_extras_read(extras, line);
    kernel->reader.failed_at = extras->failed_at;
    if (kernel->reader.expected != NULL)
        return -1;
    if ((kernel->extras & TRACE_EXTRA_NUMBERS) == 0)
        extras->number_count = 0;
    if ((kernel->extras & TRACE_EXTRA_ACTIVE) == 0)
        extras->has_active = false;
    if ((kernel->extras & TRACE_EXTRA_ADDRESS) != 0 && read->record.mask != 0 &&
        kernel_has_bare_address(kernel, read->record.inst)) {
        extras->has_address = true;
        extras->address = words[0];
    }
    return 0;
}

static const char *read_instruction(struct walk *walk, const char *at, struct error *err)
{
    struct trace_kernel *kernel = walk->data;
    struct builder *builder = &kernel->builder;
    struct line line;
    struct trace_extras extras = {0};
    uint64_t *words;
    if (builder_reserve(builder, &kernel->spill, err) != 0)
        return NULL;
    words = builder->words + builder->word_count;
    const char *next = line_read(&kernel->reader, at, kernel->previous, &line, words);
    if (next == NULL ||
        (kernel->extras != 0 && read_extras(kernel, at, &line, words, &extras) != 0))
        return walk_bad_line(walk, &kernel->reader, err);
    if (kernel_wants(kernel, &kernel->insts.items[line.record.inst])) {
        kernel_strip(kernel, &line);
        builder_add(builder, line.record.inst, line.record.mask, line.record.mode);
        if (extras_are_there(&extras))
            builder_add_extras(builder, &extras);
    }
    kernel->previous = line.record.inst;
    return next;
}

static int end_warp(struct walk *walk, struct error *err)
{
    struct trace_kernel *kernel = walk->data;
    return builder_end_warp(&kernel->builder, &kernel->spill, err);
}

const struct walk_ops kernel_walk = {
    .begin_block = begin_block,
    .index = read_index,
    .begin_warp = begin_warp,
    .inst = read_instruction,
    .end_warp = end_warp,
};

static int next_block(struct trace_kernel *kernel, struct trace_block **block,
                      struct error *err)
{
    int rc;
    while ((rc = walk_next(&kernel->walk, err)) == WALK_LINES)
        ;
    if (rc != WALK_BLOCK)
        return rc;
    *block = builder_end(&kernel->builder, kernel, kernel->warps, err);
    return *block == NULL ? -1 : 1;
}

static const struct kernel_layout layout = {next_block, NULL};

/* It starts with a header. */
static bool probe(const struct source *source)
{
    return reader_first(source) == '-';
}

const struct trace_reader trace_reader_grouped = {
    .policy = {"grouped", NULL, "a grouped trace"},
    .probe = probe,
    .layout = &layout,
};
