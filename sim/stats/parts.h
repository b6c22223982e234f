/* Counters of each SM, L2 slice and DRAM channel (-hearth_parts), made from the table
 * parts.def. */
#ifndef HEARTH_SIM_STATS_PARTS_H
#define HEARTH_SIM_STATS_PARTS_H

#include <stddef.h>
#include <stdint.h>

/* Kinds of parts, as bits. */
enum sim_part_kind { SIM_PART_SM = 1, SIM_PART_SLICE = 2, SIM_PART_CHANNEL = 4 };

enum sim_part_index {
#define PART(name, kinds) SIM_PART_##name,
#include "sim/stats/parts.def"
#undef PART
    SIM_PART_COUNTERS
};

/* The counters of a part; those that its kind does not have are 0. */
struct sim_part {
    uint64_t counts[SIM_PART_COUNTERS];
};

/* One line of the table, for outputs. */
struct sim_part_counter {
    const char *name;
    unsigned kinds; /* bits of enum sim_part_kind */
    size_t offset;  /* in struct sim_counters */
};

extern const struct sim_part_counter sim_part_table[SIM_PART_COUNTERS];

#endif
