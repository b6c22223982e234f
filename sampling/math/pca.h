/* Principal components: the directions in which observations vary most.
 * "Principal Component Analysis" (Jolliffe, 2002); eigenvectors of the
 * covariance matrix (eigen.h). */
#ifndef HEARTH_SAMPLING_MATH_PCA_H
#define HEARTH_SAMPLING_MATH_PCA_H

#include "sampling/math/matrix.h"

struct pca {
    struct matrix components; /* one row per component, by falling variance; of length 1 */
    double *means;            /* of each feature */
    double *ratios; /* for each component: its share of the variance; 0 if nothing varies */
    size_t kept;    /* see pca_init() */
};

/* Components of ROWS; WEIGHTS says how often each row occurs; NULL: once. KEEP is a share of
 * the variance, 0 to 1: `kept` is the smallest number of components that have more than that
 * share together, as in scikit-learn's PCA(n_components=KEEP); all of them for 1; 1 if nothing
 * varies. Sign: the largest number of a component is positive; the first of them if several
 * are equally large. Components of equal variance are any basis of their space. Returns 0, or
 * -1 when memory runs out. */
int pca_init(struct pca *pca, const struct matrix *rows, const double *weights, double keep);
void pca_finish(struct pca *pca);
/* Projects ROWS on the kept components, not divided by their deviation, into a new matrix.
 * Returns 0, or -1 when memory runs out. */
int pca_project(const struct pca *pca, const struct matrix *rows, struct matrix *out);

#endif
