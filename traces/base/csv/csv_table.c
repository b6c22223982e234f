#include "traces/base/csv/csv_table.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/csv/csv_file.h"
#include "traces/base/files/path_guess.h"

/* Grows an array of pointers by MORE whenever its length reaches a power of two times MORE. */
static bool grow(char ***array, size_t length, size_t more)
{
    size_t parts = length / more;
    if (parts != 0 && (parts & (parts - 1)) != 0)
        return true;
    char **larger = reallocarray(*array, parts == 0 ? 1 : 2 * parts, more * sizeof *larger);
    if (larger != NULL)
        *array = larger;
    return larger != NULL;
}

/* Copies the fields of the line that was just read to COLUMNS cells; those that it lacks are
 * NULL. */
static bool take_line(struct csv_table *table, const struct csv_file *csv, char **cells,
                      size_t columns)
{
    char *copy =
        grow(&table->lines, table->line_count, 1) ? malloc(csv->text_length + 1) : NULL;
    if (copy == NULL)
        return false;
    memcpy(copy, csv->text, csv->text_length);
    table->lines[table->line_count++] = copy;
    for (size_t c = 0; c < columns; c++)
        cells[c] = c < csv->count ? copy + csv->fields[c] : NULL;
    return true;
}

static int read_names(struct csv_table *table, struct csv_file *csv, struct error *err)
{
    int rc = csv_file_next(csv, err);
    if (rc <= 0)
        return rc < 0 ? -1
                      : error_set(err, ERROR_TRACE, csv->name, 1, 0, "there are no columns");
    if (csv->count > CSV_TABLE_COLUMNS)
        return error_set(err, ERROR_TRACE, csv->name, 1, 0, "more than %d columns",
                         CSV_TABLE_COLUMNS);
    table->names = calloc(csv->count, sizeof *table->names);
    if (table->names == NULL || !take_line(table, csv, table->names, csv->count))
        return error_no_memory(err);
    table->columns = csv->count;
    return 0;
}

static int read_rows(struct csv_table *table, struct csv_file *csv, struct error *err)
{
    int rc;
    while ((rc = csv_file_next(csv, err)) > 0) {
        size_t length = table->rows * table->columns;
        if (!grow(&table->cells, length, table->columns) ||
            !take_line(table, csv, table->cells + length, table->columns))
            return error_no_memory(err);
        table->rows++;
    }
    return rc;
}

int csv_table_read(struct csv_table *table, const char *path, struct error *err)
{
    struct csv_file csv;
    *table = (struct csv_table){0};
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return path_guess_fail(path, path, NULL, err);
    int rc = csv_file_init(&csv, in, path, err);
    if (rc == 0)
        rc = read_names(table, &csv, err);
    if (rc == 0)
        rc = read_rows(table, &csv, err);
    csv_file_finish(&csv);
    fclose(in);
    return rc;
}

void csv_table_finish(struct csv_table *table)
{
    for (size_t i = 0; i < table->line_count; i++)
        free(table->lines[i]);
    free(table->lines);
    free(table->cells);
    free(table->names);
    *table = (struct csv_table){0};
}

size_t csv_table_find(const struct csv_table *table, const char *name)
{
    size_t c = 0;
    while (c < table->columns && strcmp(table->names[c], name) != 0)
        c++;
    return c;
}

const char *csv_table_text(const struct csv_table *table, size_t row, size_t column)
{
    const char *text =
        column < table->columns ? table->cells[row * table->columns + column] : NULL;
    return text != NULL ? text : "";
}

double csv_table_number(const struct csv_table *table, size_t row, size_t column)
{
    char *end;
    const char *text = csv_table_text(table, row, column);
    double number = strtod(text, &end);
    return end != text && *end == '\0' ? number : NAN;
}
