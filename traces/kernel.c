#define _GNU_SOURCE /* asprintf */
#include "traces/kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/readers/reader.h"
#include "traces/text/header.h"
#include "traces/text/source_pipe.h"

#define DEFAULT_BUDGET ((size_t)64 << 20)
/* A block's share: one that takes more is spilled, so that a few large ones
 * leave memory to the rest. */
#define SHARE 8
/* Warp-relative address indices are 32 bits wide. */
#define MAX_LIMIT ((size_t)1 << 34)

size_t kernel_block_limit(struct trace_kernel *kernel)
{
    size_t share = kernel->pool.budget / SHARE;
    if (share > MAX_LIMIT)
        share = MAX_LIMIT;
    size_t left = block_pool_left(&kernel->pool);
    return left < share ? left : share;
}

void kernel_add_note(struct trace_kernel *kernel, const char *format, ...)
{
    char *sentence = NULL, *both = NULL;
    va_list args;
    va_start(args, format);
    int n = vasprintf(&sentence, format, args);
    va_end(args);
    if (n < 0)
        return;
    if (kernel->note == NULL) {
        kernel->note = sentence;
        return;
    }
    if (asprintf(&both, "%s; %s", kernel->note, sentence) >= 0) {
        free(kernel->note);
        kernel->note = both;
    }
    free(sentence);
}

size_t kernel_budget(const struct trace_kernel_options *options)
{
    return options != NULL && options->memory_budget > 0 ? options->memory_budget
                                                         : DEFAULT_BUDGET;
}

static int choose_opcodes(struct trace_kernel *kernel)
{
    bool exact;
    uint32_t version = kernel->header.binary_version;
    const struct opcode_table *table = opcode_table_for(version, &exact);
    if (!exact && version == 0)
        kernel_add_note(kernel, "the trace has no binary version; opcodes are taken as %s's",
                        opcode_table_name(table));
    else if (!exact)
        kernel_add_note(kernel, "binary version %u is not known; opcodes are taken as %s's",
                        version, opcode_table_name(table));
    return insts_init(&kernel->insts, table);
}

static int set_up(struct trace_kernel *kernel, const struct trace_kernel_options *options)
{
    kernel->blocks = header_blocks(&kernel->header);
    kernel->warps = header_warps(&kernel->header);
    if (choose_opcodes(kernel) != 0 || builder_init(&kernel->builder) != 0 ||
        spill_init(&kernel->spill, options != NULL ? options->spill_dir : NULL) != 0)
        return -1;
    kernel->reader = (struct line_reader){
        .insts = &kernel->insts,
        .lineinfo = kernel->header.lineinfo,
        .version = kernel->header.version,
        .all_addresses = options != NULL && options->code,
        /* The ids moved to the blocks' headers with version 3. */
        .ids = kernel->layout != &kernel_packed && kernel->header.version < 30,
    };
    kernel->memory_only |= options != NULL && options->memory_only;
    kernel->no_shared = options != NULL && options->no_shared;
    kernel->extras = options != NULL ? options->extras : 0;
    kernel->bare_shared = options != NULL && options->bare_shared;
    kernel->builder.rows = options != NULL && options->rows;
    return 0;
}

int kernel_start(struct trace_kernel *kernel, const struct trace_kernel_options *options,
                 struct error *err)
{
    const struct trace_reader *reader = kernel->source.reader;
    if (header_read(&kernel->header, &kernel->source, NULL, err) != 0)
        return -1;
    kernel->header.grouped = reader == NULL || reader->group == NULL;
    const char *between = options != NULL && options->between ? kernel->header.between : NULL;
    if (set_up(kernel, options) == 0 &&
        (between == NULL || between_read(&kernel->between, between) != NULL))
        return 0;
    return error_no_memory_for(err, ERROR_TRACE, kernel->source.name);
}

struct trace_kernel *kernel_create(const char *path, const struct trace_kernel_options *options,
                                   struct error *err)
{
    struct trace_kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL) {
        error_no_memory_for(err, ERROR_TRACE, path);
        return NULL;
    }
    kernel->spill.fd = -1;
    block_pool_init(&kernel->pool, kernel_budget(options));
    return kernel;
}

struct trace_kernel *trace_kernel_open_packed(const char *path,
                                              const struct trace_kernel_options *options,
                                              struct error *err)
{
    struct trace_kernel *kernel = kernel_create(path, options, err);
    int packed = kernel != NULL ? packed_open(kernel, path, options, err) : -1;
    if (packed == 0)
        error_set(err, ERROR_TRACE, path, 0, 0, "this is no launch of a packed workload");
    if (packed == 1 && kernel_start(kernel, options, err) == 0)
        return kernel;
    trace_kernel_close(kernel);
    return NULL;
}

void trace_kernel_close(struct trace_kernel *kernel)
{
    if (kernel == NULL)
        return;
    if (kernel->layout != NULL && kernel->layout->finish != NULL)
        kernel->layout->finish(kernel);
    if (kernel->packed != NULL) /* it was read as text */
        kernel_packed.finish(kernel);
    block_pool_finish(&kernel->pool);
    spill_finish(&kernel->spill);
    builder_finish(&kernel->builder);
    insts_finish(&kernel->insts);
    header_finish(&kernel->header);
    functions_cache_destroy(kernel->own_code);
    if (kernel->pipe != NULL && !kernel->begun)
        source_pipe_give_back(kernel->pipe, &kernel->source);
    source_finish(&kernel->source);
    free(kernel->note);
    free(kernel->maps);
    between_finish(&kernel->between);
    free(kernel);
}

int trace_kernel_next_block(struct trace_kernel *kernel, struct trace_block **block,
                            struct error *err)
{
    /* A reader that has lost its place cannot go on. */
    if (kernel->failed)
        return error_set(err, ERROR_TRACE, kernel->source.name, 0, 0,
                         "the trace could not be read before");
    kernel->begun = true;
    int rc = kernel->layout->next_block(kernel, block, err);
    kernel->failed = rc < 0;
    return rc;
}
