/* What launches that are not timed leave in the caches of instructions of an SM, and their
 * contents in files. */
#ifndef HEARTH_SIM_CORE_CODE_CODE_STATE_H
#define HEARTH_SIM_CORE_CODE_CODE_STATE_H

#include "sim/core/code/code_caches.h"

/* The caches of CACHES, from 0: the L0 of each sub-core, L1, and the GCC if there is one. NULL
 * after the last. */
struct line_cache *code_state_cache(struct code_caches *caches, uint32_t number);

/* SUB_CORES, a mask, have run the first BYTES of the code at PLACE, in the order of addresses:
 * their lines are there, and in L1 and the GCC also those that stream buffers asked for beyond
 * them. */
void code_state_ran(struct code_caches *caches, uint32_t sub_cores,
                    const struct code_place *place, uint32_t bytes);

/* The function of which lines lie from FROM on, BYTES at most, lies at TO: these lines are
 * there. When others come does not change. */
void code_state_move(struct code_caches *caches, uint64_t from, uint64_t to, uint64_t bytes);

#endif
