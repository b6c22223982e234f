#include "tools/study/correlate/error_stats.h"

#include <math.h>
#include <stdlib.h>

#include "tools/study/spread.h"

double error_of(const struct error_pair *pair)
{
    return pair->simulated / pair->measured - 1;
}

/* ---- correlation ------------------------------------------------------- */

/* NaN if one of the series is constant. */
static double correlation(const double *x, const double *y, size_t count)
{
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < count; i++) {
        mean_x += x[i] / (double)count;
        mean_y += y[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

struct ranked {
    double value;
    size_t place;
};

static int by_value(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value;
}

/* Replaces VALUES by their ranks; equal ones get the mean of theirs. */
static void rank(double *values, size_t count, struct ranked *order)
{
    for (size_t i = 0; i < count; i++)
        order[i] = (struct ranked){values[i], i};
    qsort(order, count, sizeof *order, by_value);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && order[end].value == order[first].value;)
            end++;
        for (size_t i = first; i < end; i++)
            values[order[i].place] = (double)(first + end - 1) / 2;
    }
}

/* ---- errors ------------------------------------------------------------ */

/* Fills in the statistics of SIZES, the absolute errors of COUNT launches. Returns 0, or -1
 * without memory. */
static int fill_sizes(struct error_stats *stats, const double *sizes, size_t count)
{
    struct spread spread;
    if (spread_of(&spread, sizes, count) != 0)
        return -1;
    double sum = count > 0 ? spread.mean * (double)count : 0;
    if (stats->count > 0)
        stats->mean = (sum + (double)stats->missing) / (double)stats->count;
    stats->median = spread.median;
    stats->p90 = spread.p90;
    stats->worst = spread.max;
    return 0;
}

/* The launches that are not missing, as series X and Y. Returns how many. */
static size_t take(struct error_stats *stats, const struct error_pair *pairs, double *x,
                   double *y)
{
    size_t count = 0;
    double measured = 0, simulated = 0, signed_errors = 0;
    for (size_t i = 0; i < stats->count; i++) {
        if (isnan(pairs[i].simulated))
            continue;
        measured += x[count] = pairs[i].measured;
        simulated += y[count] = pairs[i].simulated;
        signed_errors += error_of(&pairs[i]);
        count++;
    }
    stats->missing = stats->count - count;
    if (count > 0) {
        stats->bias = signed_errors / (double)count;
        stats->sum = simulated / measured - 1;
    }
    return count;
}

int error_stats_of(struct error_stats *stats, const struct error_pair *pairs, size_t count)
{
    *stats = (struct error_stats){count, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    double *x = calloc(count + 1, sizeof *x), *y = calloc(count + 1, sizeof *y);
    double *sizes = calloc(count + 1, sizeof *sizes);
    struct ranked *order = calloc(count + 1, sizeof *order);
    int result = x != NULL && y != NULL && sizes != NULL && order != NULL ? 0 : -1;
    if (result == 0) {
        size_t there = take(stats, pairs, x, y);
        for (size_t i = 0; i < there; i++)
            sizes[i] = fabs(y[i] / x[i] - 1);
        result = fill_sizes(stats, sizes, there);
        stats->pearson = correlation(x, y, there);
        rank(x, there, order);
        rank(y, there, order);
        stats->rank = correlation(x, y, there);
    }
    free(x);
    free(y);
    free(sizes);
    free(order);
    return result;
}
