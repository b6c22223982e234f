/* Launches of packed workloads: which one a path names, and what is known of it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/base/number.h"
#include "traces/kernel.h"
#include "traces/packed/read/read.h"

/* Whether NAME is "kernel-<launch>" or "kernel-mem-<launch>". */
static bool read_name(const char *name, uint64_t *number, bool *memory)
{
    *memory = strncmp(name, "kernel-mem-", 11) == 0;
    if (!*memory && strncmp(name, "kernel-", 7) != 0)
        return false;
    name += *memory ? 11 : 7;
    return number_whole(name, 0, UINT64_MAX, number);
}

/* The store that PATH is of: the workload's, or its own. NULL if it is of none
 * or on error. */
static struct store *find_store(const char *path, const char *slash,
                                const struct trace_kernel_options *options, bool *owned,
                                struct error *err)
{
    char *file = strndup(path, (size_t)(slash - path));
    struct store *store = NULL;
    *owned = false;
    if (file == NULL) {
        error_no_memory_for(err, ERROR_TRACE, path);
        return NULL;
    }
    const struct trace_workload *workload = options != NULL ? options->workload : NULL;
    if (workload != NULL && workload->store != NULL && strcmp(workload->store->name, file) == 0)
        store = workload->store;
    else if (store_is_packed(file)) {
        store = store_open(file, err);
        *owned = true;
    }
    free(file);
    return store;
}

static int set_up(struct trace_kernel *kernel, const char *path, size_t launch,
                  struct error *err)
{
    struct packed *packed = kernel->packed;
    packed->index = launch;
    packed->launch = packed->store->launches[launch];
    struct group *group =
        store_acquire(packed->store, packed->launch.group, 1 << FRAME_HEAD, err);
    if (group == NULL)
        return -1;
    const struct group_item *item = &group->items[packed->launch.item];
    /* A copy: the group may go before the header is read. */
    bytes_put(&packed->header, group->texts.data + item->header, item->header_length);
    store_release(packed->store, packed->launch.group);
    if (packed->header.failed)
        return error_no_memory_for(err, ERROR_TRACE, path);
    return source_open_text(&kernel->source, path, packed->header.data, packed->header.size,
                            err);
}

struct store *packed_find(const char *path, const struct trace_kernel_options *options,
                          size_t *launch, bool *owned, bool *memory, struct error *err)
{
    const char *slash = strrchr(path, '/');
    uint64_t number;
    if (slash == NULL || access(path, F_OK) == 0 || !read_name(slash + 1, &number, memory))
        return NULL;
    struct store *store = find_store(path, slash, options, owned, err);
    if (store == NULL)
        return NULL;
    *launch = store_find(store, number);
    if (*launch != SIZE_MAX)
        return store;
    error_set(err, ERROR_TRACE, store->name, 0, 0, "it holds no launch %" PRIu64, number);
    if (*owned)
        store_close(store);
    return NULL;
}

int packed_open(struct trace_kernel *kernel, const char *path,
                const struct trace_kernel_options *options, struct error *err)
{
    size_t launch;
    bool memory, owned;
    struct error local = {0};
    struct store *store = packed_find(path, options, &launch, &owned, &memory, &local);
    if (local.kind != ERROR_NONE)
        return error_pass(err, &local);
    if (store == NULL)
        return 0;
    kernel->packed = calloc(1, sizeof *kernel->packed);
    if (kernel->packed == NULL) {
        if (owned)
            store_close(store);
        return error_no_memory_for(err, ERROR_TRACE, path);
    }
    kernel->packed->store = store;
    kernel->packed->owned = owned;
    kernel->layout = &kernel_packed;
    kernel->memory_only = memory;
    return set_up(kernel, path, launch, err) == 0 ? 1 : -1;
}

struct store *packed_store(const struct trace_kernel *kernel, size_t *launch)
{
    *launch = kernel->packed->index;
    return kernel->packed->store;
}

const struct functions *packed_functions(const struct trace_kernel *kernel, char **listed,
                                         struct error *err)
{
    *listed = store_listed(kernel->packed->store, kernel->packed->index);
    if (*listed != NULL)
        return store_functions(kernel->packed->store, err);
    error_no_memory_for(err, ERROR_TRACE, kernel->source.name);
    return NULL;
}

bool trace_kernel_counts(const struct trace_kernel *kernel, struct trace_counts *counts)
{
    if (kernel->packed == NULL)
        return false;
    const struct store_launch *launch = &kernel->packed->launch;
    *counts = (struct trace_counts){launch->blocks, launch->records, launch->memory_records};
    return true;
}

int trace_kernel_contents(const struct trace_kernel *kernel, unsigned *contents,
                          struct error *err)
{
    *contents = 0;
    return kernel->packed == NULL
               ? 1
               : store_contents(kernel->packed->store, kernel->packed->index, contents, err);
}
