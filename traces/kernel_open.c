/* Opening traces of any kind that a reader knows. */
#include <stdlib.h>
#include <string.h>

#include "traces/between/first_block.h"
#include "traces/functions/workload_code.h"
#include "traces/kernel.h"
#include "traces/notes/note_places.h"
#include "traces/packed/store.h"
#include "traces/readers/reader.h"
#include "traces/text/source_pipe.h"
#include "traces/text/text.h"
#include "traces/workload/workload_files.h"

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
                      : workload_source(workload, path, source, err)) != 0)
        return -1;
    if (source->reader->layout != NULL)
        return 0;
    error_set(err, ERROR_TRACE, source->name, 0, 0, "a kernel trace is expected, this is %s",
              source->reader->policy.description);
    source_finish(source);
    return -1;
}

/* Groups the lines of KERNEL, a raw trace: its own reader keeps only records. */
static int group_lines(struct trace_kernel *kernel, const struct trace_kernel_options *options,
                       struct error *err)
{
    struct trace_kernel_options with = *options;
    const struct trace_reader *reader = kernel->source.reader;
    kernel->pool.budget /= 2; /* the rest is for blocks */
    with.memory_budget = kernel->pool.budget;
    kernel->layout = trace_reader_grouped.layout;
    int rc = reader->group(&kernel->source, &with, err);
    kernel->source.reader = reader;
    return rc;
}

static int open_file(struct trace_kernel *kernel, const char *path,
                     const struct trace_kernel_options *options, struct error *err)
{
    struct source *source = &kernel->source;
    const struct trace_workload *workload = options != NULL ? options->workload : NULL;
    if (kernel_open_source(source, path, workload, err) != 0)
        return -1;
    kernel->pipe = find_pipe(path, workload);
    kernel->layout = source->reader->layout;
    if (strcmp(source->name, path) != 0)
        kernel_add_note(kernel, "%s is read in place of %s", source->name, path);
    bool group = options != NULL && options->extras != 0 && source->reader->group != NULL;
    return group ? group_lines(kernel, options, err) : 0;
}

/* Reads KERNEL, a launch of a packed workload, as text if its lines have some of EXTRAS:
 * records are unpacked without them. */
static int read_as_text(struct trace_kernel *kernel, const struct trace_kernel_options *options,
                        struct error *err)
{
    size_t launch;
    struct store *store = packed_store(kernel, &launch);
    int has = store_has_extras(store, launch, options->extras, err);
    if (has <= 0)
        return has;
    source_finish(&kernel->source);
    kernel->source = (struct source){0};
    kernel->layout = trace_reader_grouped.layout;
    if (text_open_packed(&kernel->source, store, launch, false, err) != 0)
        return -1;
    bool memory = kernel->memory_only || options->memory_only;
    return memory ? text_open_memory(&kernel->source, NULL, err) : 0;
}

/* Opens PATH, a launch of a packed workload or a file. */
static int open_any(struct trace_kernel *kernel, const char *path,
                    const struct trace_kernel_options *options, struct error *err)
{
    unsigned extras = options != NULL ? options->extras : 0;
    int packed = packed_open(kernel, path, options, err);
    if (packed == 1)
        return extras != 0 ? read_as_text(kernel, options, err) : 0;
    return packed == 0 ? open_file(kernel, path, options, err) : -1;
}

/* What NOTES say of the launch's tensor maps. */
static int find_maps(struct trace_kernel *kernel, const struct note_places *notes,
                     struct error *err)
{
    if (notes->launch_count == 0)
        return 0;
    kernel->maps = malloc(sizeof *kernel->maps);
    if (kernel->maps == NULL)
        return error_no_memory(err);
    if (!note_places_maps(notes, kernel->header.id, kernel->maps)) {
        free(kernel->maps);
        kernel->maps = NULL;
    }
    return 0;
}

/* The clusters of the launch, by NOTES, which may be NULL, or by its code. */
static void find_cluster(struct trace_kernel *kernel, const struct note_places *notes)
{
    const struct trace_function *function = kernel->function;
    if ((notes != NULL && note_places_cluster(notes, kernel->header.id, kernel->cluster)) ||
        function == NULL)
        return;
    if ((uint64_t)function->cluster[0] * function->cluster[1] * function->cluster[2] > 1)
        memcpy(kernel->cluster, function->cluster, sizeof kernel->cluster);
}

/* Whether the first thread block is to say what the code does between memory instructions. The
 * warps of a single block hardly disturb each other, and it would be read twice. */
static bool needs_first_block(const struct trace_kernel *kernel)
{
    return kernel->header.between == NULL && kernel->pipe == NULL && kernel->blocks > 1;
}

struct trace_kernel *trace_kernel_open(const char *path,
                                       const struct trace_kernel_options *options,
                                       struct error *err)
{
    const struct trace_workload *workload = options != NULL ? options->workload : NULL;
    struct trace_kernel *kernel = kernel_create(path, options, err);
    int rc = kernel != NULL ? open_any(kernel, path, options, err) : -1;
    if (rc == 0)
        rc = kernel_start(kernel, options, err);
    if (rc == 0 && kernel->layout != &kernel_packed)
        walk_init(&kernel->walk, &kernel_walk, kernel, &kernel->source, &kernel->header);
    if (rc == 0 && options != NULL && options->between && needs_first_block(kernel))
        rc = between_of_first_block(&kernel->between, path, options, err);
    if (rc == 0 && options != NULL && options->code)
        rc = workload_code_find(kernel, path, workload, err);
    if (rc == 0 && options != NULL && options->code && workload != NULL)
        rc = find_maps(kernel, workload->notes, err);
    if (rc == 0 && options != NULL && options->code)
        find_cluster(kernel, workload != NULL ? workload->notes : NULL);
    if (rc == 0)
        kernel->programmatic =
            workload != NULL ? note_places_programmatic(workload->notes, kernel->header.id)
                             : -1;
    if (rc == 0)
        return kernel;
    trace_kernel_close(kernel);
    return NULL;
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
