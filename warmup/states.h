/* L2 states before launches, from one functional pass over a workload. Included by warmup.h.
 *
 * The order of accesses in a functional pass depends on the SMs and on L1, not on L2. So one
 * pass serves several configurations that differ in L2, each with its own tags. Each state is
 * exact, including sectors, bytes and dirty data. One LRU stack for all configurations
 * ("Evaluation Techniques for Storage Hierarchies", Mattson, Gecsei, Slutz, Traiger, 1970)
 * would need a distance for each sector and for each written byte. */
#ifndef HEARTH_WARMUP_STATES_H
#define HEARTH_WARMUP_STATES_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/sim.h"
#include "traces/traces.h"

struct warmup_task;

/* What states to make. */
struct warmup_states {
    const struct trace_workload *workload;
    const struct warmup_task *task; /* `measured` has the positions whose states are needed:
                                       warmup_state(); the first launch has no state */
    const struct sim_config *const *configs; /* COUNT of them; sim_follow() says how the
                                                others may differ from the first */
    size_t count;                            /* at least 1 */
    bool needed; /* only what the launch can notice (sim_save_needed()), for policy nsl */
    /* Takes the state of configs[CONFIG] before the launch at position LAUNCH, with the copies
     * just before it. NEEDS is NULL for all of SIM's L2. Returns 0, or -1 with ERR filled. */
    int (*take)(void *data, struct sim *sim, const struct sim_needs *needs, size_t config,
                size_t launch, struct error *err);
    void *data;
};

/* Passes over the workload up to the last measured launch. The caches that the first
 * configuration flushes (-gpgpu_flush_l1_cache, -gpgpu_flush_l2_cache) are flushed before
 * every launch but the first. Returns 0, 1 if the task's watcher stopped it, or -1 with ERR
 * filled. */
int warmup_states_make(const struct warmup_states *states, struct error *err);

#endif
