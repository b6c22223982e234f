/* The rows of a CSV, one after the other, with the position of each field for messages. RFC
 * 4180, and what profilers make of it: a byte-order mark, CR LF, blanks around fields, empty
 * lines, tabs instead of commas (if the first line has tabs), and lines between the rows that
 * start with '=' (progress messages of NVIDIA's profilers). */
#ifndef HEARTH_TRACES_BASE_CSV_CSV_FILE_H
#define HEARTH_TRACES_BASE_CSV_CSV_FILE_H

#include <csv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "traces/base/error.h"

struct csv_file {
    const char *name; /* for messages; owned by the caller */
    size_t count;     /* fields of the row */
    /* Private. */
    FILE *in;
    struct csv_parser parser;
    char *buffer; /* bytes from `at` to `end` are read but not parsed */
    size_t at, end;
    long line; /* of the next byte, from 1 */
    char *raw; /* the row as it is in the file */
    size_t raw_length, raw_capacity;
    long raw_line; /* its first line */
    char *text;    /* its fields, each ended by a NUL */
    size_t text_length, text_capacity;
    size_t *fields; /* where each field begins in `text` */
    size_t field_capacity;
    bool begun, complete, last, failed;
};

/* The caller owns IN and NAME. Returns 0, or -1 with ERR filled. */
int csv_file_init(struct csv_file *csv, FILE *in, const char *name, struct error *err);
void csv_file_finish(struct csv_file *csv);

/* Reads the next row. Returns 1, 0 after the last row, or -1 with ERR filled. */
int csv_file_next(struct csv_file *csv, struct error *err);

/* Whether a spreadsheet would take the field TEXT for a formula: it begins with = + - @, tab or
 * CR, and is no number. Writers put ' before it, readers take that away. */
bool csv_file_is_formula(const char *text);

/* Field I of the row, from 0. It is valid until the next row is read. */
static inline const char *csv_file_field(const struct csv_file *csv, size_t i)
{
    const char *text = csv->text + csv->fields[i];
    return text[0] == '\'' && csv_file_is_formula(text + 1) ? text + 1 : text;
}

/* Reports an error (ERROR_TRACE) at a field of the row. Always -1. */
int csv_file_fail(const struct csv_file *csv, size_t field, struct error *err,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The line where the row starts. */
static inline long csv_file_line(const struct csv_file *csv)
{
    return csv->raw_line;
}

/* Writes TEXT as a field of a CSV (RFC 4180): in quotes; or in quotes only if it needs them,
 * also where readers would trim blanks. */
void csv_file_write_quoted(FILE *out, const char *text);
void csv_file_write_field(FILE *out, const char *text);

#endif
