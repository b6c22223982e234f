#include "traces/text/text.h"

#include <stdlib.h>

#include "traces/kernel.h"

/* The launch of a packed workload that PATH names; *NAMED tells whether it
 * does. */
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
    return *named ? error_set(err, local.kind, NULL, 0, 0, "%s", local.text) : 0;
}

/* A file: grouped or raw, as its header and first lines say. */
static int open_file(struct source *source, const char *path,
                     const struct trace_kernel_options *options, struct error *err)
{
    struct trace_kernel *kernel = trace_kernel_open(path, NULL, err);
    if (kernel == NULL)
        return -1;
    bool grouped = trace_kernel_header(kernel)->grouped;
    char *file = kernel_other_name(path);
    trace_kernel_close(kernel);
    const char *name = file != NULL ? file : path;
    int rc =
        grouped ? source_open(source, name, err) : text_open_raw(source, name, options, err);
    free(file);
    return rc;
}

int text_open(struct source *source, const char *path,
              const struct trace_kernel_options *options, struct error *err)
{
    bool named, memory = false;
    int rc = open_in_store(source, path, options, &named, &memory, err);
    if (!named)
        rc = open_file(source, path, options, err);
    memory |= options != NULL && options->memory_only;
    return rc == 0 && memory ? text_open_memory(source, err) : rc;
}
