/* The blocks, warps and basic blocks of a launch that have ended, for the hooks that are called
 * for each. */
#ifndef HEARTH_SIM_WATCH_ENDED_BLOCKS_H
#define HEARTH_SIM_WATCH_ENDED_BLOCKS_H

#include "sim/engine.h"
#include "sim/sim.h"

struct ended_log;

/* A zeroed one reports nothing. */
struct ended_blocks {
    const struct sim_hooks *hooks;
    uint64_t start;         /* of the launch */
    struct ended_log *logs; /* of each SM, from its lowest number on; owned */
    uint32_t sms;
};

/* Observes the SMs of ENGINE for a launch with HOOKS (may be NULL) that starts at cycle START.
 * Returns false when memory is short. */
bool ended_blocks_begin(struct ended_blocks *blocks, struct engine *engine,
                        const struct sim_hooks *hooks, uint64_t start);
/* Reports those that have ended since the last call, in order of their ends. Call it while
 * no SM runs. Returns false if some are missing, as memory was short. */
bool ended_blocks_tell(struct ended_blocks *blocks);
/* While the SMs exist. */
void ended_blocks_finish(struct ended_blocks *blocks);

#endif
