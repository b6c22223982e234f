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
