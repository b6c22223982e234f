#include "tools/study/csv_table.h"

#include <csv.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER 65536

/* What the callbacks of the parser see. */
struct csv_table_reading {
    struct csv_table *frame;
    const char *const *names;
    size_t field;                   /* of the row, from 0 */
    size_t from[CSV_TABLE_COLUMNS]; /* field of each column; SIZE_MAX: none */
    bool head, failed, wide; /* the first line is read; memory is short; too many columns */
};

static bool grow(struct csv_table *frame)
{
    if ((frame->rows + 1) * frame->columns <= frame->capacity)
        return true;
    size_t capacity = 2 * frame->capacity + 64 * frame->columns;
    char **cells = realloc(frame->cells, capacity * sizeof *cells);
    if (cells == NULL)
        return false;
    memset(cells + frame->capacity, 0, (capacity - frame->capacity) * sizeof *cells);
    frame->cells = cells;
    frame->capacity = capacity;
    return true;
}

/* One more column of a frame that has all. */
static void add_name(struct csv_table_reading *reading, const char *text)
{
    struct csv_table *frame = reading->frame;
    if (frame->columns == CSV_TABLE_COLUMNS) {
        reading->wide = true;
        return;
    }
    frame->names[frame->columns] = strdup(text);
    reading->failed |= frame->names[frame->columns] == NULL;
    reading->from[frame->columns++] = reading->field;
}

static void take_name(struct csv_table_reading *reading, const char *text)
{
    if (reading->names == NULL) {
        add_name(reading, text);
        return;
    }
    for (size_t c = 0; c < reading->frame->columns; c++)
        if (reading->from[c] == SIZE_MAX && strcmp(reading->names[c], text) == 0)
            reading->from[c] = reading->field;
}

static void take_cell(struct csv_table_reading *reading, const char *text)
{
    struct csv_table *frame = reading->frame;
    for (size_t c = 0; c < frame->columns && !reading->failed; c++) {
        if (reading->from[c] != reading->field)
            continue;
        char **cell = &frame->cells[frame->rows * frame->columns + c];
        *cell = strdup(text);
        reading->failed |= *cell == NULL;
    }
}

static void on_field(void *text, size_t length, void *data)
{
    struct csv_table_reading *reading = data;
    (void)length; /* CSV_APPEND_NULL */
    if (!reading->head)
        take_name(reading, text != NULL ? text : "");
    else if (grow(reading->frame))
        take_cell(reading, text != NULL ? text : "");
    else
        reading->failed = true;
    reading->field++;
}

static void on_row(int end, void *data)
{
    struct csv_table_reading *reading = data;
    (void)end;
    if (reading->head && reading->field > 0)
        reading->frame->rows++;
    reading->head = true;
    reading->field = 0;
}

static int parse(struct csv_table_reading *reading, FILE *in, const char *path,
                 struct error *err)
{
    struct csv_parser parser;
    char buffer[BUFFER];
    size_t got;
    if (csv_init(&parser, CSV_APPEND_NULL | CSV_STRICT) != 0)
        return error_no_memory(err);
    bool good = true;
    while (good && (got = fread(buffer, 1, sizeof buffer, in)) > 0)
        good = csv_parse(&parser, buffer, got, on_field, on_row, reading) == got;
    good = good && csv_fini(&parser, on_field, on_row, reading) == 0 && !ferror(in);
    csv_free(&parser);
    if (reading->failed)
        return error_no_memory(err);
    if (reading->wide)
        return error_set(err, ERROR_TRACE, path, 1, 0, "more than %d columns",
                         CSV_TABLE_COLUMNS);
    if (!good)
        return error_set(err, ERROR_TRACE, path, (long)reading->frame->rows + 2, 0,
                         "the CSV cannot be read");
    return 0;
}

static int check_head(const struct csv_table_reading *reading, const char *path,
                      struct error *err)
{
    for (size_t c = 0; c < reading->frame->columns; c++)
        if (reading->from[c] != SIZE_MAX)
            return 0;
    if (reading->names == NULL)
        return error_set(err, ERROR_TRACE, path, 1, 0, "there are no columns");
    return error_set(err, ERROR_TRACE, path, 1, 0, "no column \"%s\"", reading->names[0]);
}

static int read_file(struct csv_table_reading *reading, const char *path, struct error *err)
{
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return error_set(err, ERROR_TRACE, path, 0, 0, "cannot open: %s", strerror(errno));
    int result = parse(reading, in, path, err);
    fclose(in);
    return result == 0 ? check_head(reading, path, err) : result;
}

int csv_table_read(struct csv_table *frame, const char *path, const char *const *names,
                   struct error *err)
{
    struct csv_table_reading reading = {.frame = frame, .names = names};
    *frame = (struct csv_table){0};
    while (names[frame->columns] != NULL && frame->columns < CSV_TABLE_COLUMNS)
        reading.from[frame->columns++] = SIZE_MAX;
    return read_file(&reading, path, err);
}

int csv_table_read_all(struct csv_table *frame, const char *path, struct error *err)
{
    struct csv_table_reading reading = {.frame = frame};
    *frame = (struct csv_table){.names = calloc(CSV_TABLE_COLUMNS, sizeof *frame->names)};
    if (frame->names == NULL)
        return error_no_memory(err);
    return read_file(&reading, path, err);
}

void csv_table_finish(struct csv_table *frame)
{
    for (size_t i = 0; i < frame->capacity; i++)
        free(frame->cells[i]);
    free(frame->cells);
    for (size_t c = 0; frame->names != NULL && c < frame->columns; c++)
        free(frame->names[c]);
    free(frame->names);
    *frame = (struct csv_table){0};
}

const char *csv_table_text(const struct csv_table *frame, size_t row, size_t column)
{
    const char *text = frame->cells[row * frame->columns + column];
    return text != NULL ? text : "";
}

double csv_table_number(const struct csv_table *frame, size_t row, size_t column)
{
    char *end;
    const char *text = csv_table_text(frame, row, column);
    double number = strtod(text, &end);
    return end != text && *end == '\0' ? number : NAN;
}
