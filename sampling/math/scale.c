#include "sampling/math/scale.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static double weight_of(const double *weights, size_t i)
{
    return weights != NULL ? weights[i] : 1;
}

double mean_of(const double *values, const double *weights, size_t n)
{
    double total = 0, mean = 0;
    for (size_t i = 0; i < n; i++) {
        double w = weight_of(weights, i);
        total += w;
        mean += w * (values[i] - mean) / total; /* exact for equal values */
    }
    return mean;
}

double deviation_of(const double *values, const double *weights, size_t n, enum deviation kind)
{
    double mean = mean_of(values, weights, n), total = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        double w = weight_of(weights, i);
        total += w;
        sum += w * (values[i] - mean) * (values[i] - mean);
    }
    double over = kind == DEVIATION_POPULATION ? total : total - 1;
    return over > 0 ? sqrt(sum / over) : 0;
}

static double *column_of(const struct matrix *matrix, size_t column, double *values)
{
    for (size_t i = 0; i < matrix->rows; i++)
        values[i] = matrix_row(matrix, i)[column];
    return values;
}

static void shift_and_divide(const struct matrix *matrix, size_t column, double shift,
                             double by)
{
    for (size_t i = 0; i < matrix->rows; i++) {
        double *x = &matrix_row(matrix, i)[column];
        *x = by > 0 ? (*x - shift) / by : 0;
    }
}

int scale_standard(const struct matrix *matrix, const double *weights, enum deviation kind)
{
    double *values = calloc(matrix->rows + 1, sizeof *values);
    if (values == NULL)
        return -1;
    for (size_t c = 0; c < matrix->columns; c++) {
        column_of(matrix, c, values);
        double mean = mean_of(values, weights, matrix->rows);
        double deviation = deviation_of(values, weights, matrix->rows, kind);
        double rounding = 10 * DBL_EPSILON * fabs(mean);
        shift_and_divide(matrix, c, mean, deviation > rounding ? deviation : 0);
    }
    free(values);
    return 0;
}

int scale_by_mean(const struct matrix *matrix, const double *weights)
{
    double *values = calloc(matrix->rows + 1, sizeof *values);
    if (values == NULL)
        return -1;
    for (size_t c = 0; c < matrix->columns; c++) {
        double mean = mean_of(column_of(matrix, c, values), weights, matrix->rows);
        if (mean > 0)
            shift_and_divide(matrix, c, 0, mean);
    }
    free(values);
    return 0;
}
