/* Counters of a launch, made from the table counters.def. All are additive: those of several
 * launches are their sums. */
#ifndef HEARTH_SIM_STATS_COUNTERS_H
#define HEARTH_SIM_STATS_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

struct sim_counters {
#define COUNTER(name, unit, description, nsight) uint64_t name;
#include "sim/stats/counters.def"
#undef COUNTER
};

/* One line of the table, for outputs. */
struct sim_counter {
    const char *name;
    const char *unit;
    const char *description;
    const char *nsight; /* Nsight Compute's metric of the same meaning; "" for none */
    size_t offset;      /* of its uint64_t in struct sim_counters */
};

extern const struct sim_counter sim_counter_table[];
extern const size_t sim_counter_count;

/* The value of counter INDEX of the table. */
uint64_t sim_counter_get(const struct sim_counters *counters, size_t index);
void sim_counter_set(struct sim_counters *counters, size_t index, uint64_t value);
/* SUM += PART, and SUM -= PART, counter by counter. */
void sim_counters_add(struct sim_counters *sum, const struct sim_counters *part);
void sim_counters_subtract(struct sim_counters *sum, const struct sim_counters *part);

#endif
