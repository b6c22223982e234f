/* The shortest time of a warp, for lower bounds: its instructions issue in order, and not
 * before the registers that they use are there. */
#ifndef HEARTH_SIM_BOUNDS_WARP_PATH_H
#define HEARTH_SIM_BOUNDS_WARP_PATH_H

#include "sim/core/inst.h"
#include "traces/traces.h"

/* The least cycles from issue to use of what a configuration's loads and units give. */
struct path_latencies {
    uint32_t shared, constant, l1, l2, dram;
    uint32_t barrier;
    uint32_t after;  /* legacy core: added to the latencies of units */
    uint32_t branch; /* modern core: from a taken branch to the next instruction */
    bool modern;
};

/* Where a load finds its data at the earliest. */
enum path_level { PATH_L1, PATH_L2, PATH_DRAM };

struct warp_path {
    uint64_t next;  /* cycle in which the next instruction can issue, from the warp's begin */
    uint64_t loads; /* in which all loads are there */
    uint64_t ready[256];
    uint32_t pc;   /* of the next instruction, unless a branch is taken */
    uint32_t flow; /* cycles that the last instruction costs if it is taken */
};

void path_latencies_init(struct path_latencies *latencies, const struct sim_config *config);
void warp_path_begin(struct warp_path *path);
/* INST issues with lanes MASK; SPACE: of its access, generic ones resolved. */
void warp_path_issue(struct warp_path *path, const struct path_latencies *latencies,
                     const struct inst *inst, uint32_t mask, enum trace_space space,
                     enum path_level level);
/* The cycles of the warp from its begin. */
uint64_t warp_path_end(const struct warp_path *path);

#endif
