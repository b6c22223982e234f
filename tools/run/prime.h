/* The first part of a launch left out of what is measured: prime=P of a plan. Caches fill in
 * it, and the scheduler comes into its stride. */
#ifndef HEARTH_TOOLS_RUN_PRIME_H
#define HEARTH_TOOLS_RUN_PRIME_H

#include <stdbool.h>

#include "sim/sim.h"
#include "tools/run/results/row.h"

#define PRIME_STEPS 512 /* stretches that are kept of a launch, at most */
#define PRIME_INTERVAL                                                                         \
    256 /* cycles of the shortest; twice as long whenever they become too many */

/* What has happened in a launch up to the end of each stretch. Zeroed at its beginning. */
struct prime {
    struct prime_step {
        uint64_t end; /* cycles since the launch began */
        struct sim_counters counters;
    } * steps; /* owned */
    size_t count;
    uint64_t skipped, every; /* intervals since the last stretch; of each */
    struct prime_step sum;   /* up to now */
};

/* Takes the next interval of the launch. False when memory is short. */
bool prime_add(struct prime *prime, const struct sim_interval *interval);

/* Takes what happened before the first stretch at whose end PERCENT of the launch's warp
 * instructions have been issued off ROW, whose result is that of the whole launch; at most
 * up to the last stretch but one. The launch latency goes with it, unless no instruction does.
 */
void prime_apply(const struct prime *prime, double percent, struct row *row);

void prime_finish(struct prime *prime);

/* Core cycles from when a launch of BLOCKS may start up to its first block, with CONFIG's
 * launch latency. They pass once, in front of the part that is measured. */
double prime_latency(const struct sim_config *config, uint64_t blocks);
/* What the launch would have to take for each of what is measured of it, which took CYCLES, so
 * that PART times that is all of it with LATENCY; PART is what all of it has over what is
 * measured, 1 where that is the same. */
double prime_cycles(double cycles, double part, double latency);

#endif
