/* How Sieve's published script splits instruction counts. Private to sampling. */
#ifndef HEARTH_SAMPLING_METHODS_SIEVE_SPLIT_H
#define HEARTH_SAMPLING_METHODS_SIEVE_SPLIT_H

#include <stddef.h>

#define SIEVE_SPLIT_POINTS 50

/* Splits N ascending, different values: the logarithm of a Gaussian density of
 * bandwidth 1 is taken at 50 places from the least to the greatest value; every
 * place that is not above its neighbours is a minimum, the ends and all of a
 * plateau too; below each minimum a group ends. ENDS (room for 51) gets the
 * index behind the last value of each group. Returns how many; none is empty. */
size_t sieve_split(const double *value, size_t n, size_t *ends);

#endif
