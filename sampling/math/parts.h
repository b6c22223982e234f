/* Private to linkage: splits rows into parts that are far from each other. */
#ifndef HEARTH_SAMPLING_MATH_PARTS_H
#define HEARTH_SAMPLING_MATH_PARTS_H

#include <stdint.h>

#include "sampling/math/matrix.h"

struct parts {
    uint32_t *rows;   /* all rows, part by part, ascending in each */
    uint32_t *starts; /* where each part begins in `rows`, and the end: count + 1 */
    size_t count;
};

/* Finds parts of ROWS (at least one) such that rows of different parts are farther than REACH,
 * above 0, from each other. Returns 0, or -1 when memory runs out. */
int parts_init(struct parts *parts, const struct matrix *rows, double reach);
void parts_finish(struct parts *parts);

/* Assigns each row to a cell of the size EDGE. Returns 0 or -1. */
int cells_init(struct distinct *cells, struct matrix *places, const struct matrix *rows,
               size_t columns, double edge);

#endif
