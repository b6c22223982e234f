/* How well clusters fit, judged by the rows only: for the choice of k without times. */
#ifndef HEARTH_SAMPLING_MATH_SCORE_H
#define HEARTH_SAMPLING_MATH_SCORE_H

#include <stdint.h>

#include "sampling/math/kmeans.h"

/* Mean over all rows of (b - a) / max(a, b), -1 to 1, where a is the mean distance to the
 * other rows of its cluster and b the least mean distance to another cluster; 0 for a row
 * alone in its cluster. "Silhouettes: a graphical aid" (Rousseeuw, 1987). NAN for a single
 * cluster. Time grows with the square of the rows: of more than LIMIT rows, LIMIT are drawn at
 * random, without replacement, by SEED. NAN also when memory runs out. */
double score_silhouette(const struct matrix *rows, const double *weights,
                        const uint32_t *labels, size_t k, size_t limit, uint64_t seed);

/* Bayesian information criterion of k-means, for spherical clusters of one variance: "X-means"
 * (Pelleg and Moore, 2000), as SimPoint uses it ("Automatically Characterizing Large Scale
 * Program Behavior", Sherwood et al., 2002). Larger is better. A variance below 1e-9 of that
 * of a single cluster is raised to that value: the criterion of clusters of equal rows would
 * be unbounded. */
double score_bic(const struct kmeans *kmeans, const struct matrix *rows, const double *weights);

/* The index of the first of SCORES (by rising k) that reaches 0.9 of the way from the least to
 * the greatest: SimPoint's choice by BIC. */
size_t score_choose_bic(const double *scores, size_t count);

#endif
