#define _GNU_SOURCE /* asprintf */
#include "traces/kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/functions/workload_code.h"
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

/* Adds a sentence to what had to be assumed. */
__attribute__((format(printf, 2, 3))) static void add_note(struct trace_kernel *kernel,
                                                           const char *format, ...)
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

/* The pipe that PATH names, or NULL. */
static struct source_pipe *find_pipe(const char *path, const struct trace_workload *workload)
{
    bool is = workload != NULL && workload->pipe != NULL && strcmp(path, workload->path) == 0;
    return is ? workload->pipe : NULL;
}

int kernel_open_source(struct source *source, const char *path,
                       const struct trace_workload *workload, struct error *err)
{
    struct source_pipe *pipe = find_pipe(path, workload);
    if ((pipe != NULL ? source_pipe_take(pipe, source, err)
                      : source_open_listed(source, path, err)) != 0)
        return -1;
    if (source->reader->layout != NULL)
        return 0;
    error_set(err, ERROR_TRACE, source->name, 0, 0, "a kernel trace is expected, this is %s",
              source->reader->policy.description);
    source_finish(source);
    return -1;
}

static int choose_opcodes(struct trace_kernel *kernel)
{
    bool exact;
    uint32_t version = kernel->header.binary_version;
    const struct opcode_table *table = opcode_table_for(version, &exact);
    if (!exact && version == 0)
        add_note(kernel, "the trace has no binary version; opcodes are taken as %s's",
                 opcode_table_name(table));
    else if (!exact)
        add_note(kernel, "binary version %u is not known; opcodes are taken as %s's", version,
                 opcode_table_name(table));
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
        /* The ids moved to the blocks' headers with version 3. */
        .ids = kernel->packed == NULL && kernel->header.version < 30,
    };
    kernel->memory_only |= options != NULL && options->memory_only;
    kernel->no_shared = options != NULL && options->no_shared;
    kernel->bare_shared = options != NULL && options->bare_shared;
    kernel->builder.rows = options != NULL && options->rows;
    walk_init(&kernel->walk, &kernel_walk, kernel, &kernel->source, &kernel->header);
    return 0;
}

/* Takes KERNEL of PATH, whose source is open (RC 0) or failed to open. */
static struct trace_kernel *start(struct trace_kernel *kernel, int rc, const char *path,
                                  const struct trace_kernel_options *options, struct error *err)
{
    kernel->spill.fd = -1;
    block_pool_init(&kernel->pool, kernel_budget(options));
    if (rc == 0)
        rc = header_read(&kernel->header, &kernel->source, NULL, err);
    kernel->header.grouped = kernel->source.reader != &trace_reader_raw;
    if (rc == 0 && set_up(kernel, options) != 0)
        rc = error_no_memory_for(err, ERROR_TRACE, kernel->source.name);
    if (rc == 0 && options != NULL && options->code)
        rc = workload_code_find(kernel, path, options->workload, err);
    if (rc == 0)
        return kernel;
    trace_kernel_close(kernel);
    return NULL;
}

static int open_file(struct trace_kernel *kernel, const char *path,
                     const struct trace_workload *workload, struct error *err)
{
    struct source *source = &kernel->source;
    if (kernel_open_source(source, path, workload, err) != 0)
        return -1;
    kernel->pipe = find_pipe(path, workload);
    kernel->layout = source->reader->layout;
    if (strcmp(source->name, path) != 0)
        add_note(kernel, "%s is read in place of %s", source->name, path);
    return 0;
}

struct trace_kernel *trace_kernel_open(const char *path,
                                       const struct trace_kernel_options *options,
                                       struct error *err)
{
    struct trace_kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL) {
        error_no_memory_for(err, ERROR_TRACE, path);
        return NULL;
    }
    int packed = packed_open(kernel, path, options, err);
    int rc = packed == 0
                 ? open_file(kernel, path, options != NULL ? options->workload : NULL, err)
             : packed < 0 ? -1
                          : 0;
    return start(kernel, rc, path, options, err);
}

struct trace_kernel *trace_workload_kernel(const struct trace_workload *workload,
                                           const char *name,
                                           const struct trace_kernel_options *options,
                                           struct error *err)
{
    struct trace_kernel_options with = {0};
    if (options != NULL)
        with = *options;
    with.workload = workload;
    char *path = trace_workload_path(workload, name);
    if (path == NULL) {
        error_no_memory_for(err, ERROR_TRACE, name);
        return NULL;
    }
    struct trace_kernel *kernel = trace_kernel_open(path, &with, err);
    free(path);
    return kernel;
}

void trace_kernel_close(struct trace_kernel *kernel)
{
    if (kernel == NULL)
        return;
    if (kernel->layout != NULL && kernel->layout->finish != NULL)
        kernel->layout->finish(kernel);
    block_pool_finish(&kernel->pool);
    spill_finish(&kernel->spill);
    builder_finish(&kernel->builder);
    insts_finish(&kernel->insts);
    header_finish(&kernel->header);
    workload_code_destroy(kernel->own_code);
    if (kernel->pipe != NULL && !kernel->begun)
        source_pipe_give_back(kernel->pipe, &kernel->source);
    source_finish(&kernel->source);
    free(kernel->note);
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
