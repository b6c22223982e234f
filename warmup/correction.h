/* Corrections: how many cycles a launch that was simulated cold would have taken after the
 * launches before it. They are applied to results, never to a plan. Included by warmup.h.
 *
 * "Quantifying and Mitigating the Cold-Start Problem in GPU Simulation" ("Cold-start", thesis,
 * 2024), section 6.3, subtracts
 *
 *   accesses / (controllers x line) x fwd(i-1) x (DRAM - L2)
 *
 * cycles. docs/correction.md explains each term, its unit, and what is wrong with it. */
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

/* What the traces show about a launch and the launches before it. Shares are from 0 to 1. If
 * L2 is flushed before launches, `received` and `pushed` are 0. */
struct correction_reuse {
    double forward;          /* fwd(i-1): the share of the previous launch's addresses that
                                this launch touches; 0 for the first launch, NAN if the
                                previous launch touches none */
    double forward_artifact; /* the same as the thesis's scripts count it */
    double received; /* the share of the sectors that this launch reads first, and that the
                        copies just before it do not bring, that L2 still holds; 0 if there
                        are none */
    uint64_t lines;  /* 128-byte lines that the launch touches and that those copies do not
                        bring: they miss when the launch starts cold */
    uint64_t copies; /* from the host, just before the launch */
    double pushed;   /* sectors written by earlier launches that this launch makes L2 write
                        to DRAM */
};

/* The input of a correction. */
struct correction_input {
    struct correction_reuse reuse;
    uint64_t cycles;                               /* of the cold launch */
    const struct sim_counters *counters;           /* likewise */
    uint64_t channel_bytes, busiest_channel_bytes; /* of struct sim_result */
    uint64_t saved_cycles; /* likewise: how much earlier the launch had ended with an ideal
                              L2 */
    struct sim_peaks peaks;
    uint32_t line;                     /* bytes of an L2 line */
    uint32_t dram_latency, l2_latency; /* -dram_latency, -gpgpu_l2_rop_latency */
    double penalty; /* core cycles that a read takes from L2 to an idle DRAM and back */
};

/* The terms of the formula and its result. */
struct correction {
    double accesses;    /* lines, or what the formula uses instead */
    double controllers; /* evenly used memory controllers */
    double forward;     /* fwd(i-1) as the formula counts it */
    double received;    /* as in struct correction_reuse */
    double penalty;     /* core cycles that a miss takes longer than a hit */
    double serial;      /* cycles of all misses of a controller, one after the other; only
                           correction:corrected */
    double exposed;     /* cycles by which the launch would have ended earlier if L2 had held
                           all that it reads; only correction:corrected */
    double parallel;    /* sectors that an SM waits for at the same time: its reads from
                           DRAM, divided by the exposed waits of `penalty` cycles; 0 without
                           exposed cycles; only correction:corrected */
    double writes;      /* cycles for evicted sectors; only correction:corrected */
    double delta;       /* cycles that are subtracted */
    double cycles;      /* after the subtraction */
};

/* A formula: a line of the table. */
struct correction_kind {
    struct policy policy;
    bool ideal_l2; /* needs saved_cycles: sim_ideal_l2() */
    void (*make)(const struct correction_input *input, struct correction *correction);
};

extern const struct policy *const correction_kinds[]; /* ends with NULL */

/* Returns the correction called NAME, or NULL. */
const struct correction_kind *correction_find(const char *name);

/* Fills REUSE, one entry for each measured launch of TASK, from the memory-only view of all
 * launches of WORKLOAD up to the last measured one. Nothing is simulated. The cache is
 * CONFIG's L2. Returns 0, 1 if the task's watcher stopped it, or -1 with ERR filled. */
int correction_read(const struct trace_workload *workload, const struct sim_config *config,
                    const struct warmup_task *task, struct correction_reuse *reuse,
                    struct error *err);

/* Sets the members of INPUT that follow from CONFIG. */
void correction_configure(struct correction_input *input, const struct sim_config *config);

/* The sum over the maximum of the bytes of a channel: this many evenly used channels would
 * have moved the same bytes. 1 if no bytes were moved (thesis, section 6.3.1). */
double correction_controllers(const struct correction_input *input);

/* The share of the lines left by a launch of SOURCE lines that a launch of RECEIVER lines
 * finds in an LRU cache of CAPACITY lines, with NEWER lines touched in between. Both launches
 * are assumed to pass over their lines once, in the same order. So the line at fraction u of
 * the pass is touched again after (1 - u) SOURCE + NEWER + u RECEIVER other lines. */
double correction_retained(uint64_t source, uint64_t newer, uint64_t receiver,
                           uint64_t capacity);

void correction_make_thesis(const struct correction_input *input,
                            struct correction *correction);
void correction_make_artifact(const struct correction_input *input,
                              struct correction *correction);
void correction_make_corrected(const struct correction_input *input,
                               struct correction *correction);

/* Addresses of a launch as the thesis's script `reuse` reads them from a memory-only trace in
 * list mode. It takes the width of an access for the number of addresses, reads that many of
 * the active lanes' addresses, and reads 0 where there are fewer. It does not exclude shared
 * memory. */
struct correction_addresses {
    uint64_t *items; /* ascending, without duplicates */
    size_t count, room;
};
/* Reads the addresses of the trace NAME of the list, up to the current launch of PASS. Returns
 * 0, 1 if the pass was stopped, or -1 with ERR filled. */
int correction_addresses_read(struct correction_addresses *addresses, const char *name,
                              const struct warmup_pass *pass, struct error *err);
void correction_addresses_finish(struct correction_addresses *addresses);
/* |FROM and TO| / |FROM|; NAN if FROM is empty. */
double correction_addresses_forward(const struct correction_addresses *from,
                                    const struct correction_addresses *to);

#endif
