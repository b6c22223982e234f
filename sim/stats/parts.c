#include "sim/stats/parts.h"

#include "sim/stats/counters.h"

const struct sim_part_counter sim_part_table[SIM_PART_COUNTERS] = {
#define PART(name, kinds) {#name, kinds, offsetof(struct sim_counters, name)},
#include "sim/stats/parts.def"
#undef PART
};
