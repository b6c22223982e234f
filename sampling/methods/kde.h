/* Kernel density estimation in one dimension: splits a sample into groups. Scott,
 * "Multivariate Density Estimation"; Silverman, "Density Estimation for Statistics and Data
 * Analysis", section 3.4.2. */
#ifndef HEARTH_SAMPLING_METHODS_KDE_H
#define HEARTH_SAMPLING_METHODS_KDE_H

#include <stddef.h>

#include "traces/traces.h"

/* Silverman's rule for a Gaussian: 0.9 min(s, IQR / 1.34) / n^(1/5), for N ascending values X,
 * each WEIGHT times. It grows with the spread of the values and does not depend on their unit.
 * Only s is used if the quartiles are equal; 0 only if all values are equal. */
double kde_bandwidth(const double *x, const double *weight, size_t n);

/* Finds the minima of the density of N ascending, distinct values X, each WEIGHT times, under
 * a Gaussian of bandwidth H above 0. CUTS (room for N) gets the index of the first value after
 * each minimum that has values on both sides, ascending. The density is sampled in steps of H
 * / 4; values more than 8 H away are ignored. Returns the number of cuts, -1 without memory.
 * Time and memory grow linearly with N. */
long kde_minima(const double *x, const double *weight, size_t n, double h, size_t *cuts,
                struct error *err);

#endif
