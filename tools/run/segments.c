#include "tools/run/segments.h"

#include <stdio.h>
#include <stdlib.h>

static void add(struct segments *segments, size_t item, const char *name)
{
    struct segment *segment = &segments->items[segments->count++];
    segment->begin = segment->done = item;
    segment->number = segments->count;
    snprintf(segment->name, sizeof segment->name, "%zu", segment->number);
    segment->label = name != NULL ? name : segment->name;
}

int segments_init(struct segments *segments, const struct plan *plan, const bool *skip,
                  struct row_store *store, struct error *err)
{
    size_t most = 1;
    for (size_t i = 0; i < plan->count; i++)
        most += plan->items[i].kind == PLAN_SEGMENT;
    *segments = (struct segments){.items = calloc(most, sizeof *segments->items)};
    if (segments->items == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < plan->count; i++) {
        if (skip[i])
            continue;
        if (plan->items[i].kind == PLAN_SEGMENT)
            add(segments, i, plan->items[i].text);
        else if (segments->count == 0)
            add(segments, i, NULL);
    }
    for (size_t s = 0; s < segments->count; s++) {
        struct segment *segment = &segments->items[s];
        segment->rows.store = store;
        segment->end = s + 1 < segments->count ? segment[1].begin : plan->count;
        for (size_t i = segment->begin; i < segment->end; i++)
            if (plan->items[i].kind == PLAN_SAVE && !skip[i])
                segments->serial = s + 1;
    }
    return 0;
}

void segments_finish(struct segments *segments)
{
    for (size_t s = 0; s < segments->count; s++) {
        rows_finish(&segments->items[s].rows);
        free(segments->items[s].report);
    }
    free(segments->items);
    *segments = (struct segments){0};
}

const struct segment *segments_failed(const struct segments *segments)
{
    for (size_t s = 0; s < segments->count; s++)
        if (segments->items[s].error.kind != ERROR_NONE)
            return &segments->items[s];
    return NULL;
}

const char *segments_stop_reason(const struct segments *segments)
{
    const struct segment *failed = segments_failed(segments);
    if (failed != NULL)
        return failed->stop_reason;
    for (size_t s = 0; s < segments->count; s++)
        if (segments->items[s].stop_reason != NULL)
            return segments->items[s].stop_reason;
    return "end";
}

int segments_collect(struct segments *segments, struct rows *rows, struct error *err)
{
    for (size_t s = 0; s < segments->count; s++)
        if (rows_append(rows, &segments->items[s].rows, err) < 0)
            return -1;
    return 0;
}
