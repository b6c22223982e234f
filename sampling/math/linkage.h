/* Complete-linkage clustering with a distance threshold: the nearest two
 * clusters are joined, their distance being the largest between a row of the
 * one and a row of the other, as long as that is at most the threshold. No
 * cluster is then wider than the threshold.
 *
 * The whole matrix of distances would take n^2 / 2 numbers. It is never made:
 *   - equal rows are one, and rows in a row of chains of cells of the size of
 *     the threshold that touch are one part: nothing farther apart is ever
 *     joined, so parts are clustered on their own, with the same result;
 *   - a part of up to `limit` rows is clustered exactly, by nearest-neighbour
 *     chains ("Multidimensional clustering algorithms", Murtagh, 1985) on a
 *     matrix of its own, in time of the square of its rows;
 *   - a larger part is first taken together in boxes, as small as `limit`
 *     of them allow and never wider than the threshold, which are then
 *     clustered by the largest distance that rows in them can have. Clusters
 *     are still not wider than the threshold, but may be more than need be.
 *     Where even the widest boxes are too many, they are clustered `limit` at
 *     a time, in their order along the first features. */
#ifndef HEARTH_SAMPLING_MATH_LINKAGE_H
#define HEARTH_SAMPLING_MATH_LINKAGE_H

#include <stdint.h>

#include "sampling/math/matrix.h"

/* Rows of a part that are clustered exactly: a matrix of 134 MB. */
#define LINKAGE_LIMIT 4096

struct linkage {
    uint32_t *labels; /* of each row: number of its cluster, numbered by first row */
    size_t count;     /* clusters */
    size_t coarse;    /* rows in parts that were too large to be clustered exactly */
};

/* Clusters of ROWS, which must be finite. THRESHOLD is at least 0: with 0 only
 * equal rows are joined. Of equally near clusters the one with the first row is
 * joined. LIMIT of 0 is LINKAGE_LIMIT. Returns 0, or -1 when memory runs out. */
int linkage_init(struct linkage *linkage, const struct matrix *rows, double threshold,
                 size_t limit);
void linkage_finish(struct linkage *linkage);

#endif
