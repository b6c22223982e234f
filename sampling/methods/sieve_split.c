#include "sampling/methods/sieve_split.h"

#include <math.h>
#include <stdbool.h>

/* Logarithm of the density at Y, except for a constant. The sum is relative to its largest
 * term: far from all values the terms themselves are 0. */
static double log_density(const double *value, size_t n, double y)
{
    double largest = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++) {
        double term = -0.5 * (value[i] - y) * (value[i] - y);
        largest = term > largest ? term : largest;
    }
    for (size_t i = 0; i < n; i++)
        sum += exp(-0.5 * (value[i] - y) * (value[i] - y) - largest);
    return largest + log(sum);
}

static bool is_minimum(const double *e, size_t i)
{
    bool below_left = i == 0 || e[i] <= e[i - 1];
    bool below_right = i == SIEVE_SPLIT_POINTS - 1 || e[i] <= e[i + 1];
    return below_left && below_right;
}

size_t sieve_split(const double *value, size_t n, size_t *ends)
{
    double place[SIEVE_SPLIT_POINTS], e[SIEVE_SPLIT_POINTS];
    double step = (value[n - 1] - value[0]) / (SIEVE_SPLIT_POINTS - 1);
    size_t groups = 0, taken = 0;
    for (size_t i = 0; i < SIEVE_SPLIT_POINTS; i++) {
        place[i] = i + 1 < SIEVE_SPLIT_POINTS ? value[0] + (double)i * step : value[n - 1];
        e[i] = log_density(value, n, place[i]);
    }
    for (size_t i = 0; i < SIEVE_SPLIT_POINTS; i++) {
        size_t end = taken;
        while (is_minimum(e, i) && end < n && value[end] < place[i])
            end++;
        if (end > taken)
            ends[groups++] = taken = end;
    }
    ends[groups++] = n; /* the greatest value is not below any point */
    return groups;
}
