/* A CSV file in memory. */
#ifndef HEARTH_TRACES_BASE_CSV_CSV_TABLE_H
#define HEARTH_TRACES_BASE_CSV_CSV_TABLE_H

#include <stddef.h>

#include "traces/base/error.h"

#define CSV_TABLE_COLUMNS 512

/* Owns all texts. Empty when zeroed. */
struct csv_table {
    size_t rows, columns;
    char **names; /* of the columns, from the first line */
    char **cells; /* row by row; NULL: the line of the file ends before */
    /* private */
    char **lines; /* what the names and the cells of each row point into */
    size_t line_count;
};

/* Reads the file at PATH. It is an error (ERROR_TRACE) if the file cannot be read, is no CSV,
 * or has no columns or more than CSV_TABLE_COLUMNS. Returns 0, or -1 with ERR filled;
 * csv_table_finish() either way. */
int csv_table_read(struct csv_table *table, const char *path, struct error *err);
/* Accepts an empty one. */
void csv_table_finish(struct csv_table *table);

/* The index of the column NAME; the number of columns if there is none. */
size_t csv_table_find(const struct csv_table *table, const char *name);

/* A cell as text; "" where there is none, or no such column (csv_table_find()). */
const char *csv_table_text(const struct csv_table *table, size_t row, size_t column);
/* The same as a number; NaN if the cell is not a number. */
double csv_table_number(const struct csv_table *table, size_t row, size_t column);

#endif
