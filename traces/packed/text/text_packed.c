/* The text of a launch in a packed workload. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/packed/store.h"
#include "traces/packed/text/unpack.h"
#include "traces/text/text.h"

struct packed_text {
    struct text text;
    struct store *store;
    bool owned;
    struct unpack *unpack;
    const struct store_launch *launch;
    uint32_t groups; /* begun so far */
};

/* Goes on to the next part. Returns 1, 0 when there is none, -1 on error. */
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

static int read_packed(struct text *text, const void **data, size_t *size, struct error *err)
{
    struct packed_text *packed = (struct packed_text *)text;
    int rc = 0;
    while (packed->launch != NULL) {
        if (packed->groups > 0 && (rc = unpack_read(packed->unpack, data, size, err)) != 0)
            return rc;
        if ((rc = next_part(packed, err)) < 0)
            return rc;
    }
    return 0;
}

static void close_packed(struct text *text)
{
    struct packed_text *packed = (struct packed_text *)text;
    unpack_destroy(packed->unpack);
    if (packed->launch != NULL && packed->groups > 0)
        store_release(packed->store, packed->launch->group + packed->groups - 1);
    if (packed->owned)
        store_close(packed->store);
    free(text->name);
    free(packed);
}

struct text *text_open_packed(struct store *store, size_t i, bool owned, struct error *err)
{
    static const struct text_ops ops = {read_packed, close_packed};
    struct packed_text *packed = calloc(1, sizeof *packed);
    char name[64];
    snprintf(name, sizeof name, "/kernel-%" PRIu64, store_number(store, i));
    size_t length = strlen(store->name) + strlen(name) + 1;
    char *full = malloc(length);
    if (packed != NULL && full != NULL) {
        snprintf(full, length, "%s%s", store->name, name);
        *packed = (struct packed_text){{&ops, full},        store, owned, unpack_create(full),
                                       &store->launches[i], 0};
        if (packed->unpack != NULL)
            return &packed->text;
    }
    error_no_memory_for(err, ERROR_TRACE, store->name);
    free(full);
    free(packed);
    if (owned)
        store_close(store);
    return NULL;
}
