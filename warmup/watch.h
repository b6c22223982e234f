/* For passes over the launches of a workload that take long: the caller can show the progress,
 * and stop the pass. Included by warmup.h. */
#ifndef HEARTH_WARMUP_WATCH_H
#define HEARTH_WARMUP_WATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/sim.h"

struct warmup_watch {
    /* Called when the launch at POSITION (from 1) of the workload's list begins, and from time
     * to time until the next one begins. NOW has the launch's blocks and warp instructions so
     * far, and cycle 0. A launch that is read twice begins twice. Returns false to stop the
     * pass. */
    bool (*watch)(void *data, size_t position, const struct sim_progress *now);
    void *data;
};

#endif
