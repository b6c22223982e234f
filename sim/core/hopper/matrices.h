/* Products of matrices by groups of four warps (WGMMA of PTX, HGMMA and its kin of the machine
 * code). The four tensor units of an SM work on one product at a time, when the fourth warp has
 * come to it; products follow each other without a gap, on the same sums, too.
 *
 * A product takes as long as its multiplications, or as long as its operands come from shared
 * memory, whichever is longer. Sources: rates by type in NVIDIA's H100 whitepaper; 128 bytes a
 * cycle of shared memory. With both, products of 64 by 64 and more columns reach the full rate,
 * as measured by Luo et al., "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture"
 * (2024). */
#ifndef HEARTH_SIM_CORE_HOPPER_MATRICES_H
#define HEARTH_SIM_CORE_HOPPER_MATRICES_H

#include <stdbool.h>
#include <stdint.h>

#define MATRICES_WARPS 4  /* of a group */
#define MATRICES_RING  64 /* batches that a warp may have open */

/* Whether OPCODE, dotted, is a product of a group of warps, sparse ones included. */
bool matrix_opcode(const char *opcode);

/* A dotted opcode's product. */
struct matrix_shape {
    uint32_t m, n, k;
    uint32_t bits; /* of an element of the operands */
};

/* False: OPCODE names none, or one that is not modelled (sparse ones, IMMA.SP and such). */
bool matrix_shape(const char *opcode, struct matrix_shape *shape);

/* The cycles that its multiplications take. RATE as below. */
uint32_t matrix_computes(const struct matrix_shape *shape, uint32_t rate);

/* The cycles that it takes. RATE: fused operations of half precision a cycle and SM.
 * REGISTERS: the first operand comes from registers. */
uint32_t matrix_cycles(const struct matrix_shape *shape, uint32_t rate, bool registers);

/* A group of warps of a block. */
struct matrices {
    uint32_t issued[MATRICES_WARPS]; /* products that each warp has issued */
    uint32_t begun;                  /* that the tensor units have taken */
    uint64_t end;                    /* cycle in which the last of these is done */
    uint32_t closed[MATRICES_WARPS]; /* batches that each warp has closed */
    uint32_t batches;                /* whose end is known */
    uint64_t ends[MATRICES_RING];    /* of batch n % MATRICES_RING */
    uint32_t lasts[MATRICES_RING];   /* products issued by the first warp that closed it */
    uint32_t announced;              /* batches in `lasts` */
};

/* WARP (0 to 3) issues a product of CYCLES now, the last of a batch if it CLOSES one. The
 * tensor units of the SM are free from *FREE on, which grows. REST: cycles from their end
 * until the sums can be read. */
void matrices_issue(struct matrices *group, uint32_t warp, uint32_t cycles, bool closes,
                    uint32_t rest, uint64_t now, uint64_t *free);
/* WARP closes what it has issued since its last batch, if there is any of it. REST: as above.
 */
void matrices_close(struct matrices *group, uint32_t warp, uint32_t rest);

/* The cycle from which all batches of WARP but the last OPEN are done; UINT64_MAX: not known
 * yet, as other warps have not come. */
uint64_t matrices_done(const struct matrices *group, uint32_t warp, uint32_t open);

#endif
