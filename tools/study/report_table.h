/* A table of a study: written as CSV, HTML, JSON and text from the same cells. */
#ifndef HEARTH_TOOLS_STUDY_REPORT_TABLE_H
#define HEARTH_TOOLS_STUDY_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "traces/base/json.h"

#define SHEET_COLUMNS 24

struct sheet_column {
    const char *name;        /* in files */
    const char *unit;        /* "" for none */
    const char *description; /* what a reader has to know; "" for nothing */
};

/* Zeroed but for what the caller sets before the first cell. */
struct sheet {
    const char *name;  /* of its file, without .csv */
    const char *title; /* a line */
    const char *note;  /* behind it in the page; may be NULL */
    const struct sheet_column *columns;
    size_t width; /* columns, at most SHEET_COLUMNS */
    /* private */
    char **cells;
    size_t count, capacity;
    bool failed; /* memory is short: cells are missing */
};

/* Columns of an array, for an initializer. */
#define SHEET_OF(array) .columns = array, .width = sizeof array / sizeof array[0]

/* PART of WHOLE in percent; NaN where there is no whole. */
double sheet_percent(double part, double whole);

void sheet_finish(struct sheet *sheet);

/* The next cell, row by row. A NaN is an empty cell. */
void sheet_text(struct sheet *sheet, const char *text);
void sheet_number(struct sheet *sheet, double value, int digits);
void sheet_count(struct sheet *sheet, uint64_t value);

size_t sheet_rows(const struct sheet *sheet);
const char *sheet_cell(const struct sheet *sheet, size_t row, size_t column);

void sheet_write_csv(const struct sheet *sheet, FILE *out);
/* At most MOST rows, and how many were left out. */
void sheet_write_html(const struct sheet *sheet, FILE *out, size_t most);
void sheet_write_text(const struct sheet *sheet, FILE *out);
/* As the member sheet.name of the open object: an array of objects. */
void sheet_write_json(const struct sheet *sheet, struct json *json);

#endif
