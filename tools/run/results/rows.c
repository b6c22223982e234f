#include "tools/run/results/rows.h"

#include <stdlib.h>
#include <string.h>

void rows_finish(struct rows *rows)
{
    while (rows->count > 0)
        rows_drop(rows);
    free(rows->items);
    *rows = (struct rows){0};
}

/* The allocated size is the least power of two that is at least COUNT. */
static size_t room(size_t count)
{
    size_t room = 1;
    while (room < count)
        room *= 2;
    return room;
}

static int grow(struct rows *rows, size_t more, struct error *err)
{
    size_t wanted = room(rows->count + more);
    if (rows->items != NULL && wanted == room(rows->count))
        return 0;
    struct row *items = realloc(rows->items, wanted * sizeof *items);
    if (items == NULL)
        return error_no_memory(err);
    rows->items = items;
    return 0;
}

struct row *rows_add(struct rows *rows, const struct trace_header *header, const char *segment,
                     struct error *err)
{
    if (grow(rows, 1, err) < 0)
        return NULL;
    if (row_init(&rows->items[rows->count], header, segment) < 0) {
        error_no_memory(err);
        return NULL;
    }
    return &rows->items[rows->count++];
}

void rows_drop(struct rows *rows)
{
    row_finish(&rows->items[--rows->count]);
}

int rows_append(struct rows *rows, struct rows *from, struct error *err)
{
    if (from->count == 0)
        return 0;
    if (rows->count == 0) {
        rows_finish(rows);
        *rows = *from;
        *from = (struct rows){0};
        return 0;
    }
    if (grow(rows, from->count, err) < 0)
        return -1;
    memcpy(&rows->items[rows->count], from->items, from->count * sizeof *from->items);
    rows->count += from->count;
    from->count = 0;
    return 0;
}
