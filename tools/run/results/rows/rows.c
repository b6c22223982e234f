#include "tools/run/results/rows/rows.h"

#include <stdlib.h>
#include <string.h>

#include "traces/base/bytes.h"

void rows_finish(struct rows *rows)
{
    rows_cut(rows, 0);
}

static uint64_t place_of(const struct rows *rows, size_t i)
{
    return rows->count > ROWS_FEW ? rows->places[i] : rows->few[i];
}

/* Returns false without memory. */
static bool append(struct rows *rows, uint64_t place)
{
    uint64_t *places = rows->count > ROWS_FEW ? rows->places : NULL;
    if (rows->count < ROWS_FEW) {
        rows->few[rows->count++] = place;
        return true;
    }
    if (!array_room(&places, rows->count, sizeof *places))
        return false;
    if (rows->count == ROWS_FEW)
        memcpy(places, rows->few, sizeof rows->few);
    rows->places = places;
    places[rows->count++] = place;
    return true;
}

int rows_begin(const struct rows *rows, struct row *row, const struct trace_header *header,
               struct row_segment segment, struct error *err)
{
    row_init(row, header, segment);
    row->kernel = row_store_text(rows->store, row->kernel, err);
    row->segment.text = row_store_recent_text(rows->store, row->segment.text, err);
    return row->kernel != NULL && row->segment.text != NULL ? 0 : -1;
}

int rows_add(struct rows *rows, const struct row *row, struct error *err)
{
    uint64_t place;
    if (row_store_add(rows->store, row, &place, err) != 0)
        return -1;
    return append(rows, place) ? 0 : error_no_memory(err);
}

int rows_replace(struct rows *rows, size_t i, const struct row *row, struct error *err)
{
    uint64_t *place = rows->count > ROWS_FEW ? &rows->places[i] : &rows->few[i];
    return row_store_add(rows->store, row, place, err);
}

void rows_cut(struct rows *rows, size_t count)
{
    uint64_t *places = rows->places;
    if (rows->count > ROWS_FEW && count <= ROWS_FEW) {
        memcpy(rows->few, places, sizeof rows->few);
        free(places);
    }
    rows->count = count;
}

/* At once: a list of places that grew would be there twice when it is copied. */
int rows_join(struct rows *rows, size_t parts, struct rows *(*part)(void *data, size_t i),
              void *data, struct error *err)
{
    size_t count = 0, room = 1;
    if (parts == 1) {
        struct rows *only = part(data, 0);
        *rows = *only;
        *only = (struct rows){.store = rows->store};
        return 0;
    }
    for (size_t p = 0; p < parts; p++)
        count += part(data, p)->count;
    while (room < count) /* as array_room() would have left it */
        room *= 2;
    uint64_t *places = count > ROWS_FEW ? reallocarray(NULL, room, sizeof *places) : rows->few;
    if (places == NULL)
        return error_no_memory(err);
    for (size_t p = 0, at = 0; p < parts; p++) {
        struct rows *from = part(data, p);
        for (size_t i = 0; i < from->count; i++)
            places[at++] = place_of(from, i);
        rows_finish(from);
    }
    rows->count = count;
    if (count > ROWS_FEW)
        rows->places = places;
    return 0;
}

bool rows_read(const struct rows *rows, size_t i, struct row *row)
{
    if (!row_store_read(rows->store, place_of(rows, i), row))
        return false;
    row->step = i + 1;
    return true;
}

struct row *rows_next(struct rows_pass *pass)
{
    row_finish(&pass->row);
    if (pass->next >= pass->rows->count || !rows_read(pass->rows, pass->next, &pass->row))
        return NULL;
    pass->next++;
    return &pass->row;
}

void rows_leave(struct rows_pass *pass)
{
    row_finish(&pass->row);
}
