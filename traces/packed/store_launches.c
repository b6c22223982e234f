/* What the heads of the groups say: the list and its launches. */
#define _GNU_SOURCE /* asprintf */
#include "traces/packed/store_launches.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/bytes.h"
#include "traces/packed/code_group.h"

static struct store_launch *add_launch(struct store *store)
{
    size_t n = store->launch_count;
    if (!array_room(&store->launches, n, sizeof *store->launches))
        return NULL;
    store->launches[n] = (struct store_launch){0};
    store->launch_count++;
    return &store->launches[n];
}

/* The id in a header; headers that are wrong are refused when the launch is
 * opened. */
static void read_id(struct store_launch *launch, const struct group *group,
                    const struct group_item *item)
{
    static const char key[] = "-kernel id = ";
    const char *text = (const char *)group->texts.data + item->header;
    const char *end = text + item->header_length;
    for (const char *line = text; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        if ((size_t)(newline - line) > sizeof key - 1 &&
            memcmp(line, key, sizeof key - 1) == 0) {
            launch->has_id = true;
            launch->id = strtoull(line + sizeof key - 1, NULL, 10);
        }
        line = newline + 1;
    }
}

/* Bytes of a part's streams after those of the head. */
static uint64_t stream_bytes(const struct part_info *info)
{
    uint64_t bytes = 0;
    for (int s = CODER_HEAD_END; s < CODER_STREAMS; s++)
        bytes += info->lengths[s];
    return bytes;
}

/* What a group takes of the file, and its parts' streams. */
struct sizes {
    uint64_t packed, streams;
};

static struct sizes measure(const struct group *group)
{
    struct sizes sizes = {0};
    for (int f = 0; f < FRAMES; f++)
        sizes.packed += group->frames.frames[f].packed;
    for (size_t i = 0; i < group->count; i++)
        sizes.streams += stream_bytes(&group->items[i].info);
    return sizes;
}

/* What the launch takes of its group, by its share of the streams. */
static uint64_t share(const struct group *group, const struct sizes *sizes,
                      const struct part_info *info)
{
    if (sizes->streams == 0)
        return group->starts > 0 ? sizes->packed / group->starts : sizes->packed;
    return (uint64_t)((double)sizes->packed * (double)stream_bytes(info) /
                      (double)sizes->streams);
}

/* Adds what group G says of launches. A launch that began has no line yet: it
 * may lack its end. */
static int read_items(struct store *store, uint32_t g, const struct group *group,
                      struct bytes *lines)
{
    const struct sizes sizes = measure(group);
    for (size_t i = 0; i < group->count; i++) {
        const struct group_item *item = &group->items[i];
        if (item->tag != GROUP_CONTINUES) {
            bytes_byte(lines, item->tag == GROUP_LAUNCH ? '\1' : '\2');
            bytes_put(lines, group->texts.data + item->line, item->line_length);
            bytes_byte(lines, '\n');
        }
        if (item->tag == GROUP_LINE)
            continue;
        struct store_launch *launch = item->tag == GROUP_LAUNCH ? add_launch(store)
                                      : store->launch_count > 0
                                          ? &store->launches[store->launch_count - 1]
                                          : NULL;
        if (launch == NULL)
            return -1;
        if (item->tag == GROUP_LAUNCH) {
            launch->group = g;
            launch->item = (uint32_t)i;
            read_id(launch, group, item);
        }
        launch->groups = g - launch->group + 1;
        launch->records += item->info.records;
        launch->memory_records += item->info.memory_records;
        launch->blocks += item->info.blocks;
        launch->packed += share(group, &sizes, &item->info);
    }
    return 0;
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static int choose_numbers(struct store *store)
{
    uint64_t *ids = malloc((store->launch_count + 1) * sizeof *ids);
    if (ids == NULL)
        return -1;
    store->ascending = true;
    for (size_t i = 0; i < store->launch_count; i++) {
        ids[i] = store->launches[i].id;
        store->by_position |= !store->launches[i].has_id;
        store->ascending &= i == 0 || ids[i] > ids[i - 1];
    }
    qsort(ids, store->launch_count, sizeof *ids, compare_ids);
    for (size_t i = 1; i < store->launch_count; i++)
        store->by_position |= ids[i] == ids[i - 1];
    free(ids);
    return 0;
}

/* Makes the list of LINES: launches by their names. */
static int make_list(struct store *store, const struct bytes *lines)
{
    size_t launch = 0;
    if (lines->size == 0)
        return 0;
    const char *at = (const char *)lines->data, *end = at + lines->size;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (*at == '\2') {
            bytes_put(&store->list, at + 1, (size_t)(newline - at - 1));
        } else if (launch < store->launch_count) {
            char name[40];
            int n =
                snprintf(name, sizeof name, "kernel-%" PRIu64, store_number(store, launch++));
            bytes_put(&store->list, name, (size_t)n);
            store->launches[launch - 1].listed = store->names.size;
            bytes_put(&store->names, at + 1, (size_t)(newline - at));
        } else {
            break; /* the launch that is not whole, and what follows it */
        }
        bytes_byte(&store->list, '\n');
        at = newline + 1;
    }
    for (; launch < store->launch_count; launch++)
        store->launches[launch].listed = store->names.size;
    return store->list.failed || store->names.failed ? -1 : 0;
}

