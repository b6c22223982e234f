#include <math.h>
#include <stdlib.h>

#include "sampling/math/score.h"

#define PI             3.14159265358979323846
#define LEAST_VARIANCE 1e-9
#define CLOSE_ENOUGH   0.9

static double weight_of(const double *weights, size_t i)
{
    return weights != NULL ? weights[i] : 1;
}

/* Sum of squares around the common mean: the inertia of a single cluster. */
static double total_inertia(const struct matrix *rows, const double *weights, double total)
{
    double sum = 0;
    for (size_t c = 0; c < rows->columns; c++) {
        double mean = 0;
        for (size_t i = 0; i < rows->rows; i++)
            mean += weight_of(weights, i) * matrix_row(rows, i)[c] / total;
        for (size_t i = 0; i < rows->rows; i++) {
            double d = matrix_row(rows, i)[c] - mean;
            sum += weight_of(weights, i) * d * d;
        }
    }
    return sum;
}

double score_bic(const struct kmeans *kmeans, const struct matrix *rows, const double *weights)
{
    size_t k = kmeans->centres.rows;
    double m = (double)rows->columns, total = 0, *sizes = calloc(k, sizeof *sizes);
    if (sizes == NULL)
        return NAN;
    for (size_t i = 0; i < rows->rows; i++) {
        sizes[kmeans->labels[i]] += weight_of(weights, i);
        total += weight_of(weights, i);
    }
    double freedom = m * fmax(total - (double)k, 1);
    double least = LEAST_VARIANCE * total_inertia(rows, weights, total) / freedom;
    double variance = fmax(kmeans->inertia / freedom, least);
    double likelihood = 0;
    for (size_t c = 0; c < k; c++)
        likelihood += sizes[c] * log(sizes[c] / total);
    free(sizes);
    if (variance > 0) /* otherwise all rows are equal: one cluster, and no choice */
        likelihood -= total * m / 2 * log(2 * PI * variance) + freedom / 2;
    double parameters = (double)k * (m + 1);
    return likelihood - parameters / 2 * log(total);
}

size_t score_choose_bic(const double *scores, size_t count)
{
    double least = scores[0], most = scores[0];
    for (size_t i = 1; i < count; i++) {
        least = fmin(least, scores[i]);
        most = fmax(most, scores[i]);
    }
    size_t i = 0;
    while (i + 1 < count && scores[i] < least + CLOSE_ENOUGH * (most - least))
        i++;
    return i;
}
