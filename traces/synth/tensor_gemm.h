/* A tiled matrix product on tensor cores, of half-precision matrices: what
 * gemm, the convolutions of unet3d and the layers of attention launch. */
#ifndef HEARTH_TRACES_SYNTH_TENSOR_GEMM_H
#define HEARTH_TRACES_SYNTH_TENSOR_GEMM_H

#include "traces/synth/warp.h"

#define CHUNK 8 /* half-precision numbers in the 16 bytes that a thread loads */

/* C[m][n] = A[m][k] B[n][k]. */
struct tensor_gemm {
    const char *name;
    uint32_t m, n, k;
    /* Tiles of 16 x 8 a warp has (at most 4 x 8), and warps a block. */
    uint32_t tiles_m, tiles_n, warps_m, warps_n;
    uint64_t a, b, c;
    /* Address of A's chunk at (ROW, K); false where it is padding, which is
     * not loaded. NULL: row after row. */
    bool (*chunk)(const struct tensor_gemm *gemm, uint32_t row, uint32_t k, uint64_t *address);
    /* Address of C's pair of numbers at (ROW, COLUMN). NULL: row after row. */
    uint64_t (*pair)(const struct tensor_gemm *gemm, uint32_t row, uint32_t column);
    const void *data; /* the hooks' */
};

void tensor_gemm_launch(struct synth *synth, const struct tensor_gemm *gemm);

/* Loads four 8 x 8 matrices from shared memory, a row address a lane. */
void tensor_load(struct warp *warp, int reg, int address, const struct lanes *at);

#endif