/* Says that there was more. */
static void note_end(struct store *store)
{
    if (!store->cut) {
        store->note = strdup("the last launch has no end and is left out");
        return;
    }
    int length =
        store->launch_count == 0
            ? asprintf(&store->note, "%s was not written to its end: no launch in it is whole",
                       store->name)
            : asprintf(&store->note,
                       "%s was not written to its end: its first %zu launches are whole%s, "
                       "%" PRIu64 " bytes after them are left out",
                       store->name, store->launch_count,
                       store->recovered != NULL ? ", some of them thanks to its redo log" : "",
                       store->left_out);
    if (length < 0)
        store->note = NULL;
}

int store_launches_read(struct store *store, struct error *err)
{
    struct bytes lines = {0};
    bool whole = true;
    int rc = 0;
    for (uint32_t g = 0; g < store->group_count && rc == 0; g++) {
        struct group *group = store_acquire(store, g, 1 << FRAME_HEAD, err);
        if (group == NULL) {
            rc = -1;
            break;
        }
        store->groups[g].code = code_group_is(group);
        for (size_t i = 0; i < group->count; i++)
            if (group->items[i].tag != GROUP_LINE)
                whole = group->items[i].info.flags & PART_ENDS;
        if (read_items(store, g, group, &lines) != 0)
            rc = error_undecoded(
                err, store->name, 0, 0,
                "group %" PRIu32 ": its head does not follow from those before it", g + 1);
        store_release(store, g);
    }
    if (!whole && rc == 0)
        store->launch_count--;
    if (rc == 0 && (store->cut || !whole))
        note_end(store);
    if (rc == 0 &&
        (lines.failed || choose_numbers(store) != 0 || make_list(store, &lines) != 0))
        rc = error_no_memory_for(err, ERROR_TRACE, store->name);
    bytes_finish(&lines);
    return rc;
}

uint64_t store_number(const struct store *store, size_t i)
{
    return store->by_position ? i + 1 : store->launches[i].id;
}

/* Where the launch of that id stands among ascending ones. */
static size_t find_id(const struct store *store, uint64_t id)
{
    size_t low = 0, high = store->launch_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (store->launches[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < store->launch_count && store->launches[low].id == id ? low : SIZE_MAX;
}

size_t store_find(const struct store *store, uint64_t number)
{
    if (store->by_position)
        return number > 0 && number <= store->launch_count ? (size_t)number - 1 : SIZE_MAX;
    if (store->ascending)
        return find_id(store, number);
    for (size_t i = 0; i < store->launch_count; i++)
        if (store->launches[i].id == number)
            return i;
    return SIZE_MAX;
}
