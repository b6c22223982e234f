/* The parameters of copies from measurements. */
#include <math.h>
#include <string.h>

#include "tools/commands/estimate/estimate_tables.h"
#include "traces/base/csv/csv_table.h"

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

/* Fits one direction. Returns the mean error; NaN: no such copy. */
static double fit_direction(struct line_fit *fit, const struct csv_table *table, bool in)
{
    size_t bytes = csv_table_find(table, "bytes"), time = csv_table_find(table, "time_ns");
    size_t direction = csv_table_find(table, "direction");
    double errors = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t r = 0; r < table->rows; r++) {
            double x = csv_table_number(table, r, bytes);
            double y = 1e-9 * csv_table_number(table, r, time), weight = 1 / (y * y);
            if (strcmp(csv_table_text(table, r, direction), in ? "in" : "out") != 0)
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

#define MOST_BYTES       1e18
#define MOST_NANOSECONDS 1e18

/* Each row has a direction, a size and a time that can be squared. */
static int check_copies(const struct csv_table *table, const char *path, struct error *err)
{
    size_t bytes = csv_table_find(table, "bytes"), time = csv_table_find(table, "time_ns");
    size_t direction = csv_table_find(table, "direction");
    for (size_t r = 0; r < table->rows; r++) {
        const char *way = csv_table_text(table, r, direction);
        double x = csv_table_number(table, r, bytes), y = csv_table_number(table, r, time);
        bool known = strcmp(way, "in") == 0 || strcmp(way, "out") == 0,
             sized = x >= 0 && x <= MOST_BYTES;
        bool timed = y >= 1 / MOST_NANOSECONDS && y <= MOST_NANOSECONDS;
        if (!known || !sized || !timed)
            return error_set(err, ERROR_TRACE, path, (long)r + 2, 0,
                             "%s: expected %s, got \"%.40s\"",
                             !known   ? "direction"
                             : !sized ? "bytes"
                                      : "time_ns",
                             !known   ? "in or out"
                             : !sized ? "a number from 0"
                                      : "a number above 0",
                             !known ? way : csv_table_text(table, r, !sized ? bytes : time));
    }
    return 0;
}

static int fit_copies(struct report_table *sheet, const struct csv_table *table,
                      const char *path, struct estimate_device *device, struct error *err)
{
    if (csv_table_find(table, "direction") == table->columns ||
        csv_table_find(table, "bytes") == table->columns ||
        csv_table_find(table, "time_ns") == table->columns)
        return error_set(err, ERROR_TRACE, path, 0, 0,
                         "expected the columns direction (in or out), bytes and time_ns");
    if (check_copies(table, path, err) != 0)
        return -1;
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
