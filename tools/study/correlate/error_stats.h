/* How far simulated cycles are from measured ones, over launches.
 *
 * The error of a launch is simulated / measured - 1. The error of a program is the mean of its
 * launches' absolute errors, and that of a set is the mean over its programs: a sum of cycles
 * would hide errors of opposite signs, and short launches. */
#ifndef HEARTH_TOOLS_STUDY_CORRELATE_ERROR_STATS_H
#define HEARTH_TOOLS_STUDY_CORRELATE_ERROR_STATS_H

#include <stddef.h>

/* A launch; MEASURED is above 0. NaN as SIMULATED: it failed, or is missing. */
struct error_pair {
    double measured, simulated;
};

/* All are NaN where there is nothing that they could be computed of. */
struct error_stats {
    size_t count, missing; /* launches, those without a simulated value among them */
    double mean;           /* of absolute errors, a missing launch counts 1 */
    double bias;           /* mean of signed errors; without missing launches, as all below */
    double sum;            /* sum of simulated over sum of measured cycles, minus 1 */
    double median, p90, worst; /* of absolute errors */
    double pearson;            /* correlation of the values */
    double rank; /* correlation of their ranks (Spearman), equal ones share a rank */
};

/* simulated / measured - 1; NaN if it is missing. */
double error_of(const struct error_pair *pair);
/* Returns 0, or -1 without memory. */
int error_stats_of(struct error_stats *stats, const struct error_pair *pairs, size_t count);

#endif
