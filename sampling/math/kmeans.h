/* k-means clustering: the k centres with the least sum of squared distances from each row to
 * its nearest centre. Found by Lloyd's iteration ("Least Squares Quantization in PCM", 1982)
 * from several k-means++ starts ("k-means++: The Advantages of Careful Seeding", Arthur and
 * Vassilvitskii, 2007), with scikit-learn's defaults: the best of 10 starts, each centre the
 * best of 2 + ln k candidates, at most 300 iterations, until the centres move less than 1e-4
 * of the mean variance. The random numbers are not those of scikit-learn: results agree if the
 * optimum is clear, but not draw by draw. */
#ifndef HEARTH_SAMPLING_MATH_KMEANS_H
#define HEARTH_SAMPLING_MATH_KMEANS_H

#include <stdint.h>

#include "sampling/math/matrix.h"

struct kmeans_options {
    uint64_t seed;
    unsigned starts;     /* 0 = 10 */
    unsigned iterations; /* 0 = 300 */
    size_t sample;       /* with more rows, the starts are tried on a random SAMPLE of them,
                            and only the best continues with all rows; 0 = 10000 */
};

struct kmeans {
    struct matrix centres; /* k rows */
    uint32_t *labels;      /* for each row: its nearest centre, the first of equally near
                              ones */
    double inertia;        /* sum of weight x squared distance to the centre */
};

/* Makes K clusters of ROWS (K is at least 1), none of them empty: fewer (`centres.rows`) if
 * fewer rows are distinct. Clusters are numbered by their first row. WEIGHTS says how often
 * each row occurs; NULL: once. OPTIONS may be NULL. Returns 0, or -1 when memory runs out. */
int kmeans_init(struct kmeans *kmeans, const struct matrix *rows, const double *weights,
                size_t k, const struct kmeans_options *options);
void kmeans_finish(struct kmeans *kmeans);

#endif
