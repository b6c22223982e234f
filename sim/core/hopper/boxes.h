/* What copies of tensors and blocks move in global memory, sector by sector: rows of a box of a
 * tensor, columns of its pixels (im2col), or bytes in a row. What lies outside of the tensor is
 * not accessed, though it takes room in shared memory. Source: PTX ISA, "Tensors" (modes tiled
 * and im2col, bounding boxes); CUDA Driver API, cuTensorMapEncodeTiled(), ...Im2col(). */
#ifndef HEARTH_SIM_CORE_HOPPER_BOXES_H
#define HEARTH_SIM_CORE_HOPPER_BOXES_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/traces.h"

#define BOX_DIMENSIONS 5
/* More than the shared memory of any SM: no instruction copied that. */
#define BOX_MOST_BYTES (1u << 18)

struct copy_box {
    bool tensor;    /* else bytes in a row */
    uint64_t bytes; /* in shared memory, in all */
    /* the rest is private */
    struct trace_tensor_map map;
    int64_t first[BOX_DIMENSIONS]; /* element of the tensor, by dimension */
    uint32_t at[BOX_DIMENSIONS];   /* elements from there on, of a row: [0] is 0 */
    uint32_t starts[BOX_DIMENSIONS], ends[BOX_DIMENSIONS]; /* tiled: of `at`, in the tensor */
    uint32_t offset[3]; /* im2col: in the filter, by dimension from the second on */
    uint64_t left;      /* rows, the current one included */
    uint64_t next, end; /* bytes of the current row that are left */
};

/* COUNT bytes from ADDRESS on. */
void box_row(struct copy_box *box, uint64_t address, uint64_t count);

/* What ASKS, which is_known, moves by MAP. Returns false for what is not modelled: interleaved
 * tensors, elements of less than a byte, another number of dimensions, more than
 * BOX_MOST_BYTES. */
bool box_tensor(struct copy_box *box, const struct trace_tensor_map *map,
                const struct trace_async *asks);

/* The next sector: its address, and its bytes as a mask. False: there are no more. */
bool box_next(struct copy_box *box, uint64_t *sector, uint32_t *bytes);

#endif
