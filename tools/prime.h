/* The first part of a launch left out of what is measured: prime=P of a plan. Caches fill in
 * it, and the scheduler comes into its stride. */
#ifndef HEARTH_TOOLS_PRIME_H
#define HEARTH_TOOLS_PRIME_H

#include <stdbool.h>

#include "sim/sim.h"
#include "tools/row.h"

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
 * up to the last stretch but one. */
void prime_apply(const struct prime *prime, double percent, struct row *row);

void prime_finish(struct prime *prime);

#endif
