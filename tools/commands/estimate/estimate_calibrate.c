/* lambda_k and the parameters of copies from measurements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/commands/estimate/estimate_tables.h"
#include "tools/study/correlate/kernel_name.h"
#include "traces/base/csv/csv_table.h"

static const struct report_table_column lambda_columns[] = {
    {"kernel", "", "the first row: all kernels"},
    {"launches", "", "with a measurement"},
    {"lambda", "", "estimated over measured time, geometric mean"},
    {"error_before", "%", "mean |estimated / measured - 1| with lambda 1"},
    {"error_fitted", "%", "with lambda"},
    {"error_held_out", "%", "each half with the lambda of the other half"},
};

/* What was measured of the rows, in seconds; NaN: nothing. */
struct measurements {
    double *seconds;
    size_t found;
};

/* ---- reading ---- */

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
static int check_row(const struct measurements *measured, const struct estimate_rows *rows,
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

static int take(struct measurements *measured, const struct estimate_rows *rows,
                const struct csv_table *table, size_t column, double unit, const char *path,
                struct error *err)
{
    size_t launch = csv_table_find(table, "launch"), at = 0;
    for (size_t r = 0; r < table->rows; r++) {
        double number = csv_table_number(table, r, launch), value;
        if (read_value(table, r, column, path, &value, err) != 0)
            return -1;
        if (!(number >= 1) || isnan(value) || !is_measured(table, r))
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

static int read_measured(struct measurements *measured, const struct estimate_rows *rows,
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

/* ---- fitting ---- */

/* A lambda, and the launches that it is from: sums of log(estimated / measured), in halves. */
struct lambda_fit {
    double logs[2], count[2];
};

static double lambda_of(const struct lambda_fit *fit, bool first, bool second)
{
    double logs = first * fit->logs[0] + second * fit->logs[1];
    double count = first * fit->count[0] + second * fit->count[1];
    return count > 0 ? exp(logs / count) : NAN;
}

/* The rows of KERNEL (NULL: all) that were measured alternate between the halves. */
static struct lambda_fit fit_rows(const struct estimate_rows *rows,
                                  const struct measurements *measured, const char *kernel)
{
    struct lambda_fit fit = {{0}, {0}};
    int half = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct estimate_row *row = &rows->items[i];
        if (isnan(measured->seconds[i]) || (kernel != NULL && strcmp(row->kernel, kernel) != 0))
            continue;
        fit.logs[half] += log(row->seconds / measured->seconds[i]);
        fit.count[half]++;
        half = !half;
    }
    return fit;
}

struct errors {
    double before, fitted, held_out;
};

static double error_of(double seconds, double lambda, double measured)
{
    return fabs(seconds / lambda / measured - 1);
}

/* The lambda of all measured launches but one, whose part of the logarithms is OWN. */
static double lambda_without(const struct lambda_fit *all, double own)
{
    double count = all->count[0] + all->count[1] - 1;
    return count > 0 ? exp((all->logs[0] + all->logs[1] - own) / count) : NAN;
}

/* OTHER: the fit of all kernels, for a launch that is the only one of KERNEL. */
static struct errors find_errors(const struct estimate_rows *rows,
                                 const struct measurements *measured, const char *kernel,
                                 const struct lambda_fit *fit, const struct lambda_fit *other)
{
    struct errors sum = {0};
    double lambda = lambda_of(fit, true, true), count = fit->count[0] + fit->count[1];
    int half = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct estimate_row *row = &rows->items[i];
        if (isnan(measured->seconds[i]) || (kernel != NULL && strcmp(row->kernel, kernel) != 0))
            continue;
        double held = lambda_of(fit, half == 1, half == 0);
        if (isnan(held))
            held = lambda_without(other, log(row->seconds / measured->seconds[i]));
        sum.before += error_of(row->seconds, 1, measured->seconds[i]);
        sum.fitted += error_of(row->seconds, lambda, measured->seconds[i]);
        sum.held_out += error_of(row->seconds, held, measured->seconds[i]);
        half = !half;
    }
    return (struct errors){100 * sum.before / count, 100 * sum.fitted / count,
                           100 * sum.held_out / count};
}

static void add_fit(struct report_table *sheet, const struct estimate_rows *rows,
                    const struct measurements *measured, const char *kernel,
                    const struct lambda_fit *fit, const struct lambda_fit *all)
{
    struct errors errors = find_errors(rows, measured, kernel, fit, all);
    report_table_text(sheet, kernel != NULL ? kernel : "all kernels");
    report_table_number(sheet, fit->count[0] + fit->count[1], 0);
    report_table_number(sheet, lambda_of(fit, true, true), 4);
    report_table_number(sheet, errors.before, 1);
    report_table_number(sheet, errors.fitted, 1);
    report_table_number(sheet, errors.held_out, 1);
}

static bool is_first(const struct estimate_rows *rows, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (rows->items[i].launch != 0 &&
            strcmp(rows->items[i].kernel, rows->items[at].kernel) == 0)
            return false;
    return true;
}

static void fit_kernels(struct report_table *sheet, struct estimate_rows *rows,
                        const struct measurements *measured, const struct lambda_fit *all)
{
    for (size_t i = 0; i < rows->count; i++) {
        const char *kernel = rows->items[i].kernel;
        if (rows->items[i].launch == 0 || !is_first(rows, i))
            continue;
        struct lambda_fit fit = fit_rows(rows, measured, kernel);
        double lambda = lambda_of(&fit, true, true);
        if (isnan(lambda))
            continue;
        add_fit(sheet, rows, measured, kernel, &fit, all);
        for (size_t j = i; j < rows->count; j++)
            if (rows->items[j].launch != 0 && strcmp(rows->items[j].kernel, kernel) == 0)
                rows->items[j].lambda = lambda;
    }
}

int estimate_calibrate(struct report_table *sheet, struct estimate_rows *rows,
                       const struct estimate_request *request,
                       const struct estimate_device *device, struct error *err)
{
    struct measurements measured = {0};
    *sheet = (struct report_table){.name = "lambda", REPORT_TABLE_OF(lambda_columns)};
    int result = read_measured(&measured, rows, request, device, err);
    if (result == 0) {
        struct lambda_fit all = fit_rows(rows, &measured, NULL);
        add_fit(sheet, rows, &measured, NULL, &all, &all);
        for (size_t i = 0; i < rows->count; i++)
            rows->items[i].lambda = lambda_of(&all, true, true);
        if (strcmp(request->by, "kernel") == 0)
            fit_kernels(sheet, rows, &measured, &all);
    }
    free(measured.seconds);
    return result;
}

/* ---- copies ---- */

static const struct report_table_column copy_columns[] = {
    {"direction", "", "in: from host to device"},
    {"copies", "", ""},
    {"startup_s", "s", ""},
    {"lambda", "", "of equation 4.6"},
    {"error", "%", "mean |fitted / measured - 1|"},
};

/* The line through times over sizes that has the least squared relative errors. */
struct line_fit {
    double w, wx, wy, wxx, wxy; /* sums, each with the weight 1 / time^2 */
    double count, startup, slope;
};

static void fit_line(struct line_fit *fit)
{
    double spread = fit->w * fit->wxx - fit->wx * fit->wx;
    fit->slope = spread > 0     ? (fit->w * fit->wxy - fit->wx * fit->wy) / spread
                 : fit->wxx > 0 ? fit->wxy / fit->wxx
                                : 0;
    fit->startup = fit->w > 0 ? fmax((fit->wy - fit->slope * fit->wx) / fit->w, 0) : 0;
}

static bool is_direction(const struct csv_table *table, size_t row, bool in)
{
    return strcmp(csv_table_text(table, row, csv_table_find(table, "direction")),
                  in ? "in" : "out") == 0;
}

/* Fits one direction. Returns the mean error; NaN: no such copy. */
static double fit_direction(struct line_fit *fit, const struct csv_table *table, bool in)
{
    size_t bytes = csv_table_find(table, "bytes"), time = csv_table_find(table, "time_ns");
    double errors = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t r = 0; r < table->rows; r++) {
            double x = csv_table_number(table, r, bytes);
            double y = 1e-9 * csv_table_number(table, r, time), weight = 1 / (y * y);
            if (!is_direction(table, r, in) || !(x >= 0) || !(y > 0))
                continue;
            if (pass == 1) {
                errors += fabs((fit->startup + fit->slope * x) / y - 1);
                continue;
            }
            fit->count++;
            fit->w += weight;
            fit->wx += weight * x;
            fit->wy += weight * y;
            fit->wxx += weight * x * x;
            fit->wxy += weight * x * y;
        }
        if (pass == 0)
            fit_line(fit);
    }
    return fit->count > 0 ? 100 * errors / fit->count : NAN;
}

