/* Private to linkage: clustering of one part, by nearest-neighbour chains. */
#ifndef HEARTH_SAMPLING_MATH_CHAIN_H
#define HEARTH_SAMPLING_MATH_CHAIN_H

#include <stdint.h>

#include "sampling/math/matrix.h"

/* Bounding boxes of rows; the box of a single row has no width. */
struct boxes {
    struct matrix low, high; /* one row per box */
};

/* Clusters the boxes FROM to FROM + COUNT - 1. LABELS gets, for each box, the number of the
 * first box of its cluster, from 0. Returns 0, or -1 when memory runs out. */
int chain_cluster(const struct boxes *boxes, size_t from, size_t count, double threshold,
                  uint32_t *labels);

#endif
