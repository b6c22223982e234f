/* What the files that execute launches share. */
#ifndef HEARTH_SIM_SIMULATOR_H
#define HEARTH_SIM_SIMULATOR_H

#include "sim/core/occupancy.h"
#include "sim/dispatch.h"
#include "sim/handle.h"

/* Windows between two calls of a progress hook. */
#define PROGRESS_WINDOWS 32

/* When the last instruction was issued. Zeroed ones may be used. */
struct deadlock {
    uint64_t insts;      /* warp instructions */
    uint64_t last_issue; /* window end at which they grew */
};

/* At the end of a window: true when no warp can ever go on. */
bool sim_deadlocked(struct sim *sim, struct deadlock *patience);
/* Keeps the report, and fills ERR. Returns -1. */
int sim_fail_deadlock(struct sim *sim, const struct deadlock *patience, struct error *err);

/* Whether blocks of KERNEL fit, and how many. Returns 0, or -1 with ERR. */
int sim_occupancy(const struct sim *sim, const struct trace_kernel *kernel,
                  struct occupancy *occupancy, struct error *err);
/* Lets what is on its way come to rest; the time goes to the next launch's gap. */
void sim_come_to_rest(struct sim *sim);
/* The same, and tags hold what the caches do: none of SIM's `compacts` holds it. */
void sim_drain(struct sim *sim);
/* What SMs must know of LAUNCH, the next of the simulator; PLACES of its blocks can be in an SM
 * at once, numbered by their first warps. */
void sim_describe(struct sim *sim, struct dispatch_launch *launch,
                  const struct occupancy *occupancy, uint32_t places);

struct launch_intervals;
/* Fills RESULT with what the launch that STRETCHES are of has been, and ends these; what comes
 * next counts from here. STOPPED: at the window's end, not its own. */
void sim_take_result(struct sim *sim, struct launch_intervals *stretches, bool stopped,
                     struct sim_result *result);

/* The trace must end with the grid. Returns 0, or -1 with ERR. */
int sim_check_end(struct trace_kernel *kernel, struct error *err);

/* Core cycles from the start of LAUNCH to when it hands out blocks. */
uint64_t sim_latency(const struct sim *sim, const struct dispatch_launch *launch);

/* Warp instructions issued by all SMs since sim_create(). */
uint64_t sim_insts(const struct engine *engine);

#endif
