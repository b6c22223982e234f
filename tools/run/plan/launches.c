#include "tools/run/plan/launches.h"
#include "tools/run/notes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WARP 32

uint64_t launches_warps(const uint32_t grid[3], const uint32_t block[3])
{
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    return (uint64_t)grid[0] * grid[1] * grid[2] * ((threads + WARP - 1) / WARP);
}

static int read_header(struct launch_header *launch, const struct trace_workload *workload,
                       struct error *err)
{
    const struct trace_kernel_options options = {.workload = workload};
    struct error unreadable = {0};
    struct trace_kernel *kernel = trace_kernel_open(launch->path, &options, &unreadable);
    if (kernel == NULL)
        return unreadable.no_memory ? error_pass(err, &unreadable) : 0;
    const struct trace_header *header = trace_kernel_header(kernel);
    launch->readable = true;
    launch->has_id = header->has_id;
    launch->id = header->id;
    launch->warps = launches_warps(header->grid, header->block);
    trace_kernel_close(kernel);
    return 0;
}

/* Reads each file once, however often the list names it. */
static int read_headers(struct launches *launches, const struct trace_workload *workload,
                        struct error *err)
{
    for (size_t i = 0; i < launches->count; i++) {
        struct launch_header *launch = &launches->items[i];
        if (i == 0 || strcmp(launch[-1].name, launch->name) != 0) {
            if (read_header(launch, workload, err) < 0)
                return -1;
            continue;
        }
        launch->id = launch[-1].id;
        launch->warps = launch[-1].warps;
        launch->readable = launch[-1].readable;
        launch->has_id = launch[-1].has_id;
    }
    return 0;
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static int compare_names(const void *a, const void *b)
{
    const struct launch_header *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : x->position < y->position ? -1 : 1;
}

/* Whether two readable launches have the same id, or one has none. */
static int find_repeats(struct launches *launches, struct error *err)
{
    uint64_t *ids = malloc((launches->count + 1) * sizeof *ids);
    if (ids == NULL)
        return error_no_memory(err);
    size_t count = 0;
    for (size_t i = 0; i < launches->count; i++) {
        if (launches->items[i].readable && !launches->items[i].has_id)
            launches->by_position = true;
        if (launches->items[i].has_id)
            ids[count++] = launches->items[i].id;
    }
    qsort(ids, count, sizeof *ids, compare_ids);
    for (size_t i = 1; i < count; i++)
        if (ids[i] == ids[i - 1])
            launches->by_position = true;
    free(ids);
    return 0;
}

int launches_init(struct launches *launches, const struct trace_workload *workload,
                  struct error *err)
{
    *launches =
        (struct launches){.items = calloc(workload->count + 1, sizeof(struct launch_header))};
    if (launches->items == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < workload->count; i++) {
        const struct trace_command *command = &workload->commands[i];
        if (command->kind != TRACE_KERNEL)
            continue;
        struct launch_header *launch = &launches->items[launches->count++];
        launch->name = command->text;
        launch->path = command->path;
        launch->position = launches->count;
    }
    qsort(launches->items, launches->count, sizeof *launches->items, compare_names);
    if (read_headers(launches, workload, err) < 0 || find_repeats(launches, err) < 0) {
        launches_finish(launches);
        return -1;
    }
    return 0;
}

struct trace_workload *launches_open(struct launches *launches, const char *path,
                                     struct error *err)
{
    struct trace_workload *workload = trace_workload_open(path, err);
    if (workload != NULL && workload->note != NULL)
        notes_say("%s", workload->note);
    if (workload == NULL || launches == NULL || launches_init(launches, workload, err) == 0)
        return workload;
    trace_workload_destroy(workload);
    return NULL;
}

int launches_check_ranges(const struct launches *launches, const struct ranges *ranges,
                          const char *path, struct error *err)
{
    for (size_t i = 0; i < ranges->count; i++) {
        const struct ranges one = {&ranges->items[i], 1};
        size_t k = 0;
        while (k < launches->count &&
               !ranges_contain(&one, launches_number(launches, launches->items[k].name,
                                                     launches->items[k].position)))
            k++;
        if (k == launches->count)
            return error_set(err, ERROR_USAGE, NULL, 0, 0,
                             "--launches: %s has no launch from %" PRIu64 " to %" PRIu64, path,
                             ranges->items[i].first, ranges->items[i].last);
    }
    return 0;
}

void launches_finish(struct launches *launches)
{
    free(launches->items);
    *launches = (struct launches){0};
}

static const struct launch_header *find_exactly(const struct launches *launches,
                                                const char *name)
{
    size_t low = 0, high = launches->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(launches->items[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == launches->count || strcmp(launches->items[low].name, name) != 0)
        return NULL;
    return &launches->items[low];
}

/* Both files and names are found whether or not they have been compressed since. */
const struct launch_header *launches_find(const struct launches *launches, const char *name)
{
    static const char *const suffixes[] = {".xz", ".gz", ".zst", ".bz2", ""};
    const struct launch_header *found = find_exactly(launches, name);
    size_t stem = strlen(name);
    char *other = found == NULL ? malloc(stem + sizeof ".bz2") : NULL;
    if (other == NULL)
        return found;
    for (size_t i = 0; i < 4; i++) {
        size_t n = strlen(suffixes[i]);
        if (stem > n && strcmp(name + stem - n, suffixes[i]) == 0) {
            stem -= n;
            break;
        }
    }
    memcpy(other, name, stem);
    for (size_t i = 0; i < 5 && found == NULL; i++) {
        strcpy(other + stem, suffixes[i]);
        found = find_exactly(launches, other);
    }
    free(other);
    return found;
}

uint64_t launches_number(const struct launches *launches, const char *name, size_t position)
{
    const struct launch_header *launch = launches_find(launches, name);
    if (launch == NULL || !launches->by_position)
        return launch != NULL ? launch->id : 0;
    return position != 0 ? position : launch->position;
}
