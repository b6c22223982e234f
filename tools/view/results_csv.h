/* A CSV of a results folder, row by row, with columns found by name. */
#ifndef HEARTH_TOOLS_VIEW_RESULTS_CSV_H
#define HEARTH_TOOLS_VIEW_RESULTS_CSV_H

#include <stdint.h>

#include "traces/base/csv/csv_file.h"

struct results_csv {
    struct csv_file csv;
    FILE *in;
    char *path;
    char **names; /* of the columns */
    size_t columns;
};

/* Opens FOLDER/NAME. Returns 1; 0 if there is no such file and MISSING is true; or -1 with ERR
 * filled. results_csv_finish() in any case. */
int results_csv_open(struct results_csv *table, const char *folder, const char *name,
                     bool missing, struct error *err);
void results_csv_finish(struct results_csv *table);

/* The index of a column; `columns` if there is none. */
size_t results_csv_find(const struct results_csv *table, const char *name);
/* Reads the next row, which must be as long as the first. Returns 1, 0 after the last row, or
 * -1 with ERR filled. */
int results_csv_next(struct results_csv *table, struct error *err);
/* A field; "" if there is no such column. */
const char *results_csv_text(const struct results_csv *table, size_t column);
/* A field as a whole number: 0 if it is empty or there is no such column. Returns 0, or -1 with
 * ERR filled. */
int results_csv_count(const struct results_csv *table, size_t column, uint64_t *value,
                      struct error *err);

#endif
