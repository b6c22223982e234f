/* The spread of values. */
#ifndef HEARTH_TOOLS_STUDY_SPREAD_H
#define HEARTH_TOOLS_STUDY_SPREAD_H

#include <stddef.h>

/* Quantiles by linear interpolation between order statistics (type 7 of Hyndman and Fan); the
 * deviation is that of the population. All are NaN if there are no values. */
struct spread {
    size_t count;
    double min, first, median, third, p90, max, mean, deviation;
};

/* Computes the spread of COUNT values; NaNs are ignored. Returns 0, or -1 without memory. */
int spread_of(struct spread *spread, const double *values, size_t count);

#endif
