#include "tools/study/spread.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, size_t count, double share)
{
    double at = share * (double)(count - 1);
    size_t below = (size_t)at;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

static void fill(struct spread *spread, const double *sorted, size_t count)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += sorted[i];
    double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (sorted[i] - mean) * (sorted[i] - mean);
    *spread = (struct spread){
        .count = count,
        .min = sorted[0],
        .first = quantile(sorted, count, 0.25),
        .median = quantile(sorted, count, 0.5),
        .third = quantile(sorted, count, 0.75),
        .p90 = quantile(sorted, count, 0.9),
        .max = sorted[count - 1],
        .mean = mean,
        .deviation = sqrt(squares / (double)count),
    };
}

int spread_of(struct spread *spread, const double *values, size_t count)
{
    double *sorted = malloc((count + 1) * sizeof *sorted);
    size_t known = 0;
    *spread = (struct spread){0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (sorted == NULL)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            sorted[known++] = values[i];
    qsort(sorted, known, sizeof *sorted, compare);
    if (known > 0)
        fill(spread, sorted, known);
    free(sorted);
    return 0;
}
