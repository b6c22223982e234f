/* Which clusters get the first blocks of a launch that has one for each or more, where the
 * first TPCs get blocks more often than others (-hearth_gpc_first_every). */
#ifndef HEARTH_SIM_ORDER_FIRST_BLOCKS_H
#define HEARTH_SIM_ORDER_FIRST_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct sim;

/* Sets `first` of SIM for a launch of BLOCKS blocks, of which a cluster holds PLACES: the
 * dispatcher visits the GPCs in turn, and the FIRST clusters in between. In a visit, each of
 * them gets one block. If all blocks find a place at once, a GPC gets no more than its part of
 * them, rounded down, and each of the FIRST ones no more than the mean, rounded up; what is
 * left then goes to whose turn it is. Returns false when memory is short. */
bool first_blocks_set(struct sim *sim, uint32_t first, uint64_t blocks, uint32_t places);

#endif
