/* Values of registers as far as they follow from the machine code: constants, places in the
 * grid, and what integer arithmetic makes of them. Traces that do not record what instructions
 * of barriers in memory and copies of tensors are asked for have it in their code: sizes,
 * counts and addresses in shared memory are computed from immediates. What comes from memory or
 * kernel parameters is unknown, and so is all that depends on it.
 *
 * Encodings: Volta's, as Mesa's NAK writes them; compared with the listings of cuobjdump. */
#ifndef HEARTH_SIM_CORE_HOPPER_VALUES_H
#define HEARTH_SIM_CORE_HOPPER_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/traces.h"

#define VALUES_UNIFORM 64 /* registers; the last one is zero */

/* Of a warp. */
struct values {
    uint32_t regs[256][32];
    uint32_t known[256]; /* masks of lanes */
    uint32_t uniform[VALUES_UNIFORM];
    uint64_t uniform_known;                      /* mask of registers */
    uint32_t predicates[8], predicates_known[8]; /* masks of lanes */
    uint8_t uniform_predicates, uniform_predicates_known;
    uint32_t index[3], block[3]; /* its block's place in the grid; threads of a block */
    uint32_t first;              /* its first thread */
};

/* VALUES of a warp that begins: number WARP of its block, at INDEX in the grid of HEADER. */
void values_begin(struct values *values, const struct trace_header *header,
                  const uint32_t index[3], uint32_t warp);

/* The lanes MASK execute CODE; without it, or with what is not integer arithmetic, the COUNT
 * registers from FIRST on are not known any more. */
void values_execute(struct values *values, const struct trace_code *code, uint32_t mask,
                    uint32_t first, uint32_t count);

/* False if the value is not known. */
bool values_lane(const struct values *values, uint32_t reg, uint32_t lane, uint32_t *value);
bool values_uniform(const struct values *values, uint32_t reg, uint32_t *value);

#endif
