/* lambda_k from measurements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands/estimate/estimate_measured.h"
#include "tools/commands/estimate/estimate_tables.h"

static const struct report_table_column lambda_columns[] = {
    {"kernel", "", "the first row: all kernels"},
    {"launches", "", "with a measurement"},
    {"lambda", "", "estimated over measured time, geometric mean"},
    {"error_before", "%", "mean |estimated / measured - 1| with lambda 1"},
    {"error_fitted", "%", "with lambda"},
    {"error_held_out", "%", "each half with the lambda of the other half"},
};

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
                                  const struct estimate_measured *measured, const char *kernel)
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
                                 const struct estimate_measured *measured, const char *kernel,
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
                    const struct estimate_measured *measured, const char *kernel,
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
                        const struct estimate_measured *measured, const struct lambda_fit *all)
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
    struct estimate_measured measured = {0};
    *sheet = (struct report_table){.name = "lambda", REPORT_TABLE_OF(lambda_columns)};
    int result = estimate_measured_read(&measured, rows, request, device, err);
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
