#include "tools/commands/estimate/estimate_measured.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/study/correlate/kernel_name.h"
#include "traces/base/csv/csv_table.h"

#define MOST_LAUNCHES 1e15

/* Column of the measured values, and what a unit of it is in seconds. */
static int find_column(const struct csv_table *table, const struct estimate_request *request,
                       const struct estimate_device *device, const char *path, size_t *column,
                       double *unit, struct error *err)
{
    static const char *const usual[] = {"cycles", "time_ns"};
    const char *name = request->column;
    for (size_t i = 0; name == NULL && i < 2; i++)
        if (csv_table_find(table, usual[i]) < table->columns)
            name = usual[i];
    *column = name != NULL ? csv_table_find(table, name) : table->columns;
    if (*column == table->columns || csv_table_find(table, "launch") == table->columns)
        return error_set(err, ERROR_TRACE, path, 0, 0, "expected the columns launch and %s",
                         name != NULL ? name : "cycles or time_ns");
    bool ns = strlen(name) > 3 && strcmp(name + strlen(name) - 3, "_ns") == 0;
    *unit = ns ? 1e-9 : 1 / (device->sm_clock * 1e6);
    return 0;
}

static size_t row_of(const struct estimate_rows *rows, uint64_t launch)
{
    size_t i = 0;
    while (i < rows->count && rows->items[i].launch != launch)
        i++;
    return i;
}

/* Row R of TABLE, of launch NUMBER, is about row AT: the same kernel, measured once. */
static int check_row(const struct estimate_measured *measured, const struct estimate_rows *rows,
                     const struct csv_table *table, size_t r, size_t at, const char *path,
                     struct error *err)
{
    size_t column = csv_table_find(table, "kernel");
    const char *kernel = csv_table_text(table, r, column);
    const struct estimate_row *row = &rows->items[at];
    if (column < table->columns && !kernel_name_same(row->kernel, kernel))
        return error_set(err, ERROR_TRACE, path, (long)r + 2, 0,
                         "launch %lu is kernel %.100s here, %.100s in the workload",
                         (unsigned long)row->launch, kernel, row->kernel);
    if (!isnan(measured->seconds[at]))
        return error_set(err, ERROR_TRACE, path, (long)r + 2, 0,
                         "launch %lu was measured before, too", (unsigned long)row->launch);
    return 0;
}

/* Results of a plan have rows of launches that only warm up, too. */
static bool is_measured(const struct csv_table *table, size_t r)
{
    size_t role = csv_table_find(table, "role");
    return role == table->columns || strcmp(csv_table_text(table, r, role), "measure") == 0;
}

/* The value of row R: NaN if it has none. */
static int read_value(const struct csv_table *table, size_t r, size_t column, const char *path,
                      double *value, struct error *err)
{
    *value = NAN;
    if (csv_table_text(table, r, column)[0] == '\0')
        return 0;
    *value = csv_table_number(table, r, column);
    if (*value > 0 && isfinite(*value))
        return 0;
    return error_set(err, ERROR_TRACE, path, (long)r + 2, 0,
                     "%s: expected a number above 0, got \"%.40s\"", table->names[column],
                     csv_table_text(table, r, column));
}

static int take(struct estimate_measured *measured, const struct estimate_rows *rows,
                const struct csv_table *table, size_t column, double unit, const char *path,
                struct error *err)
{
    size_t launch = csv_table_find(table, "launch"), at = 0;
    for (size_t r = 0; r < table->rows; r++) {
        double number = csv_table_number(table, r, launch), value;
        if (read_value(table, r, column, path, &value, err) != 0)
            return -1;
        if (!(number >= 0 && number <= MOST_LAUNCHES && number == floor(number)))
            return error_set(err, ERROR_TRACE, path, (long)r + 2, 0,
                             "launch: expected a number, got \"%.40s\"",
                             csv_table_text(table, r, launch));
        if (number < 1 || isnan(value) || !is_measured(table, r))
            continue;
        /* Both are usually in the same order. */
        if (at >= rows->count || (double)rows->items[at].launch != number)
            at = row_of(rows, (uint64_t)number);
        if (at < rows->count && rows->items[at].known) {
            if (check_row(measured, rows, table, r, at, path, err) != 0)
                return -1;
            measured->found++;
            measured->seconds[at] = value * unit;
        }
        at++;
        while (at < rows->count && rows->items[at].launch == 0)
            at++;
    }
    return 0;
}

int estimate_measured_read(struct estimate_measured *measured, const struct estimate_rows *rows,
                           const struct estimate_request *request,
                           const struct estimate_device *device, struct error *err)
{
    struct stat status;
    struct csv_table table = {0};
    char path[4096];
    size_t column = 0;
    double unit = 0;
    bool folder = stat(request->measured, &status) == 0 && S_ISDIR(status.st_mode);
    snprintf(path, sizeof path, "%s%s", request->measured, folder ? "/kernels.csv" : "");
    measured->seconds = malloc((rows->count + 1) * sizeof *measured->seconds);
    if (measured->seconds == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < rows->count; i++)
        measured->seconds[i] = NAN;
    int result = csv_table_read(&table, path, err);
    if (result == 0)
        result = find_column(&table, request, device, path, &column, &unit, err);
    if (result == 0)
        result = take(measured, rows, &table, column, unit, path, err);
    csv_table_finish(&table);
    if (result == 0 && measured->found == 0)
        return error_set(err, ERROR_USAGE, path, 0, 0,
                         "no launch of the workload is measured there");
    return result;
}
