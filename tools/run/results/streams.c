#include "tools/run/results/streams.h"

#include <stdlib.h>

static bool is_known(const struct streams *streams, uint64_t number)
{
    for (size_t i = 0; i < streams->count; i++)
        if (streams->items[i].number == number)
            return true;
    return false;
}

bool streams_init(struct streams *streams, const struct row *rows, size_t count)
{
    *streams = (struct streams){0};
    for (size_t i = 0; i < count; i++) {
        if (is_known(streams, rows[i].stream))
            continue;
        struct stream *items =
            realloc(streams->items, (streams->count + 1) * sizeof *streams->items);
        if (items == NULL) {
            streams_finish(streams);
            return false;
        }
        streams->items = items;
        struct stream *stream = &items[streams->count++];
        stream->number = rows[i].stream;
        totals_init_stream(&stream->totals, rows, count, stream->number);
    }
    return true;
}

void streams_finish(struct streams *streams)
{
    free(streams->items);
    *streams = (struct streams){0};
}
