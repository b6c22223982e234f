#include "traces/text/text.h"

#include <stdlib.h>

#include "traces/kernel.h"
#include "traces/readers/reader.h"

/* Opens the launch of a packed workload that PATH names; *NAMED says whether PATH
 * names one. */
static int open_in_store(struct source *source, const char *path,
                         const struct trace_kernel_options *options, bool *named, bool *memory,
                         struct error *err)
{
    size_t launch;
    bool owned;
    struct error local = {0};
    struct store *store = packed_find(path, options, &launch, &owned, memory, &local);
    *named = store != NULL || local.kind != ERROR_NONE;
    if (store != NULL)
        return text_open_packed(source, store, launch, owned, err);
    return *named ? error_pass(err, &local) : 0;
}

static int open_file(struct source *source, const char *path,
                     const struct trace_kernel_options *options, struct error *err)
{
    if (kernel_open_source(source, path, options != NULL ? options->workload : NULL, err) != 0)
        return -1;
    const struct trace_reader *reader = source->reader;
    return reader->group != NULL ? reader->group(source, options, err) : 0;
}

/* Puts the text of what the launch's code does between memory instructions into *TEXT; NULL: it
 * comes out of a pipe. */
static int find_between(const char *path, const struct trace_kernel_options *options,
                        char **text, struct error *err)
{
    struct trace_kernel_options with = {.between = true};
    *text = NULL;
    if (options != NULL) {
        with.workload = options->workload;
        with.memory_budget = options->memory_budget;
        with.spill_dir = options->spill_dir;
    }
    if (with.workload != NULL && with.workload->pipe != NULL)
        return 0;
    struct trace_kernel *kernel = trace_kernel_open(path, &with, err);
    if (kernel == NULL)
        return -1;
    *text = between_text(&kernel->between);
    trace_kernel_close(kernel);
    return *text != NULL ? 0 : error_no_memory_for(err, ERROR_TRACE, path);
}

/* Reduces SOURCE, the launch at PATH, to what touches memory. */
static int open_memory(struct source *source, const char *path,
                       const struct trace_kernel_options *options, struct error *err)
{
    char *between;
    if (find_between(path, options, &between, err) == 0)
        return text_open_memory(source, between, err);
    free(between);
    source_finish(source);
    return -1;
}

int text_open(struct source *source, const char *path,
              const struct trace_kernel_options *options, struct error *err)
{
    bool named, memory = false;
    int rc = open_in_store(source, path, options, &named, &memory, err);
    if (!named)
        rc = open_file(source, path, options, err);
    memory |= options != NULL && options->memory_only;
    return rc == 0 && memory ? open_memory(source, path, options, err) : rc;
}
