#include "tools/study/correlate/measured.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/number.h"

#define NAMES 6 /* of a column, NULL-terminated */

static const char *const launch_names[NAMES] = {"launch", "ID"};
static const char *const kernel_names[NAMES] = {"kernel", "Demangled Name", "Kernel Name",
                                                "Function Name", "Name"};
static const char *const grid_names[NAMES] = {"grid", "Grid Size"};
static const char *const program_names[NAMES] = {"app", "program"};
static const char *const varies_names[NAMES] = {"varies"};
static const char *const sm_names[NAMES] = {"sm_cycles", "sm__cycles_active.max", "cycles"};
static const char *const gpc_names[NAMES] = {"gpc_cycles", "gpc__cycles_elapsed.max", "cycles"};

/* The index of the first of NAMES that there is; the number of columns if there is none. */
static size_t find(const struct csv_table *table, const char *const names[NAMES])
{
    for (size_t i = 0; names[i] != NULL; i++) {
        size_t column = csv_table_find(table, names[i]);
        if (column < table->columns)
            return column;
    }
    return table->columns;
}

double measured_number(const struct csv_table *table, size_t row, size_t column)
{
    double number;
    const char *text = csv_table_text(table, row, column);
    return number_grouped_real(text, 1, &number) == NUMBER_OK ? number : NAN;
}

/* "157x1x1" and "(157, 1, 1)"; else all 0. */
static void read_grid(const char *text, uint32_t grid[3])
{
    unsigned x, y, z;
    if (sscanf(text, "%ux%ux%u", &x, &y, &z) == 3 ||
        sscanf(text, "(%u, %u, %u)", &x, &y, &z) == 3) {
        grid[0] = x;
        grid[1] = y;
        grid[2] = z;
    }
}

struct columns {
    size_t launch, kernel, grid, program, varies, cycles, cold;
};

static void read_row(struct measured *measured, const struct columns *columns, size_t row)
{
    const struct csv_table *table = &measured->table;
    uint64_t number;
    double cycles = measured_number(table, row, columns->cycles);
    if (!(cycles > 0) || isinf(cycles)) {
        measured->unusable++;
        return;
    }
    struct measured_launch *launch = &measured->launches[measured->count++];
    *launch = (struct measured_launch){
        .row = row,
        .launch = number_count(csv_table_text(table, row, columns->launch), UINT64_MAX,
                               &number) == NUMBER_OK
                      ? number
                      : row + 1,
        .program = csv_table_text(table, row, columns->program),
        .kernel = csv_table_text(table, row, columns->kernel),
        .cycles = cycles,
        .cold = measured_number(table, row, columns->cold),
        .varies = measured_number(table, row, columns->varies) > 0,
    };
    read_grid(csv_table_text(table, row, columns->grid), launch->grid);
}

/* "cold_" and the name of the metric, if there is such a column. */
static size_t find_cold(const struct csv_table *table, size_t cycles)
{
    char name[128];
    snprintf(name, sizeof name, "cold_%s", table->names[cycles]);
    return csv_table_find(table, name);
}

static int find_columns(const struct measured *measured, const char *metric, bool with_launch,
                        struct columns *columns, struct error *err)
{
    const struct csv_table *table = &measured->table;
    *columns = (struct columns){
        .launch = find(table, launch_names),
        .kernel = find(table, kernel_names),
        .grid = find(table, grid_names),
        .program = find(table, program_names),
        .varies = find(table, varies_names),
        .cycles = metric != NULL ? csv_table_find(table, metric)
                                 : find(table, with_launch ? gpc_names : sm_names),
    };
    if (columns->kernel == table->columns)
        return error_set(err, ERROR_TRACE, measured->path, 1, 0,
                         "there is no column kernel (or Kernel Name)");
    if (columns->cycles == table->columns)
        return error_set(err, ERROR_TRACE, measured->path, 1, 0, "there is no column %s",
                         metric != NULL ? metric
                         : with_launch  ? "gpc_cycles (or gpc__cycles_elapsed.max)"
                                        : "sm_cycles (or sm__cycles_active.max)");
    columns->cold = find_cold(table, columns->cycles);
    return 0;
}

/* Nsight Compute's row of units has no kernel. */
static bool is_launch(const struct csv_table *table, const struct columns *columns, size_t row)
{
    return csv_table_text(table, row, columns->kernel)[0] != '\0';
}

int measured_read(struct measured *measured, const char *path, const char *metric,
                  bool with_launch, struct error *err)
{
    struct columns columns;
    *measured = (struct measured){.path = path};
    if (csv_table_read(&measured->table, path, err) != 0 ||
        find_columns(measured, metric, with_launch, &columns, err) != 0)
        return -1;
    const struct csv_table *table = &measured->table;
    measured->metric = table->names[columns.cycles];
    if (columns.cold < table->columns)
        measured->cold_metric = table->names[columns.cold];
    measured->launches = calloc(table->rows + 1, sizeof *measured->launches);
    if (measured->launches == NULL)
        return error_no_memory(err);
    for (size_t row = 0; row < table->rows; row++)
        if (is_launch(table, &columns, row))
            read_row(measured, &columns, row);
    measured->has_programs = columns.program < table->columns;
    if (measured->count == 0)
        return error_set(err, ERROR_TRACE, path, 0, 0, "there is no launch with cycles");
    return 0;
}

void measured_finish(struct measured *measured)
{
    csv_table_finish(&measured->table);
    free(measured->launches);
    *measured = (struct measured){0};
}

bool measured_of_program(const struct measured_launch *launch, const char *program)
{
    return launch->program[0] == '\0' || strcmp(launch->program, program) == 0;
}

char *measured_program_name(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    size_t begin = length;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    size_t name = strcspn(path + begin, "./");
    return strndup(path + begin, name < length - begin ? name : length - begin);
}
