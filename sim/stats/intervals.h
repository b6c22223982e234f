/* The intervals of a launch, for the hook that is told of each. */
#ifndef HEARTH_SIM_STATS_INTERVALS_H
#define HEARTH_SIM_STATS_INTERVALS_H

#include "sim/engine.h"
#include "sim/sim.h"

struct stretches {
    struct engine *engine;
    const struct sim_hooks *hooks;
    uint64_t start;               /* of the launch */
    uint64_t begin, boundary;     /* cycles of the running one; UINT64_MAX: there are none */
    struct sim_counters at_begin; /* counters up to there */
};

/* Of the launch that starts on ENGINE at cycle START; HOOKS may be NULL. Neither is owned. From
 * here to stretches_end() no window goes beyond a boundary. */
void stretches_begin(struct stretches *stretches, struct engine *engine,
                     const struct sim_hooks *hooks, uint64_t start);
/* Opens the window that holds CYCLE; SMs are idle until then. */
void stretches_pass_idle(struct stretches *stretches, uint64_t cycle);
/* At a boundary, or the launch's end: SMs stand at cycle END; partitions too, or with nothing
 * of the launch in L2. */
void stretches_tell(struct stretches *stretches, uint64_t end);
/* The launch is over at END; what is left is told unless it STOPPED. */
void stretches_end(struct stretches *stretches, uint64_t end, bool stopped);

#endif
