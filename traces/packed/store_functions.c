/* The code that a packed workload has. */
#define _GNU_SOURCE /* asprintf */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/packed/code_group.h"
#include "traces/packed/store.h"

/* Appends the text of all groups of code. */
static int collect(struct store *store, struct bytes *text, struct error *err)
{
    for (uint32_t i = 0; i < store->group_count; i++) {
        if (!store->groups[i].code)
            continue;
        const struct group *group =
            store_acquire(store, i, 1 << FRAME_HEAD | 1 << FRAME_TEXT, err);
        if (group == NULL)
            return -1;
        const struct byte_reader code = code_group_text(group);
        bytes_put(text, code.at, (size_t)(code.end - code.at));
        store_release(store, i);
    }
    return text->failed ? error_no_memory_for(err, ERROR_TRACE, store->name) : 0;
}

static int load(const void *data, struct functions *functions, struct error *err)
{
    struct store *store = (struct store *)data;
    struct bytes text = {0};
    struct source source;
    char *name;
    if (asprintf(&name, "%s: code", store->name) < 0)
        return error_no_memory_for(err, ERROR_TRACE, store->name);
    int rc = collect(store, &text, err);
    if (rc == 0 && text.size > 0) {
        rc = source_open_text(&source, name, text.data, text.size, err);
        if (rc == 0) {
            rc = functions_read(functions, &source, false, err);
            source_finish(&source);
        }
    }
    bytes_finish(&text);
    free(name);
    return rc;
}

const struct functions *store_functions(struct store *store, struct error *err)
{
    return functions_cache_get(&store->functions, load, store, err);
}

bool store_has_code(const struct store *store)
{
    for (uint32_t i = 0; i < store->group_count; i++)
        if (store->groups[i].code)
            return true;
    return false;
}

char *store_listed(const struct store *store, size_t i)
{
    size_t begin = store->launches[i].listed;
    if (begin >= store->names.size) /* it had none, or the lines were not kept */
        return strdup("");
    const char *at = (const char *)store->names.data + begin;
    const char *newline = memchr(at, '\n', store->names.size - begin);
    return strndup(at, (size_t)(newline - at));
}