static int fit_copies(struct report_table *sheet, const struct csv_table *table,
                      const char *path, struct estimate_device *device, struct error *err)
{
    if (csv_table_find(table, "direction") == table->columns ||
        csv_table_find(table, "bytes") == table->columns ||
        csv_table_find(table, "time_ns") == table->columns)
        return error_set(err, ERROR_TRACE, path, 0, 0,
                         "expected the columns direction (in or out), bytes and time_ns");
    for (int in = 1; in >= 0; in--) {
        struct line_fit fit = {0};
        double error = fit_direction(&fit, table, in);
        if (!(fit.slope > 0))
            continue;
        double lambda = 1 / (fit.slope * device->pcie_bandwidth * 1e9);
        *(in ? &device->startup_in : &device->startup_out) = fit.startup;
        *(in ? &device->lambda_in : &device->lambda_out) = lambda;
        report_table_text(sheet, in ? "in" : "out");
        report_table_number(sheet, fit.count, 0);
        report_table_number(sheet, fit.startup, 9);
        report_table_number(sheet, lambda, 4);
        report_table_number(sheet, error, 1);
    }
    if (report_table_rows(sheet) == 0)
        return error_set(err, ERROR_USAGE, path, 0, 0,
                         "no copies whose time grows with their size");
    return 0;
}

int estimate_calibrate_copies(struct report_table *sheet, const char *path,
                              struct estimate_device *device, struct error *err)
{
    struct csv_table table = {0};
    *sheet = (struct report_table){.name = "copies", REPORT_TABLE_OF(copy_columns)};
    int result = csv_table_read(&table, path, err);
    if (result == 0)
        result = fit_copies(sheet, &table, path, device, err);
    csv_table_finish(&table);
    return result;
}
