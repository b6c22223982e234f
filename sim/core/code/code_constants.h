/* Constant caches of an SM: one of its own for LDC, and a small one of each sub-core for
 * instructions of fixed latency that have a constant operand, c[bank][offset], and for ULDC.
 * Both are filled by code_supply.h. When a line comes is known when it is asked for.
 *
 * Sources: both caches from "Dissecting and Modeling the Architecture of Modern GPU Cores"
 * (MICRO 2025), section 5.4. That ULDC waits at issue, as constant operands do: its control
 * bits leave three cycles to the first reader, and no dependence counter.
 *
 * What constant memory holds may differ in each launch, so launches share no lines. Bank 0,
 * the parameters, is with a launch in the SM's L1; lines of other banks come from L2. */
#ifndef HEARTH_SIM_CORE_CODE_CODE_CONSTANTS_H
#define HEARTH_SIM_CORE_CODE_CODE_CONSTANTS_H

#include "sim/core/code/code_supply.h"

struct code_constants {
    struct line_cache loads;                        /* for LDC */
    struct line_cache operands[CODE_MAX_SUB_CORES]; /* for what reads them at issue */
};

/* A place in constant memory. */
struct code_constant {
    uint32_t bank;
    uint64_t offset; /* bytes */
};

/* Returns false when memory is short. */
bool code_constants_init(struct code_constants *constants, const struct code_spec *spec);
/* Accepts a zeroed one. */
void code_constants_finish(struct code_constants *constants);
/* Empties them. */
void code_constants_clear(struct code_constants *constants);

/* How a constant cache answers. */
enum code_constant_answer { CODE_CONSTANT_HIT, CODE_CONSTANT_PENDING_HIT, CODE_CONSTANT_MISS };

/* Looks a line up in CACHE, one of the above, in cycle NOW, for the launch whose code is at
 * PLACE. *READY becomes the cycle in which it is there, NOW for a hit. */
enum code_constant_answer code_constants_read(struct line_cache *cache,
                                              struct code_supply *supply,
                                              const struct code_place *place,
                                              struct code_constant constant, uint64_t now,
                                              uint64_t *ready);

#endif
