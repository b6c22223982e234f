/* Kernel density estimates of one variable, with the Gaussian kernel: where
 * values crowd, and the valleys between the crowds.
 *
 *   f(x) = sum_i w_i exp(-(x - x_i)^2 / 2h^2) / (h sqrt(2 pi) sum_i w_i)
 *
 * "Density Estimation for Statistics and Data Analysis" (Silverman, 1986).
 * The bandwidth h is in the unit of the values. The rules below follow the
 * spread of the values, so that values and c times the values have the same
 * valleys; taken on the logarithms of values, a difference of one percent
 * counts alike at any size. */
#ifndef HEARTH_SAMPLING_MATH_KDE_H
#define HEARTH_SAMPLING_MATH_KDE_H

#include <stddef.h>

/* Values with their weights, such as how often each occurs. */
struct kde {
    const double *points;  /* ascending */
    const double *weights; /* above 0; NULL: 1 each */
    size_t count;          /* at least 1 */
    double bandwidth;      /* above 0 */
};

/* Logarithm of the density at X. Summed in a way that does not underflow far
 * from all points: finite for finite X. Takes count steps. */
double kde_log_density(const struct kde *kde, double x);

/* Bandwidths; the points need not be ascending but for kde_bandwidth_robust().
 * 0 where all points are equal, or there is one only: no density is defined
 * then. `sigma` is the sample standard deviation, n the effective number of
 * points (sum w)^2 / sum w^2; with weights the deviation is that of
 * scipy.stats.gaussian_kde. */
/* sigma n^(-1/5): Scott, "Multivariate Density Estimation" (1992). */
double kde_bandwidth_scott(const double *points, const double *weights, size_t count);
/* sigma (3n/4)^(-1/5): Silverman, as scipy has it. */
double kde_bandwidth_silverman(const double *points, const double *weights, size_t count);
/* 0.9 min(sigma, R / 1.34) n^(-1/5) with R the interquartile range, ignored
 * where it is 0: Silverman's rule of thumb (3.31), which several modes or a
 * long tail widen less. */
double kde_bandwidth_robust(const double *points, const double *weights, size_t count);

/* The valleys of the density between the first and the last point: the lowest
 * place between two modes, the middle of it where it is flat. A dip below a
 * billionth of the density is rounding, not a valley. Fills VALLEYS, ascending,
 * with room for count - 1, and returns how many there are; -1 when memory runs
 * out. Points closer than a sixteenth of the bandwidth are taken together, and
 * a gap between neighbours is looked at in 32 places at most, so that the time
 * does not grow with the span. */
long kde_valleys(const struct kde *kde, double *valleys);

#endif
