/* Private to warmup: a pass over the launches and copies of a workload. */
#ifndef HEARTH_WARMUP_PASS_H
#define HEARTH_WARMUP_PASS_H

#include "sim/sim.h"
#include "traces/traces.h"
#include "warmup/watch.h"

/* The progress of a pass. */
struct warmup_pass {
    const struct trace_workload *workload;
    const struct warmup_watch *watch; /* NULL: no watcher */
    bool code;                        /* launches are opened with the code of their functions */
    size_t position;                  /* of the current launch, from 1 */
    uint64_t function;                /* the same for launches of one name */
    struct sim_progress now;          /* of the current launch */
};

/* Calls the watcher. Returns false if it stops the pass. */
bool warmup_pass_goes_on(const struct warmup_pass *pass);

/* The memory-only view of the trace NAME of the list, as the launch at POSITION. Returns NULL
 * with ERR filled. */
struct trace_kernel *warmup_pass_open(struct warmup_pass *pass, const char *name,
                                      size_t position, struct error *err);

/* Executes the launch NAME of the list, the one at POSITION, functionally on SIM. Returns 0, 1
 * if the watcher stopped it, -1 with ERR filled. */
int warmup_pass_execute(struct warmup_pass *pass, const char *name, size_t position,
                        struct sim *sim, struct error *err);

/* Reads that view into REUSE as its next launch. Returns 0 with FOOTPRINT filled, 1 if the
 * watcher stopped it, -1 with ERR filled. */
int warmup_pass_read(struct warmup_pass *pass, const char *name, size_t position,
                     struct trace_reuse *reuse, struct trace_footprint *footprint,
                     struct error *err);

/* Whether COMMAND is a copy that a pass hands to trace_reuse_copy(). Of copies from the host
 * and on the device, those are that fill CONFIG's L2. If neither do, those from the host are:
 * L2 then does not hold what they write. */
bool warmup_pass_copies(const struct sim_config *config, const struct trace_command *command);

/* Whether the copies that a pass hands over fill CONFIG's L2. */
bool warmup_copies_fill(const struct sim_config *config);

#endif
