/* Constant caches of an SM: one of its own for LDC, and a small one of each sub-core for
 * instructions of fixed latency that have a constant operand, c[bank][offset], and for ULDC.
 * Both are filled by code_supply.h. When a line comes is known when it is asked for.
 *
 * Sources: both caches from "Dissecting and Modeling the Architecture of Modern GPU Cores"
 * (MICRO 2025), section 5.4. That ULDC waits at issue, as constant operands do: its control
 * bits leave three cycles to the first reader, and no dependence counter.
 *
 * With constant_interval, a line of parameters that one of these caches lacks is asked of the
 * GCC, whose SMs take turns: a launch begins on all that get its first blocks together, and
 * asks for the same lines. The GCC takes a request in constant_interval cycles, so that an SM's
 * next one has its turn that many times the SMs later. Each sub-core asks by itself for its
 * operands. The first line of them comes after what all SMs have asked for with LDC before, and
 * the first one of LDC after operands. An SM alone waits for no one else. Rows of a division by
 * a parameter on an H100 show all of this. A launch brings LDC's cache the first loads_ahead
 * bytes of bank 0, but for those of the first line, where the sizes of the grid and its blocks
 * are: rows of kernels that end after an LDC.
 *
 * What constant memory holds may differ in each launch, so launches share no lines. Bank 0,
 * the parameters, is with a launch in the SM's L1; lines of other banks come from L2. */
#ifndef HEARTH_SIM_CORE_CODE_CODE_CONSTANTS_H
#define HEARTH_SIM_CORE_CODE_CODE_CONSTANTS_H

#include "sim/core/code/code_supply.h"

/* Requests of an SM in a row, each with its turn. */
struct code_turns {
    uint64_t launch; /* its number; 0: there were none */
    int64_t begin;   /* cycle in which the GCC takes the first request of all SMs; it may be
                      * before cycle 0 */
    uint64_t asked;  /* requests of this SM */
};

struct code_constants {
    struct line_cache loads;                     /* for LDC */
    struct code_turns load_turns, operand_turns; /* in which the GCC serves these */
    int64_t late;       /* cycles after the first SM in which the first line of both has come */
    uint64_t late_from; /* cycle in which it comes: what is asked for before is not late */
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

/* Looks a line up in the operands of SUB_CORE in cycle NOW, for the launch whose code is at
 * PLACE. *READY becomes the cycle in which it is there, NOW for a hit. */
enum code_constant_answer code_constants_operand(struct code_constants *constants,
                                                 struct code_supply *supply, uint32_t sub_core,
                                                 const struct code_place *place,
                                                 struct code_constant constant, uint64_t now,
                                                 uint64_t *ready);
/* Whether it holds CONSTANT, there or on its way; that is no use of it. */
bool code_constants_hold(const struct code_constants *constants, uint32_t sub_core,
                         const struct code_place *place, struct code_constant constant);
/* Looks a line up in the cache for LDC, as code_constants_operand() does. */
enum code_constant_answer code_constants_load(struct code_constants *constants,
                                              struct code_supply *supply,
                                              const struct code_place *place,
                                              struct code_constant constant, uint64_t now,
                                              uint64_t *ready);

#endif
