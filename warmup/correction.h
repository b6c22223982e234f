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

/* What the traces show about a launch and the launches before it. Shares are from 0 to 1. */
struct correction_reuse {
    double forward;          /* fwd(i-1): the share of the previous launch's addresses that
                                this launch touches; 0 for the first launch, NAN if the
                                previous launch touches none */
    double forward_artifact; /* the same as the thesis's scripts count it */
    uint64_t lines;  /* 128-byte lines that the launch touches and that those copies do not
                        bring: they miss when the launch starts cold */
    uint64_t copies; /* from the host, just before the launch */
};

/* The input of a correction. */
struct correction_input {
    struct correction_reuse reuse;
    uint64_t cycles;                               /* of the cold launch */
    uint64_t channel_bytes, busiest_channel_bytes; /* of struct sim_result */
    uint32_t line;                                 /* bytes of an L2 line */
    uint32_t dram_latency, l2_latency;             /* -dram_latency, -gpgpu_l2_rop_latency */
};

/* The terms of the formula and its result. */
struct correction {
    double accesses;    /* lines, or what the formula uses instead */
    double controllers; /* evenly used memory controllers */
    double forward;     /* fwd(i-1) as the formula counts it */
    double penalty;     /* core cycles that a miss takes longer than a hit */
    double delta;       /* cycles that are subtracted */
    double cycles;      /* after the subtraction */
};

/* A formula: a line of the table. */
struct correction_kind {
    struct policy policy;
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

void correction_make_thesis(const struct correction_input *input,
                            struct correction *correction);
void correction_make_artifact(const struct correction_input *input,
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
