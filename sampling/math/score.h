/* How well clusters fit, by the rows alone: for the choice of k where nothing
 * else tells. */
#ifndef HEARTH_SAMPLING_MATH_SCORE_H
#define HEARTH_SAMPLING_MATH_SCORE_H

#include <stdint.h>

#include "sampling/math/kmeans.h"

/* Mean over all rows of (b - a) / max(a, b), a being the mean distance to the
 * other rows of its cluster, b the least mean distance to another cluster; 0
 * for a row that is alone. "Silhouettes: a graphical aid" (Rousseeuw, 1987), -1 to 1; NAN
 * for a single cluster. The time grows with the square of the rows: more than LIMIT of
 * them are drawn from at random, without replacement, by SEED. NAN when
 * memory runs out, too. */
double score_silhouette(const struct matrix *rows, const double *weights,
                        const uint32_t *labels, size_t k, size_t limit, uint64_t seed);

/* Bayesian information criterion of k-means, for spherical clusters of one
 * variance: "X-means" (Pelleg and Moore, 2000), as SimPoint uses it
 * ("Automatically Characterizing Large Scale Program Behavior", Sherwood et
 * al., 2002). Larger is better. A variance below 1e-9 of that of a single cluster counts as
 * that much: clusters of equal rows would have no end. */
double score_bic(const struct kmeans *kmeans, const struct matrix *rows, const double *weights);

/* Of scores by rising k, the first that reaches 0.9 of the way from the least
 * to the greatest: SimPoint's choice by BIC. Returns its index. */
size_t score_choose_bic(const double *scores, size_t count);

#endif
