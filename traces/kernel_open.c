/* Opening traces of any kind that a reader knows. */
#include <stdlib.h>
#include <string.h>

#include "traces/functions/workload_code.h"
#include "traces/kernel.h"
#include "traces/readers/reader.h"
#include "traces/text/source_pipe.h"

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

static int open_file(struct trace_kernel *kernel, const char *path,
                     const struct trace_workload *workload, struct error *err)
{
    struct source *source = &kernel->source;
    if (kernel_open_source(source, path, workload, err) != 0)
        return -1;
    kernel->pipe = find_pipe(path, workload);
    kernel->layout = source->reader->layout;
    if (strcmp(source->name, path) != 0)
        kernel_add_note(kernel, "%s is read in place of %s", source->name, path);
    return 0;
}

struct trace_kernel *trace_kernel_open(const char *path,
                                       const struct trace_kernel_options *options,
                                       struct error *err)
{
    const struct trace_workload *workload = options != NULL ? options->workload : NULL;
    struct trace_kernel *kernel = kernel_create(path, options, err);
    int packed = kernel != NULL ? packed_open(kernel, path, options, err) : -1;
    int rc = packed == 0 ? open_file(kernel, path, workload, err) : packed < 0 ? -1 : 0;
    if (rc == 0)
        rc = kernel_start(kernel, options, err);
    if (rc == 0 && packed == 0)
        walk_init(&kernel->walk, &kernel_walk, kernel, &kernel->source, &kernel->header);
    if (rc == 0 && options != NULL && options->code)
        rc = workload_code_find(kernel, path, workload, err);
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
