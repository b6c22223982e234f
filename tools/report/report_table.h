/* A table of a study: written as CSV, HTML, JSON and text from the same cells. */
#ifndef HEARTH_TOOLS_REPORT_REPORT_TABLE_H
#define HEARTH_TOOLS_REPORT_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "traces/base/json.h"

#define REPORT_TABLE_COLUMNS 24

struct report_table_column {
    const char *name;        /* in files */
    const char *unit;        /* "" for none */
    const char *description; /* what a reader must know; "" for nothing */
    bool bar;                /* pages show its numbers, 0 to 100, with a bar behind them */
};

/* All members must be zero except those that the caller sets before the first cell. */
struct report_table {
    const char *name;  /* of its file, without .csv */
    const char *title; /* a line */
    const char *note;  /* after it in the page; may be NULL */
    const struct report_table_column *columns;
    size_t width; /* columns, at most REPORT_TABLE_COLUMNS */
    /* Shown in pages when the pointer is over a cell of the first column; NULL: nothing. That
     * column then has names of kernels. */
    const char *(*hover)(const void *data, size_t row);
    const void *data;
    /* private */
    char **cells;
    size_t count, capacity;
    bool failed; /* memory is short: cells are missing */
};

/* Initialises the columns from an array. */
#define REPORT_TABLE_OF(array) .columns = array, .width = sizeof array / sizeof array[0]

/* PART of WHOLE in percent; NaN if WHOLE is 0. */
double report_table_percent(double part, double whole);

void report_table_finish(struct report_table *sheet);

/* Adds the next cell, row by row. A NaN is an empty cell. */
void report_table_text(struct report_table *sheet, const char *text);
void report_table_number(struct report_table *sheet, double value, int digits);
void report_table_count(struct report_table *sheet, uint64_t value);

size_t report_table_rows(const struct report_table *sheet);
const char *report_table_cell(const struct report_table *sheet, size_t row, size_t column);

void report_table_write_csv(const struct report_table *sheet, FILE *out);
/* Writes at most MOST rows, and how many were left out. Names in a column "kernel" are
 * demangled and shortened, unless the caller has done that (`hover`). */
void report_table_write_html(const struct report_table *sheet, FILE *out, size_t most);
void report_table_write_text(const struct report_table *sheet, FILE *out);
/* Writes the member sheet.name of the open object: an array of objects. */
void report_table_write_json(const struct report_table *sheet, struct json *json);

#endif
