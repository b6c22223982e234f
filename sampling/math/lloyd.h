/* Private to k-means: one run of Lloyd's iteration. */
#ifndef HEARTH_SAMPLING_MATH_LLOYD_H
#define HEARTH_SAMPLING_MATH_LLOYD_H

#include "sampling/math/draw.h"
#include "sampling/math/kmeans.h"

/* The input. */
struct points {
    const struct matrix *rows;
    const double *weights; /* or NULL */
};

static inline double point_weight(const struct points *points, size_t i)
{
    return points->weights != NULL ? points->weights[i] : 1;
}

/* Fills CENTRES with rows, each drawn with a chance that grows with its squared distance to
 * the centres chosen before. NEAREST and TRIAL have room for one number per row. */
void seed_centres(struct matrix *centres, const struct points *points, struct random *random,
                  double *nearest, double *trial);
/* Moves centres until they no longer move, or move by less than TOLERANCE (sum of squares), or
 * for ITERATIONS; fills labels and inertia. Returns 0, or -1 when memory runs out. */
int lloyd(struct kmeans *kmeans, const struct points *points, unsigned iterations,
          double tolerance);

#endif
