#include "traces/text/text.h"

#include <stdlib.h>

#include "traces/kernel.h"
#include "traces/text/raw.h"

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
    return *named ? error_pass(err, &local) : 0;
}

#define DEFAULT_BUDGET ((size_t)64 << 20)

/* A file: grouped or raw, by content. */
static int open_file(struct source *source, const char *path,
                     const struct trace_kernel_options *options, struct error *err)
{
    size_t budget =
        options != NULL && options->memory_budget > 0 ? options->memory_budget : DEFAULT_BUDGET;
    char *file = kernel_other_name(path);
    int rc = source_open(source, file != NULL ? file : path, err);
    free(file);
    if (rc != 0)
        return -1;
    if (source_peek(source, SOURCE_LINE_MAX, err) != 0) {
        source_finish(source);
        return -1;
    }
    if (!raw_probe(source->at, (size_t)(source->end - source->at)))
        return 0;
    return raw_group(source, budget, options != NULL ? options->spill_dir : NULL,
                     options != NULL && options->memory_only, err);
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
