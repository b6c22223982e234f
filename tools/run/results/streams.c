#include "tools/run/results/streams.h"

#include <stdlib.h>

#include "traces/base/bytes.h"

/* The totals of stream NUMBER; adds it if it is new. NULL without memory. */
static struct totals *totals_of(struct streams *streams, uint64_t number)
{
    for (size_t i = 0; i < streams->count; i++)
        if (streams->items[i].number == number)
            return &streams->items[i].totals;
    if (!array_room(&streams->items, streams->count, sizeof *streams->items))
        return NULL;
    struct stream *stream = &streams->items[streams->count++];
    *stream = (struct stream){.number = number};
    return &stream->totals;
}

bool streams_init(struct streams *streams, const struct rows *rows)
{
    *streams = (struct streams){0};
    struct rows_pass pass = {.rows = rows};
    for (const struct row *row; (row = rows_next(&pass)) != NULL;) {
        struct totals *totals = totals_of(streams, row->stream);
        if (totals == NULL) {
            rows_leave(&pass);
            streams_finish(streams);
            return false;
        }
        totals_add(totals, row);
    }
    for (size_t i = 0; i < streams->count; i++)
        totals_end(&streams->items[i].totals);
    return true;
}

void streams_finish(struct streams *streams)
{
    free(streams->items);
    *streams = (struct streams){0};
}
