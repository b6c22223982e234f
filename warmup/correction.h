/* Correction factors: what the cycles of a cold launch would have been behind the launches in
 * front of it. They are applied to results, never to a plan. Included by warmup.h.
 *
 * "Quantifying and Mitigating the Cold-Start Problem in GPU Simulation" ("Cold-start", thesis,
 * 2024), section 6.3, subtracts
 *
 *   accesses / (controllers x line) x fwd(i-1) x (DRAM - L2)
 *
 * cycles. docs/correction.md tells each term, its unit, and what is wrong with it. */
#ifndef HEARTH_WARMUP_CORRECTION_H
#define HEARTH_WARMUP_CORRECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/sim.h"
#include "traces/base/policy.h"
#include "traces/traces.h"

struct warmup_pass;
struct warmup_task;

/* What the traces say of a launch and of those in front of it. Shares are of 0 to 1. Where L2
 * is flushed in front of launches, nothing is received or pushed. */
struct correction_reuse {
    double forward;          /* of the addresses of the launch before, those that this launch
                                touches: fwd(i-1); 0 for the first launch, NAN where the one before
                                touches none */
    double forward_artifact; /* the same as the thesis's scripts count it */
    double received; /* of the sectors that this launch reads first and that copies just in
                        front of it do not bring: those that L2 still holds from before; 0
                        where there are none */
    uint64_t lines;  /* of 128 bytes that it touches and that those copies do not bring: what
                        misses when it starts cold */
    uint64_t copies; /* from the host, just in front of it */
    double pushed;   /* sectors that it makes L2 write to DRAM, of those that launches in
                        front of it have written */
};

/* What a correction is made of. */
struct correction_input {
    struct correction_reuse reuse;
    uint64_t cycles;                               /* of the launch, cold */
    const struct sim_counters *counters;           /* likewise */
    uint64_t channel_bytes, busiest_channel_bytes; /* of struct sim_result */
    uint64_t saved_cycles; /* likewise: by which the launch had ended earlier with all in L2 */
    struct sim_peaks peaks;
    uint32_t line;                     /* bytes of an L2 line */
    uint32_t dram_latency, l2_latency; /* -dram_latency, -gpgpu_l2_rop_latency */
    double penalty; /* core cycles that a read takes from L2 to an idle DRAM and back */
};

/* The terms, and what comes of them. */
struct correction {
    double accesses;    /* lines, or what the formula takes for them */
    double controllers; /* evenly used ones */
    double forward;     /* fwd(i-1) as the formula counts it */
    double received;    /* as in struct correction_reuse */
    double penalty;     /* core cycles for a miss more than for a hit */
    double serial;      /* cycles of all misses of a controller, one behind the other; only
                           correction:corrected */
    double exposed;     /* cycles by which the launch would have ended earlier had L2 held all
                           that it reads; only correction:corrected */
    double parallel;    /* sectors that an SM waits for at once: its reads from DRAM over the
                           waits of `penalty` cycles that are exposed, 0 without; only
                           correction:corrected */
    double writes;      /* cycles for what is evicted; only correction:corrected */
    double delta;       /* cycles that are subtracted */
    double cycles;      /* what is left */
};

/* One formula, a line of the table. */
struct correction_kind {
    struct policy policy;
    bool ideal_l2; /* it takes saved_cycles: sim_ideal_l2() */
    void (*make)(const struct correction_input *input, struct correction *correction);
};

extern const struct policy *const correction_kinds[]; /* ends with NULL */

/* The one of that name, or NULL. */
const struct correction_kind *correction_find(const char *name);

/* Fills REUSE, one for each measured launch of TASK, from the memory-only view of all launches
 * of WORKLOAD up to the last of them: none of these need be simulated. The cache is CONFIG's
 * L2. Returns 0, 1 when the task's watcher stopped it, or -1 with ERR filled. */
int correction_read(const struct trace_workload *workload, const struct sim_config *config,
                    const struct warmup_task *task, struct correction_reuse *reuse,
                    struct error *err);

/* INPUT's terms of CONFIG. */
void correction_configure(struct correction_input *input, const struct sim_config *config);

/* Sum over maximum of a channel's bytes: how many evenly used ones would have moved as much. 1
 * where nothing was moved (thesis, section 6.3.1). */
double correction_controllers(const struct correction_input *input);

/* The share of what a launch of SOURCE lines has left that a launch of RECEIVER lines finds in
 * an LRU cache of CAPACITY lines, with NEWER lines touched in between: both pass over their
 * lines once in the same order, so that from the touch of a line at u of 1 up to its next
 * (1 - u) SOURCE + NEWER + u RECEIVER others are touched. */
double correction_retained(uint64_t source, uint64_t newer, uint64_t receiver,
                           uint64_t capacity);

void correction_make_thesis(const struct correction_input *input,
                            struct correction *correction);
void correction_make_artifact(const struct correction_input *input,
                              struct correction *correction);
void correction_make_corrected(const struct correction_input *input,
                               struct correction *correction);

/* Addresses of a launch as the thesis's script `reuse` reads them from a memory-only trace in
 * list mode: it takes the width of an access for the number of addresses, reads so many of the
 * active lanes', and 0 where there are fewer; shared memory is not told apart. */
struct correction_addresses {
    uint64_t *items; /* ascending, none twice */
    size_t count, room;
};
/* Those of the trace at PATH, of a launch of PASS up to the one in hand. Returns 0, 1 when the
 * pass does not go on, or -1 with ERR filled. */
int correction_addresses_read(struct correction_addresses *addresses, const char *path,
                              const struct warmup_pass *pass, struct error *err);
void correction_addresses_finish(struct correction_addresses *addresses);
/* |FROM and TO| / |FROM|; NAN where FROM is empty. */
double correction_addresses_forward(const struct correction_addresses *from,
                                    const struct correction_addresses *to);

#endif
