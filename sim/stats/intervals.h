/* The intervals of a launch, for the hook that is called for each. */
#ifndef HEARTH_SIM_STATS_INTERVALS_H
#define HEARTH_SIM_STATS_INTERVALS_H

#include "sim/engine.h"
#include "sim/sim.h"

struct launch_intervals {
    struct engine *engine;
    const struct sim_hooks *hooks;
    uint64_t start;               /* of the launch */
    uint64_t begin, boundary;     /* cycles of the running one; UINT64_MAX: no intervals */
    struct sim_counters at_begin; /* counters up to there */
};

/* Of the launch that starts on ENGINE at cycle START; HOOKS may be NULL. Neither is owned. From
 * here to launch_intervals_end() no window goes beyond a boundary. */
void launch_intervals_begin(struct launch_intervals *stretches, struct engine *engine,
                            const struct sim_hooks *hooks, uint64_t start);
/* Opens the window that holds CYCLE; SMs are idle until then. */
void launch_intervals_pass_idle(struct launch_intervals *stretches, uint64_t cycle);
/* At a boundary, or the launch's end: SMs stand at cycle END; partitions too, or with nothing
 * of the launch in L2. */
void launch_intervals_tell(struct launch_intervals *stretches, uint64_t end);
/* All blocks have ended: windows need not end at boundaries any more. */
void launch_intervals_free_windows(struct launch_intervals *stretches);
/* The launch is over at END. The last interval is reported unless the launch STOPPED. */
void launch_intervals_end(struct launch_intervals *stretches, uint64_t end, bool stopped);

#endif
