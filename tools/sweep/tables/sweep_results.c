#include "tools/sweep/tables/sweep_results.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/run.h"
#include "tools/sweep/tables/sweep_columns.h"
#include "traces/base/files/paths.h"

/* ---- totals ---- */

/* stats.txt leaves out what is 0; the first statistics are not counters, and may not exist. */
static void clear(double *values)
{
    bool counters = false;
    for (size_t i = 0; i < sweep_columns_total_count(); i++) {
        counters |= strcmp(sweep_columns_total_name(i), sim_counter_table[0].name) == 0;
        values[i] = counters ? 0 : NAN;
    }
}

/* Takes LINE into VALUES if it is "PREFIX.NAME value". */
static void take_value(const char *line, const char *prefix, double *values)
{
    char name[64];
    double value;
    size_t length = strlen(prefix);
    if (strncmp(line, prefix, length) != 0 ||
        sscanf(line + length, "%63s %lf", name, &value) != 2)
        return;
    size_t index = sweep_columns_total(name);
    if (index != SIZE_MAX)
        values[index] = value;
}

int sweep_results_totals(const char *folder, double core_mhz, double *values,
                         uint64_t *simulated, struct error *err)
{
    char line[1024];
    bool sampled = false;
    unsigned long long launches = 0;
    FILE *in = paths_open(folder, "stats.txt", "r");
    if (in == NULL)
        return error_set(err, ERROR_TRACE, folder, 0, 0, "stats.txt: %s", strerror(errno));
    clear(values);
    while (fgets(line, sizeof line, in) != NULL) {
        sscanf(line, "total.launches %llu", &launches);
        if (!sampled && strncmp(line, "extrapolated.", 13) == 0) {
            sampled = true;
            clear(values);
        }
        if (strncmp(line, "step", 4) == 0)
            break;
        take_value(line, sampled ? "extrapolated." : "total.", values);
    }
    fclose(in);
    *simulated = launches;
    size_t seconds = sweep_columns_total("seconds"), cycles = sweep_columns_total("cycles");
    if (isnan(values[seconds]))
        values[seconds] = values[cycles] / (core_mhz * 1e6);
    return 0;
}

/* ---- launches ---- */

/* The next launch of PLAN from *ITEM on; its scale, 1 without a plan. */
static double next_scale(const struct plan *plan, size_t *item)
{
    while (*item < plan->count && plan->items[*item].kind != PLAN_LAUNCH)
        ++*item;
    return *item < plan->count ? plan->items[(*item)++].launch.step->scale : 1;
}

static int read_rows(const struct plan *plan, struct csv_file *csv,
                     int (*take)(void *data, const struct csv_file *row, double scale,
                                 struct error *err),
                     void *data, struct error *err)
{
    size_t item = 0;
    int more = csv_file_next(csv, err); /* the names */
    while (more == 1 && (more = csv_file_next(csv, err)) == 1) {
        if (csv->count < row_column_shown(false))
            return csv_file_fail(csv, 0, err, "not the columns of this version");
        if (take(data, csv, next_scale(plan, &item), err) != 0)
            return -1;
    }
    return more;
}

int sweep_results_rows(const char *folder,
                       int (*take)(void *data, const struct csv_file *row, double scale,
                                   struct error *err),
                       void *data, struct error *err)
{
    struct csv_file csv;
    char *planned = paths_join(folder, "plan.out"), *path = paths_join(folder, "kernels.csv");
    struct plan *plan = planned != NULL && path != NULL ? plan_open(planned, err) : NULL;
    FILE *in = plan != NULL && path != NULL ? fopen(path, "rb") : NULL;
    int result = -1;
    if (planned == NULL || path == NULL)
        error_no_memory(err);
    if (plan != NULL && in == NULL)
        error_set(err, ERROR_TRACE, path, 0, 0, "%s", strerror(errno));
    if (in != NULL && csv_file_init(&csv, in, path, err) == 0) {
        result = read_rows(plan, &csv, take, data, err);
        csv_file_finish(&csv);
    }
    if (in != NULL)
        fclose(in);
    plan_destroy(plan);
    free(planned);
    free(path);
    return result;
}
