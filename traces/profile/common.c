/* The common format: columns by name, in any order. Strict, as what it holds
 * was written by a program for a program. */
#define _GNU_SOURCE /* asprintf */
#include <stdlib.h>
#include <string.h>

#include "traces/base/number.h"
#include "traces/profile/format.h"

struct profile_layout {
    unsigned char
        *columns; /* of each field: enum profile_column, PROFILE_COLUMNS to pass over */
    size_t count;
};

static bool probe(const struct csv_file *csv)
{
    return format_has(csv, "launch") && format_has(csv, "kernel");
}

static int add_note(struct profile *profile, const char *name, struct error *err)
{
    char *note = NULL;
    int length = profile->note == NULL ? asprintf(&note, "%s: columns that are passed over: %s",
                                                  profile->path, name)
                                       : asprintf(&note, "%s, %s", profile->note, name);
    if (length < 0)
        return error_no_memory_for(err, ERROR_TRACE, profile->path);
    free(profile->note);
    profile->note = note;
    return 0;
}

/* Names of unknown columns that a note has room for. */
#define MOST_NOTED 16

static int read_header(struct profile *profile, const struct csv_file *csv,
                       struct profile_layout *layout, struct error *err)
{
    uint64_t seen = 0;
    unsigned unknown = 0;
    layout->count = csv->count;
    layout->columns = malloc(csv->count + 1);
    if (layout->columns == NULL)
        return error_no_memory_for(err, ERROR_TRACE, profile->path);
    for (size_t i = 0; i < csv->count; i++) {
        const char *name = csv_file_field(csv, i);
        enum profile_column column = column_find(name);
        layout->columns[i] = (unsigned char)column;
        if (column == PROFILE_COLUMNS && unknown++ < MOST_NOTED &&
            add_note(profile, name, err) != 0)
            return -1;
        if (column < PROFILE_COLUMNS && (seen & PROFILE_BIT(column)))
            return csv_file_fail(csv, i, err, "the header has column %s twice", name);
        seen |= column < PROFILE_COLUMNS ? PROFILE_BIT(column) : 0;
    }
    return 0;
}

static int fail(const struct csv_file *csv, size_t field, enum profile_column column,
                enum number_kind kind, struct error *err)
{
    const struct profile_column_info *info = profile_column_info(column);
    const char *text = csv_file_field(csv, field);
    if (kind == NUMBER_LARGE)
        return csv_file_fail(csv, field, err, "%s \"%.40s\" is too large", info->name, text);
    return csv_file_fail(csv, field, err, "%s \"%.40s\": a %s from 0 is expected", info->name,
                         text, info->type == PROFILE_COUNT ? "whole number" : "number");
}

static int read_field(struct profile *profile, const struct csv_file *csv, size_t field,
                      enum profile_column column, struct profile_row *row, struct error *err)
{
    const char *text = csv_file_field(csv, field);
    enum number_kind kind;
    uint64_t count;
    double real;
    if (column == PROFILE_KERNEL) {
        count = profile_kernel(profile, text, err);
        column_set_count(row, column, count);
        return count != UINT32_MAX ? 0 : -1;
    }
    if (text[0] == '\0')
        return column != PROFILE_LAUNCH ? 0
                                        : csv_file_fail(csv, field, err, "launch is missing");
    if (profile_column_info(column)->type == PROFILE_COUNT) {
        kind = number_count(text, column_most(column), &count);
        if (kind == NUMBER_OK)
            column_set_count(row, column, count);
    } else {
        kind = number_real(text, &real);
        if (kind == NUMBER_OK)
            column_set_real(row, column, real);
    }
    return kind == NUMBER_OK ? 0 : fail(csv, field, column, kind, err);
}

static int read_row(struct profile *profile, const struct csv_file *csv,
                    const struct profile_layout *layout, struct error *err)
{
    struct profile_row row = {.line = (uint32_t)csv_file_line(csv)};
    if (format_check_length(csv, layout->count, err) != 0)
        return -1;
    for (size_t i = 0; i < layout->count; i++)
        if (layout->columns[i] < PROFILE_COLUMNS &&
            read_field(profile, csv, i, (enum profile_column)layout->columns[i], &row, err) !=
                0)
            return -1;
    return profile_add(profile, &row, err);
}

static int read_rows(struct profile *profile, struct csv_file *csv, struct error *err)
{
    struct profile_layout layout;
    int rc = read_header(profile, csv, &layout, err);
    while (rc == 0 && (rc = csv_file_next(csv, err)) == 1)
        rc = read_row(profile, csv, &layout, err);
    free(layout.columns);
    return rc;
}

const struct format format_profile = {"profile", probe, read_rows};
