#include "tools/run/results/rows/rows.h"

#include <stdlib.h>

#include "traces/base/bytes.h"

void rows_finish(struct rows *rows)
{
    free(rows->places);
    rows->places = NULL;
    rows->count = 0;
}

int rows_begin(const struct rows *rows, struct row *row, const struct trace_header *header,
               const char *segment, struct error *err)
{
    row_init(row, header, segment);
    row->kernel = row_store_text(rows->store, row->kernel, err);
    row->segment = row_store_text(rows->store, row->segment, err);
    return row->kernel != NULL && row->segment != NULL ? 0 : -1;
}

int rows_add(struct rows *rows, const struct row *row, struct error *err)
{
    if (!array_room(&rows->places, rows->count, sizeof *rows->places))
        return error_no_memory(err);
    if (row_store_add(rows->store, row, &rows->places[rows->count], err) != 0)
        return -1;
    rows->count++;
    return 0;
}

int rows_replace(struct rows *rows, size_t i, const struct row *row, struct error *err)
{
    return row_store_add(rows->store, row, &rows->places[i], err);
}

void rows_cut(struct rows *rows, size_t count)
{
    rows->count = count;
}

int rows_append(struct rows *rows, struct rows *from, struct error *err)
{
    size_t before = rows->count;
    if (before == 0) {
        free(rows->places);
        rows->places = from->places;
        rows->count = from->count;
        *from = (struct rows){.store = from->store};
        return 0;
    }
    for (size_t i = 0; i < from->count; i++) {
        if (!array_room(&rows->places, rows->count, sizeof *rows->places)) {
            rows_cut(rows, before);
            return error_no_memory(err);
        }
        rows->places[rows->count++] = from->places[i];
    }
    rows_finish(from);
    return 0;
}

bool rows_read(const struct rows *rows, size_t i, struct row *row)
{
    if (!row_store_read(rows->store, rows->places[i], row))
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
