#define _GNU_SOURCE /* qsort_r */
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
    struct error unreadable = {0};
    struct trace_kernel *kernel =
        trace_workload_kernel(workload, launch->name, NULL, &unreadable);
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

/* Sets the `id` of each launch to the first launch of the same name, counted from 1; 0: it is
 * that. */
static void find_first(struct launches *launches)
{
    uint32_t first = 0;
    for (size_t i = 0; i < launches->count; i++) {
        uint32_t at = launches->by_name[i];
        if (i > 0 && strcmp(launches->items[first].name, launches->items[at].name) == 0)
            launches->items[at].id = first + 1;
        else
            first = at;
    }
}

/* Reads each file once, however often the list names it: in the order of the list, since a
 * packed workload is read quickest from front to back. */
static int read_headers(struct launches *launches, const struct trace_workload *workload,
                        struct error *err)
{
    find_first(launches);
    for (size_t i = 0; i < launches->count; i++) {
        struct launch_header *launch = &launches->items[i];
        if (launch->id != 0)
            *launch = launches->items[launch->id - 1];
        else if (read_header(launch, workload, err) < 0)
            return -1;
    }
    return 0;
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static int compare_names(const void *a, const void *b, void *data)
{
    const struct launch_header *items = data;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = items[x].name != items[y].name ? strcmp(items[x].name, items[y].name) : 0;
    return order != 0 ? order : x < y ? -1 : 1;
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

/* Lists the kernels of WORKLOAD. */
static int list(struct launches *launches, const struct trace_workload *workload,
                struct error *err)
{
    size_t kernels = 0;
    for (size_t i = 0; i < workload->count; i++)
        kernels += workload->commands[i].kind == TRACE_KERNEL;
    if (kernels >= UINT32_MAX)
        return error_set(err, ERROR_TRACE, workload->path, 0, 0,
                         "a list may have 4,294,967,294 launches");
    launches->items = calloc(kernels + 1, sizeof *launches->items);
    launches->by_name = calloc(kernels + 1, sizeof *launches->by_name);
    if (launches->items == NULL || launches->by_name == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < workload->count; i++) {
        if (workload->commands[i].kind != TRACE_KERNEL)
            continue;
        uint32_t at = (uint32_t)launches->count++;
        launches->by_name[at] = at;
        launches->items[at].name = workload->commands[i].text;
    }
    return 0;
}

int launches_init(struct launches *launches, const struct trace_workload *workload,
                  struct error *err)
{
    *launches = (struct launches){0};
    int result = list(launches, workload, err);
    if (result == 0) {
        qsort_r(launches->by_name, launches->count, sizeof *launches->by_name, compare_names,
                launches->items);
        result = read_headers(launches, workload, err);
    }
    if (result == 0)
        result = find_repeats(launches, err);
    if (result != 0)
        launches_finish(launches);
    return result;
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
               !ranges_contain(&one, launches_number(launches, launches->items[k].name, k + 1)))
            k++;
        if (k == launches->count)
            return error_set(
                err, ERROR_USAGE, NULL, 0, 0,
                "--launches: %s has no launch from %" PRIu64 " to %" PRIu64 "; it has %zu",
                path, ranges->items[i].first, ranges->items[i].last, launches->count);
    }
    return 0;
}

void launches_finish(struct launches *launches)
{
    free(launches->items);
    free(launches->by_name);
    *launches = (struct launches){0};
}

static const struct launch_header *find_exactly(const struct launches *launches,
                                                const char *name)
{
    size_t low = 0, high = launches->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(launches->items[launches->by_name[middle]].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == launches->count)
        return NULL;
    const struct launch_header *found = &launches->items[launches->by_name[low]];
    return strcmp(found->name, name) == 0 ? found : NULL;
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
    return position != 0 ? position : launches_position(launches, launch);
}
