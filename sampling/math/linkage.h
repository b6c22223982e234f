/* Complete-linkage clustering with a distance threshold. The two nearest clusters are joined
 * as long as their distance is at most the threshold. The distance of two clusters is the
 * largest distance between a row of one and a row of the other, so no cluster is wider than
 * the threshold.
 *
 * The full matrix of distances would take n^2 / 2 numbers. It is never made:
 *   - equal rows are merged. Rows are sorted into cells of the threshold's size; cells that
 *     touch are one part. Rows of different parts are never joined, so each part is clustered
 *     on its own, with the same result;
 *   - a part of up to `limit` rows is clustered exactly, by nearest-neighbour chains
 *     ("Multidimensional clustering algorithms", Murtagh, 1985) on a matrix of its own, in
 *     time that grows with the square of its rows;
 *   - the rows of a larger part are first put into boxes, as small as a number of `limit`
 *     boxes allows and never wider than the threshold. The boxes are then clustered by the
 *     largest possible distance between their rows. Clusters are still not wider than the
 *     threshold, but there may be more than necessary. If even the widest boxes are too many,
 *     they are clustered `limit` at a time, in their order along the first features. */
#ifndef HEARTH_SAMPLING_MATH_LINKAGE_H
#define HEARTH_SAMPLING_MATH_LINKAGE_H

#include <stdint.h>

#include "sampling/math/matrix.h"

/* The largest part that is clustered exactly, in rows: a matrix of 134 MB. */
#define LINKAGE_LIMIT 4096

struct linkage {
    uint32_t *labels; /* for each row: its cluster, numbered by first row */
    size_t count;     /* number of clusters */
    size_t coarse;    /* rows in parts that were too large to be clustered exactly */
};

/* Clusters ROWS, which must be finite. THRESHOLD is at least 0; with 0 only equal rows are
 * joined. Of equally near clusters, the one with the first row is joined. LIMIT of 0 is
 * LINKAGE_LIMIT. Returns 0, or -1 when memory runs out. */
int linkage_init(struct linkage *linkage, const struct matrix *rows, double threshold,
                 size_t limit);
void linkage_finish(struct linkage *linkage);

#endif
