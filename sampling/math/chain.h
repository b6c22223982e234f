/* Private to linkage: clustering of one part, by nearest-neighbour chains. */
#ifndef HEARTH_SAMPLING_MATH_CHAIN_H
#define HEARTH_SAMPLING_MATH_CHAIN_H

#include <stdint.h>

#include "sampling/math/matrix.h"

/* Boxes with what they hold in them; a single row is a box without width. */
struct boxes {
    struct matrix low, high; /* a row a box */
};

/* Clusters of boxes FROM to FROM + COUNT - 1: LABELS, a number a box, gets the
 * number of the first box of its cluster, from 0. Returns 0, or -1 when
 * memory runs out. */
int chain_cluster(const struct boxes *boxes, size_t from, size_t count, double threshold,
                  uint32_t *labels);

#endif
