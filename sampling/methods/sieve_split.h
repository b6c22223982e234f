/* How Sieve's published script splits instruction counts. Private to sampling. */
#ifndef HEARTH_SAMPLING_METHODS_SIEVE_SPLIT_H
#define HEARTH_SAMPLING_METHODS_SIEVE_SPLIT_H

#include <stddef.h>

#define SIEVE_SPLIT_POINTS 50

/* Splits N ascending, distinct values. The logarithm of a Gaussian density of bandwidth 1 is
 * computed at 50 points from the least to the greatest value. Every point that is not above
 * its neighbours is a minimum, including the ends and all points of a plateau. A group ends
 * below each minimum. ENDS (room for 51) gets the index after the last value of each group.
 * Returns the number of groups; none is empty. */
size_t sieve_split(const double *value, size_t n, size_t *ends);

#endif
