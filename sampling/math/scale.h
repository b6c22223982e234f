/* Mean and deviation of features, and scaling by them. */
#ifndef HEARTH_SAMPLING_MATH_SCALE_H
#define HEARTH_SAMPLING_MATH_SCALE_H

#include "sampling/math/matrix.h"

enum deviation {
    DEVIATION_POPULATION, /* over n, as StandardScaler of scikit-learn */
    DEVIATION_SAMPLE,     /* over n - 1, or the weight less 1 */
};

/* Mean and standard deviation of N values; WEIGHTS says how often each occurs; NULL: once. The
 * deviation of a single value or of equal values is exactly 0. */
double mean_of(const double *values, const double *weights, size_t n);
double deviation_of(const double *values, const double *weights, size_t n, enum deviation kind);

/* Replaces each column by (x - mean) / deviation. A column whose deviation is 0, or no more
 * than the rounding error of its mean, becomes 0: it carries no information. Returns 0, or -1
 * when memory runs out. */
int scale_standard(const struct matrix *matrix, const double *weights, enum deviation kind);
/* Divides each column by its mean; a column with mean 0 is not changed. The numbers must not
 * be negative. */
int scale_by_mean(const struct matrix *matrix, const double *weights);

#endif
