#include "tools/run/segments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct segments *segments, size_t item)
{
    struct segment *segment = &segments->items[segments->count++];
    segment->begin = segment->done = (uint32_t)item;
    segment->number = (uint32_t)segments->count;
}

int segments_init(struct segments *segments, const struct plan *plan, const bool *skip,
                  struct row_store *store, struct error *err)
{
    size_t most = 1;
    for (size_t i = 0; i < plan->count; i++)
        most += plan->items[i].kind == PLAN_SEGMENT;
    *segments = (struct segments){.items = calloc(most + 1, sizeof *segments->items),
                                  .lock = PTHREAD_MUTEX_INITIALIZER};
    if (segments->items == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < plan->count; i++) {
        if (skip[i])
            continue;
        if (plan->items[i].kind == PLAN_SEGMENT || segments->count == 0)
            add(segments, i);
    }
    segments->items[segments->count].begin = (uint32_t)plan->count;
    for (size_t s = 0; s < segments->count; s++) {
        struct segment *segment = &segments->items[s];
        segment->rows.store = store;
        for (size_t i = segment->begin; i < segment_end(segment); i++)
            if (plan->items[i].kind == PLAN_SAVE && !skip[i])
                segments->serial = s + 1;
    }
    return 0;
}

void segments_finish(struct segments *segments)
{
    for (size_t s = 0; s < segments->count; s++)
        rows_finish(&segments->items[s].rows);
    free(segments->failure.report);
    free(segments->items);
    *segments = (struct segments){0};
}

struct row_segment segments_label(const struct segment *segment, const struct plan *plan)
{
    const struct plan_item *first = &plan->items[segment->begin];
    return first->kind == PLAN_SEGMENT && first->segment.text != NULL
               ? (struct row_segment){first->segment.text, first->segment.number}
               : (struct row_segment){"", segment->number};
}

void segments_stop(struct segments *segments, struct segment *segment, const char *reason)
{
    uint32_t i = 0;
    if (reason != NULL) {
        pthread_mutex_lock(&segments->lock);
        while (segments->reasons[i] != NULL && strcmp(segments->reasons[i], reason) != 0)
            i++;
        segments->reasons[i] = reason;
        pthread_mutex_unlock(&segments->lock);
    }
    segment->stopped = reason != NULL ? i + 1 : 0;
}

void segments_fail(struct segments *segments, struct segment *segment,
                   const struct error *error, const char *report)
{
    struct segment_failure *failure = &segments->failure;
    segments_stop(segments, segment, "error");
    pthread_mutex_lock(&segments->lock);
    if (failure->number == 0 || segment->number < failure->number) {
        free(failure->report);
        *failure = (struct segment_failure){segment->number, *error,
                                            report != NULL ? strdup(report) : NULL};
    }
    pthread_mutex_unlock(&segments->lock);
}

const struct segment_failure *segments_failed(const struct segments *segments)
{
    return segments->failure.number != 0 ? &segments->failure : NULL;
}

const char *segments_stop_reason(const struct segments *segments)
{
    if (segments_failed(segments) != NULL)
        return "error";
    for (size_t s = 0; s < segments->count; s++)
        if (segments->items[s].stopped != 0)
            return segments->reasons[segments->items[s].stopped - 1];
    return "end";
}

static struct rows *rows_of(void *segments, size_t s)
{
    return &((struct segments *)segments)->items[s].rows;
}

int segments_collect(struct segments *segments, struct rows *rows, struct error *err)
{
    return rows_join(rows, segments->count, rows_of, segments, err);
}
