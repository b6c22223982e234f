#include "tools/sweep/tables/sweep_columns.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/run/run.h"

#define MOST 8 /* own columns of a table on one side of the axes, and a NULL */

/* Columns before and after those of the configuration: axes, method and warm. */
static const struct {
    const char *name;
    const char *first[MOST], *text[MOST], *last[MOST]; /* TEXT: after the configuration */
} tables[SWEEP_TABLES] = {
    [SWEEP_LAUNCHES] = {"launches",
                        {"job", "workload", "card"},
                        {"status", "message"},
                        {"scale"}},
    [SWEEP_JOBS] = {"jobs",
                    {"job", "workload", "card"},
                    {"status", "message"},
                    {"error", "baseline_seconds", "speedup", "simulated"}},
    [SWEEP_KERNELS] = {"kernels",
                       {"workload", "card"},
                       {"kernel"},
                       {"launches", "cycles", "seconds", "baseline_seconds", "speedup"}},
    [SWEEP_CONFIGURATIONS] = {"configurations",
                              {"card"},
                              {NULL},
                              {"workloads", "failed", "seconds", "geometric_speedup",
                               "kernel_speedup", "pareto"}},
};
static const char *const way[MOST] = {"method", "warm"};

const char *sweep_columns_table(enum sweep_table table)
{
    return tables[table].name;
}

static void add(struct sweep_heads *heads, const char *const *names)
{
    for (; *names != NULL; names++)
        heads->names[heads->count++] = *names;
}

bool sweep_columns_init(struct sweep_heads *heads, enum sweep_table table,
                        const struct sweep_spec *spec)
{
    size_t room = row_column_count() + sweep_columns_total_count() + SWEEP_AXES + 4 * MOST;
    *heads = (struct sweep_heads){.names = calloc(room, sizeof *heads->names)};
    if (heads->names == NULL)
        return false;
    add(heads, tables[table].first);
    for (size_t a = 0; a < spec->axis_count; a++)
        heads->names[heads->count++] = spec->axes[a].name;
    add(heads, way);
    add(heads, tables[table].text);
    heads->texts = heads->count;
    add(heads, tables[table].last);
    for (size_t i = 0; table == SWEEP_LAUNCHES && i < row_column_shown(false); i++)
        heads->names[heads->count++] = row_column(i).name;
    for (size_t i = 0; table == SWEEP_JOBS && i < sweep_columns_total_count(); i++)
        heads->names[heads->count++] = sweep_columns_total_name(i);
    return true;
}

void sweep_columns_finish(struct sweep_heads *heads)
{
    free(heads->names);
    *heads = (struct sweep_heads){0};
}

static bool has(const char *const *names, const char *name)
{
    while (*names != NULL && strcasecmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

bool sweep_columns_taken(const char *name)
{
    for (int t = 0; t < SWEEP_TABLES; t++)
        if (has(tables[t].first, name) || has(tables[t].text, name) ||
            has(tables[t].last, name))
            return true;
    if (has(way, name))
        return true;
    for (size_t i = 0; i < row_column_count(); i++)
        if (strcasecmp(row_column(i).name, name) == 0)
            return true;
    return sweep_columns_total(name) != SIZE_MAX;
}

size_t sweep_columns_total_count(void)
{
    return extrapolation_count();
}

const char *sweep_columns_total_name(size_t index)
{
    return extrapolation_column(index).name;
}

size_t sweep_columns_total(const char *name)
{
    for (size_t i = 0; i < extrapolation_count(); i++)
        if (strcmp(extrapolation_column(i).name, name) == 0)
            return i;
    return SIZE_MAX;
}
