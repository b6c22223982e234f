/* L2 states before launches, from one functional pass over a workload. Included by warmup.h.
 *
 * The order of accesses in a functional pass depends on the SMs and on L1, not on L2. So one
 * pass serves several configurations that differ in L2, each with its own tags. Each state is
 * exact, including sectors, bytes and dirty data. One LRU stack for all configurations
 * ("Evaluation Techniques for Storage Hierarchies", Mattson, Gecsei, Slutz, Traiger, 1970)
 * would need a distance for each sector and for each written byte. */
#ifndef HEARTH_WARMUP_STATES_H
#define HEARTH_WARMUP_STATES_H

#include "traces/traces.h"
#include "warmup/state_pass.h"

struct warmup_task;

/* What states to make. */
struct warmup_states {
    const struct trace_workload *workload;
    const struct warmup_task *task; /* `measured` has the positions whose states are needed:
                                       warmup_state(); the first launch has no state */
    struct warmup_state_spec spec;
};

/* Passes over the workload up to the last measured launch. Returns 0, 1 if the task's watcher
 * stopped it, or -1 with ERR filled. */
int warmup_states_make(const struct warmup_states *states, struct error *err);

#endif
