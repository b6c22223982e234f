#include "tools/calibrate/measured_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/spread.h"

/* The columns of the table. */
struct calibration_columns {
    size_t launch, label, mechanism, work, grid, block;
    size_t clock[2], sm[2], gpc[2];
};

static struct calibration_cycles cycles_of(const struct csv_table *table, size_t row,
                                           const size_t columns[2])
{
    double first = csv_table_number(table, row, columns[0]);
    double second = csv_table_number(table, row, columns[1]);
    if (isnan(first))
        first = second;
    if (isnan(second))
        second = first;
    return (struct calibration_cycles){(first + second) / 2, fmin(first, second),
                                       fmax(first, second)};
}

static int find_columns(const struct csv_table *table, const char *path,
                        struct calibration_columns *columns, struct error *err)
{
    *columns = (struct calibration_columns){
        .launch = csv_table_find(table, "launch"),
        .label = csv_table_find(table, "label"),
        .mechanism = csv_table_find(table, "mechanism"),
        .work = csv_table_find(table, "work"),
        .grid = csv_table_find(table, "grid"),
        .block = csv_table_find(table, "block"),
        .clock = {csv_table_find(table, "clock_cycles"),
                  csv_table_find(table, "clock_cycles_2")},
        .sm = {csv_table_find(table, "sm_cycles"), csv_table_find(table, "sm_cycles_2")},
        .gpc = {csv_table_find(table, "gpc_cycles"), csv_table_find(table, "gpc_cycles_2")},
    };
    const char *missing =
        columns->launch == table->columns  ? "launch"
        : columns->label == table->columns ? "label"
        : columns->work == table->columns  ? "work"
        : columns->sm[0] == table->columns && columns->clock[0] == table->columns
            ? "sm_cycles or clock_cycles"
            : NULL;
    return missing == NULL
               ? 0
               : error_set(err, ERROR_TRACE, path, 1, 0, "there is no column %s", missing);
}

#define MOST 1e12 /* cycles, or work of a launch */

/* A cell may be empty, but holds no other text, and no infinite number. */
static int check_cell(const struct measured_rows *rows, size_t at, size_t column,
                      struct error *err)
{
    const char *text = csv_table_text(&rows->table, at, column);
    double number = csv_table_number(&rows->table, at, column);
    if (text[0] == '\0' || (number >= 0 && number <= MOST))
        return 0;
    return error_set(err, ERROR_TRACE, rows->path, (long)at + 2, 0,
                     "%s: expected a number from 0 to %.0f, got \"%.40s\"",
                     rows->table.names[column], MOST, text);
}

static int check_cells(const struct measured_rows *rows, size_t at,
                       const struct calibration_columns *columns, struct error *err)
{
    int result = check_cell(rows, at, columns->work, err);
    for (int i = 0; i < 2 && result == 0; i++)
        if (check_cell(rows, at, columns->clock[i], err) != 0 ||
            check_cell(rows, at, columns->sm[i], err) != 0 ||
            check_cell(rows, at, columns->gpc[i], err) != 0)
            result = -1;
    return result;
}

static int take_row(struct measured_rows *rows, size_t at,
                    const struct calibration_columns *columns, struct error *err)
{
    const struct csv_table *table = &rows->table;
    double launch = csv_table_number(table, at, columns->launch);
    if (!(launch >= 0 && launch <= 1e9 && launch == floor(launch)))
        return error_set(err, ERROR_TRACE, rows->path, (unsigned)at + 2, 0,
                         "launch: expected a number from 0");
    if (check_cells(rows, at, columns, err) != 0)
        return -1;
    rows->items[rows->count++] = (struct calibration_row){
        .label = csv_table_text(table, at, columns->label),
        .mechanism = csv_table_text(table, at, columns->mechanism),
        .launch = (uint64_t)launch,
        .work = csv_table_number(table, at, columns->work),
        .clock = cycles_of(table, at, columns->clock),
        .sm = cycles_of(table, at, columns->sm),
        .gpc = cycles_of(table, at, columns->gpc),
        .grid = csv_table_text(table, at, columns->grid),
        .block = csv_table_text(table, at, columns->block),
    };
    return 0;
}

int measured_rows_read(struct measured_rows *rows, const char *path, struct error *err)
{
    struct calibration_columns columns;
    *rows = (struct measured_rows){.path = path};
    if (csv_table_read(&rows->table, path, err) != 0 ||
        find_columns(&rows->table, path, &columns, err) != 0)
        return -1;
    rows->items = calloc(rows->table.rows + 1, sizeof *rows->items);
    if (rows->items == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < rows->table.rows; i++)
        if (take_row(rows, i, &columns, err) != 0)
            return -1;
    return rows->count > 0 ? 0 : error_set(err, ERROR_TRACE, path, 0, 0, "there are no rows");
}

void measured_rows_finish(struct measured_rows *rows)
{
    csv_table_finish(&rows->table);
    free(rows->items);
    *rows = (struct measured_rows){0};
}

const struct calibration_row *measured_rows_find(const struct measured_rows *rows,
                                                 const char *label, size_t length)
{
    for (size_t i = 0; i < rows->count; i++)
        if (strncmp(rows->items[i].label, label, length) == 0 &&
            rows->items[i].label[length] == '\0')
            return &rows->items[i];
    return NULL;
}

int measured_rows_span(const struct measured_rows *rows, double *span, struct error *err)
{
    struct spread spread;
    double *values = calloc(rows->count + 1, sizeof *values);
    for (size_t i = 0; values != NULL && i < rows->count; i++)
        values[i] = rows->items[i].gpc.mean - rows->items[i].sm.mean;
    int result = values != NULL && spread_of(&spread, values, rows->count) == 0
                     ? 0
                     : error_no_memory(err);
    *span = result == 0 ? spread.median : NAN;
    free(values);
    return result;
}
