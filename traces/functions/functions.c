#include "traces/functions/functions.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "traces/text/scan.h"

void functions_finish(struct functions *functions)
{
    for (uint32_t i = 0; i < functions->count; i++)
        trace_function_destroy(functions->items[i]);
    for (uint32_t i = 0; i < functions->use_count; i++)
        free(functions->uses[i].launch);
    free(functions->items);
    free(functions->next);
    free(functions->uses);
    map_finish(&functions->by_name);
    map_finish(&functions->by_launch);
    *functions = (struct functions){0};
}

static uint64_t hash(const char *text, size_t length)
{
    return XXH3_64bits(text, length);
}

/* The length of a launch's name without what depends on its compression. */
static size_t launch_length(const char *launch)
{
    static const char *const suffixes[] = {".xz", ".gz", ".zst", ".bz2"};
    size_t length = strlen(launch);
    while (length > 0 && scan_is_blank(launch[length - 1]))
        length--;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t n = strlen(suffixes[i]);
        if (length > n && strncmp(launch + length - n, suffixes[i], n) == 0)
            return length - n;
    }
    return length;
}

/* The key in `by_name` that is that of NAME, or free. */
static uint64_t name_key(const struct functions *functions, const char *name)
{
    uint64_t key = hash(name, strlen(name));
    for (uint32_t i; (i = map_get(&functions->by_name, key)) != MAP_NONE; key++)
        if (strcmp(functions->items[i]->name, name) == 0)
            break;
    return key;
}

uint32_t functions_first(const struct functions *functions, const char *name)
{
    return map_get(&functions->by_name, name_key(functions, name));
}

uint32_t functions_add(struct functions *functions, struct trace_function *function)
{
    uint32_t n = functions->count;
    uint64_t key = name_key(functions, function->name);
    uint32_t same = map_get(&functions->by_name, key);
    if (!array_room(&functions->items, n, sizeof *functions->items) ||
        !array_room(&functions->next, n, sizeof *functions->next) ||
        (same == MAP_NONE && !map_set(&functions->by_name, key, n))) {
        trace_function_destroy(function);
        return MAP_NONE;
    }
    functions->items[n] = function;
    functions->next[n] = MAP_NONE;
    functions->count++;
    while (same != MAP_NONE && functions->next[same] != MAP_NONE)
        same = functions->next[same];
    if (same != MAP_NONE)
        functions->next[same] = n;
    return n;
}

/* ---- launches ---------------------------------------------------------- */

/* The key in `by_launch` that is that of LAUNCH, or free. */
static uint64_t launch_key(const struct functions *functions, const char *launch, size_t length)
{
    uint64_t key = hash(launch, length);
    for (uint32_t i; (i = map_get(&functions->by_launch, key)) != MAP_NONE; key++)
        if (strncmp(functions->uses[i].launch, launch, length) == 0 &&
            functions->uses[i].launch[length] == '\0')
            break;
    return key;
}

bool functions_add_use(struct functions *functions, const char *launch, uint32_t function)
{
    uint32_t n = functions->use_count;
    size_t length = launch_length(launch);
    char *copy = strndup(launch, length);
    if (copy == NULL || !array_room(&functions->uses, n, sizeof *functions->uses) ||
        !map_set(&functions->by_launch, launch_key(functions, launch, length), n)) {
        free(copy);
        return false;
    }
    functions->uses[n] = (struct functions_use){copy, function};
    functions->use_count++;
    return true;
}

const struct trace_function *functions_find(const struct functions *functions, const char *name,
                                            const char *launch)
{
    uint32_t first = functions_first(functions, name);
    if (first == MAP_NONE)
        return NULL;
    if (functions->next[first] == MAP_NONE)
        return functions->items[first];
    uint32_t use =
        map_get(&functions->by_launch, launch_key(functions, launch, launch_length(launch)));
    if (use == MAP_NONE)
        return functions->items[first];
    const struct trace_function *found = functions->items[functions->uses[use].function];
    return strcmp(found->name, name) == 0 ? found : functions->items[first];
}

/* ---- writing ----------------------------------------------------------- */

static bool same(const struct trace_function *a, const struct trace_function *b)
{
    return a->address == b->address && a->registers == b->registers &&
           a->barriers == b->barriers && a->constants == b->constants && a->count == b->count &&
           memcmp(a->max_threads, b->max_threads, sizeof a->max_threads) == 0 &&
           memcmp(a->cluster, b->cluster, sizeof a->cluster) == 0 &&
           memcmp(a->code, b->code, a->count * sizeof *a->code) == 0;
}

bool functions_write(struct functions *written, const struct trace_function *function,
                     const char *launch, struct bytes *out)
{
    uint32_t first = functions_first(written, function->name), i = first;
    while (i != MAP_NONE && !same(written->items[i], function))
        i = written->next[i];
    if (i == MAP_NONE) {
        struct trace_function *new = trace_function_copy(function);
        i = new != NULL ? functions_add(written, new) : MAP_NONE;
        if (i == MAP_NONE)
            return false;
        functions_print(function, out);
    }
    if (first != MAP_NONE && i != first)
        functions_print_use(launch, i, out);
    return !out->failed;
}
