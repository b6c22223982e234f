/* Kernel density estimation in one dimension: where a sample falls apart into
 * groups. Scott, "Multivariate Density Estimation"; Silverman, "Density
 * Estimation for Statistics and Data Analysis", section 3.4.2. */
#ifndef HEARTH_SAMPLING_METHODS_KDE_H
#define HEARTH_SAMPLING_METHODS_KDE_H

#include <stddef.h>

#include "traces/traces.h"

/* Silverman's rule for a Gaussian: 0.9 min(s, IQR / 1.34) / n^(1/5), of N
 * ascending values X, each WEIGHT times. Grows with the spread of the values,
 * whatever their unit. s alone where the quartiles are equal; 0 only if all
 * values are. */
double kde_bandwidth(const double *x, const double *weight, size_t n);

/* Finds the minima of the density of N ascending, different values X, each
 * WEIGHT times, under a Gaussian of bandwidth H above 0. CUTS (room for N) gets
 * the index of the first value behind each minimum that has values on both
 * sides, ascending. The density is looked at in steps of H / 4, without what
 * lies more than 8 H away. Returns how many, -1 without memory. Time grows with
 * N, memory with N too. */
long kde_minima(const double *x, const double *weight, size_t n, double h, size_t *cuts,
                struct error *err);

#endif
