/* The basic blocks that the warps of an SM execute, and how long its instructions take, for the
 * hooks of a launch that want to know. */
#ifndef HEARTH_SIM_WATCH_BASIC_BLOCKS_H
#define HEARTH_SIM_WATCH_BASIC_BLOCKS_H

#include "sim/core/sm.h"
#include "sim/sim.h"

struct basic_blocks;

/* Gets each basic block, with cycles of the simulator's clock. DATA as given to
 * basic_blocks_create(). */
typedef void basic_blocks_keep(void *data, const struct sim_basic_block *basic);

/* Observes SM for HOOKS, before all observers that are added later. NULL when memory is short.
 */
struct basic_blocks *basic_blocks_create(struct sm *sm, const struct sim_hooks *hooks,
                                         basic_blocks_keep *keep, void *data);
/* Tells the hook of the results that have come since the last call. Returns false if some are
 * missing, as memory was short. */
bool basic_blocks_tell(struct basic_blocks *basics, const struct sim_hooks *hooks);
/* Accepts NULL. While SM exists. */
void basic_blocks_destroy(struct basic_blocks *basics, struct sm *sm);

#endif
