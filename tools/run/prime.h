/* prime=P of a plan: the first part of a launch is not measured. Meanwhile the caches fill,
 * and the schedulers reach their normal state. */
#ifndef HEARTH_TOOLS_RUN_PRIME_H
#define HEARTH_TOOLS_RUN_PRIME_H

#include <stdbool.h>

#include "sim/sim.h"
#include "tools/run/results/row.h"

#define PRIME_STEPS 512 /* steps that are stored for a launch, at most */
#define PRIME_INTERVAL                                                                         \
    256 /* cycles of the shortest step; doubled whenever there are too many */

/* The counters of a launch at the end of each step. Zeroed at its beginning. */
struct prime {
    struct prime_step {
        uint64_t end; /* cycles since the launch began */
        struct sim_counters counters;
    } * steps; /* owned */
    size_t count;
    uint64_t skipped, every; /* intervals since the last step; intervals per step */
    struct prime_step sum;   /* up to now */
};

/* Adds the next interval of the launch. Returns false if memory is short. */
bool prime_add(struct prime *prime, const struct sim_interval *interval);

/* Subtracts the first part from ROW, whose result is that of the whole launch: everything up
 * to the first step at whose end PERCENT of the launch's warp instructions have been issued,
 * but at most up to the last step but one. The launch latency is subtracted too, if any
 * instruction is. */
void prime_apply(const struct prime *prime, double percent, struct row *row);

void prime_finish(struct prime *prime);

/* Core cycles from when a launch of BLOCKS may start to its first block, with CONFIG's launch
 * latency. They pass once, before the measured part. */
double prime_latency(const struct sim_config *config, uint64_t blocks);
/* The cycles that the launch would have to take, so that PART times the result is the time of
 * the whole launch with LATENCY, if the measured part took CYCLES. PART is the ratio of the
 * whole launch to the measured part, 1 if all is measured. */
double prime_cycles(double cycles, double part, double latency);

#endif
