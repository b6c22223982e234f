/* Columns of a CSV file in memory, by name. */
#ifndef HEARTH_TOOLS_STUDY_CSV_TABLE_H
#define HEARTH_TOOLS_STUDY_CSV_TABLE_H

#include <stddef.h>

#include "traces/base/error.h"

#define CSV_TABLE_COLUMNS 512

/* Zeroed at the start. */
struct csv_table {
    size_t rows, columns; /* columns that were asked for */
    char **cells;         /* row by row; NULL: the file has no such column, or the row ends */
    size_t capacity;
    char **names; /* of the columns, where all were asked for; else NULL */
};

/* Reads from PATH the columns NAMES (NULL-ended, at most CSV_TABLE_COLUMNS); those that the
 * file does not have are empty in every row. A file that cannot be read, or with a first line
 * that has none of them, is an error (ERROR_TRACE). */
int csv_table_read(struct csv_table *frame, const char *path, const char *const *names,
                   struct error *err);
/* Reads all columns. */
int csv_table_read_all(struct csv_table *frame, const char *path, struct error *err);
void csv_table_finish(struct csv_table *frame);

/* A cell as text, "" where there is none. */
const char *csv_table_text(const struct csv_table *frame, size_t row, size_t column);
/* As a number; NaN where it is none. */
double csv_table_number(const struct csv_table *frame, size_t row, size_t column);

#endif
