/* The text of a launch in a packed workload. */
#define _GNU_SOURCE /* asprintf */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "traces/packed/store.h"
#include "traces/packed/text/unpack.h"
#include "traces/text/text.h"

struct packed_text {
    struct store *store;
    bool owned;
    struct unpack *unpack;
    const struct store_launch *launch;
    uint32_t groups; /* begun so far */
};

/* Continues with the next part. Returns 1, 0 after the last, -1 on error. */
static int next_part(struct packed_text *packed, struct error *err)
{
    const struct store_launch *launch = packed->launch;
    uint32_t g = launch->group + packed->groups;
    if (packed->groups > 0)
        store_release(packed->store, g - 1);
    if (packed->groups == launch->groups) {
        packed->launch = NULL;
        return 0;
    }
    struct group *group = store_acquire(packed->store, g, UNPACK_FRAMES, err);
    if (group == NULL) {
        packed->launch = NULL;
        return -1;
    }
    const struct group_item *item = &group->items[packed->groups == 0 ? launch->item : 0];
    packed->groups++;
    return unpack_begin(packed->unpack, group, item, err) == 0 ? 1 : -1;
}

static int read_packed(struct source *source, const void **text, size_t *size,
                       struct error *err)
{
    struct packed_text *packed = source->stream;
    int rc = 0;
    while (packed->launch != NULL) {
        if (packed->groups > 0 && (rc = unpack_read(packed->unpack, text, size, err)) != 0)
            return rc;
        if ((rc = next_part(packed, err)) < 0)
            return rc;
    }
    return 0;
}

static void close_packed(struct source *source)
{
    struct packed_text *packed = source->stream;
    unpack_destroy(packed->unpack);
    if (packed->launch != NULL && packed->groups > 0)
        store_release(packed->store, packed->launch->group + packed->groups - 1);
    if (packed->owned)
        store_close(packed->store);
    free(packed);
}

int text_open_packed(struct source *source, struct store *store, size_t i, bool owned,
                     struct error *err)
{
    static const struct source_ops ops = {read_packed, close_packed};
    struct packed_text *packed = calloc(1, sizeof *packed);
    char *name = NULL;
    if (packed == NULL ||
        asprintf(&name, "%s/kernel-%" PRIu64, store->name, store_number(store, i)) < 0) {
        free(packed);
        if (owned)
            store_close(store);
        return error_no_memory_for(err, ERROR_TRACE, store->name);
    }
    *packed = (struct packed_text){store, owned, unpack_create(name), &store->launches[i], 0};
    int rc = source_open_stream(source, name, &ops, packed, err);
    if (rc == 0 && packed->unpack == NULL) {
        rc = error_no_memory_for(err, ERROR_TRACE, name);
        source_finish(source);
    }
    free(name);
    return rc;
}
