/* A functional pass over launches that are given one after the other, and the states of L2 of
 * some configurations before some of them. Included by warmup.h; warmup_states_make() makes one
 * over a workload.
 *
 * It opens no files: what gives the launches need not have them in a workload. */
#ifndef HEARTH_WARMUP_STATE_PASS_H
#define HEARTH_WARMUP_STATE_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/sim.h"
#include "traces/traces.h"

struct warmup_state_pass;

/* Which states, and who takes them. */
struct warmup_state_spec {
    const struct sim_config *const *configs;
    size_t count; /* of them, at least 1 */
    bool needed;  /* only what the launch can notice (sim_save_needed()), for policy nsl */
    /* Takes the state of configs[CONFIG] before the launch at position LAUNCH, with the copies
     * just before it. NEEDS is NULL for all of SIM's L2. Returns 0, or -1 with ERR filled. */
    int (*take)(void *data, struct sim *sim, const struct sim_needs *needs, size_t config,
                size_t launch, struct error *err);
    void *data;
};

/* The next launch. */
struct warmup_state_launch {
    /* Opens its memory-only view, with `bare_shared`; the pass closes it. NULL with ERR
     * filled. */
    struct trace_kernel *(*open)(void *data, struct error *err);
    /* Reads that view into REUSE. Returns 0, 1 to stop the pass, or -1 with ERR filled. */
    int (*read)(void *data, struct trace_reuse *reuse, struct error *err);
    /* Is told how far the launch is; returns false to stop the pass. NULL: nobody is. */
    bool (*progress)(void *data, const struct sim_progress *now);
    void *data;   /* for these */
    bool save;    /* the states before it are taken */
    bool execute; /* it is executed: others follow that depend on it */
};

/* SPEC and its configurations must outlive the pass. Returns NULL with ERR filled. */
struct warmup_state_pass *warmup_state_pass_create(const struct warmup_state_spec *spec,
                                                   struct error *err);
/* Accepts NULL. */
void warmup_state_pass_destroy(struct warmup_state_pass *pass);

/* Whether states depend on the code of launches: their views should have it
 * (trace_kernel_options.code), but need not. */
bool warmup_state_pass_wants_code(const struct warmup_state_pass *pass);

/* A copy to BYTES at ADDRESS, from the host or ON_DEVICE, as for sim_copy(). */
void warmup_state_pass_copy(struct warmup_state_pass *pass, uint64_t address, uint64_t bytes,
                            bool on_device);

/* The caches that the configurations flush between launches (-gpgpu_flush_l1_cache,
 * -gpgpu_flush_l2_cache, -hearth_flush_at) are flushed as in a run. Returns 0, 1 if the pass
 * was stopped, or -1 with ERR filled; after that it can only be destroyed. */
int warmup_state_pass_launch(struct warmup_state_pass *pass,
                             const struct warmup_state_launch *launch, struct error *err);

#endif
