/* States of L2 in front of launches, from one pass over a workload without time. Included by
 * warmup.h.
 *
 * The order in which accesses come without time depends on the SMs and on L1, not on L2: one
 * pass serves several configurations whose L2 differ, each with tags of its own. That gives
 * each state exactly, also sectors, bytes and what is dirty, where one LRU stack for all of
 * them
 * ("Evaluation Techniques for Storage Hierarchies", Mattson, Gecsei, Slutz, Traiger, 1970)
 * would need a distance for each sector and for each byte written. */
#ifndef HEARTH_WARMUP_STATES_H
#define HEARTH_WARMUP_STATES_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/sim.h"
#include "traces/traces.h"

struct warmup_task;

/* What is to be made. */
struct warmup_states {
    const struct trace_workload *workload;
    const struct warmup_task *task; /* its `measured` are the positions whose states are wanted:
                                     * warmup_state(); the first launch has none */
    const struct sim_config *const *configs; /* COUNT of them; see sim_follow() for how the
                                              * others may differ from the first */
    size_t count;                            /* at least 1 */
    bool needed; /* only what the launch can notice (sim_save_needed()), for policy nsl */
    /* Takes the state of configs[CONFIG] in front of the launch at position LAUNCH; what was
     * copied just in front of it is in. NEEDS is NULL for all of SIM's L2. Returns 0, or -1
     * with ERR filled. */
    int (*take)(void *data, struct sim *sim, const struct sim_needs *needs, size_t config,
                size_t launch, struct error *err);
    void *data;
};

/* Passes over the workload up to the last measured launch. Levels that the first configuration
 * flushes (-gpgpu_flush_l1_cache, -gpgpu_flush_l2_cache) are flushed in front of all launches
 * but the first. Returns 0, 1 when the task's watcher stopped it, or -1 with ERR filled. */
int warmup_states_make(const struct warmup_states *states, struct error *err);

#endif
