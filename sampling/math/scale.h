/* Mean and deviation of features, and scaling by them. */
#ifndef HEARTH_SAMPLING_MATH_SCALE_H
#define HEARTH_SAMPLING_MATH_SCALE_H

#include "sampling/math/matrix.h"

enum deviation {
    DEVIATION_POPULATION, /* over n, as StandardScaler of scikit-learn */
    DEVIATION_SAMPLE,     /* over n - 1, or the weight less 1 */
};

/* Mean and standard deviation of N values; WEIGHTS, NULL for 1 each, are how
 * often each occurs. The deviation of a single value is 0, and so is that of
 * equal ones, exactly. */
double mean_of(const double *values, const double *weights, size_t n);
double deviation_of(const double *values, const double *weights, size_t n, enum deviation kind);

/* Replaces each column by (x - mean) / deviation. A column whose deviation is
 * 0, or no more than the rounding of its mean, becomes 0: it tells nothing.
 * Returns 0, or -1 when memory runs out. */
int scale_standard(const struct matrix *matrix, const double *weights, enum deviation kind);
/* Divides each column by its mean; one whose mean is 0 stays as it is.
 * For columns of numbers from 0. */
int scale_by_mean(const struct matrix *matrix, const double *weights);

#endif
