/* Passes over the launches of a workload that take long: who asked for one can show how far it
 * is, and stop it. Included by warmup.h. */
#ifndef HEARTH_WARMUP_WATCH_H
#define HEARTH_WARMUP_WATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/sim.h"

struct warmup_watch {
    /* When the launch at POSITION (from 1) of the workload's list begins, and then now and then
     * until the next one does. NOW has the blocks and warp instructions of it so far, and cycle
     * 0. A launch that is read again begins again. Returns false to stop the pass. */
    bool (*watch)(void *data, size_t position, const struct sim_progress *now);
    void *data;
};

#endif
