/* The counters of a simulator's parts: of all launches so far, and of the last one. */
#ifndef HEARTH_SIM_PART_COUNTS_H
#define HEARTH_SIM_PART_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine.h"
#include "sim/stats/parts.h"
#include "traces/base/serialize.h"

/* Empty when zeroed: nothing is counted. Parts are SMs, then L2 slices, then DRAM channels. */
struct part_counts {
    struct sim_part *base, *last; /* COUNT each; owned */
    uint32_t count;
};

/* For the parts of ENGINE. False when memory is short. */
bool part_counts_init(struct part_counts *parts, const struct engine *engine);
void part_counts_finish(struct part_counts *parts);
/* As for an engine that has counted nothing. */
void part_counts_reset(struct part_counts *parts);

/* What ENGINE has counted up to cycle END (see engine_count()) since the last call is that of
 * the last launch. */
void part_counts_take(struct part_counts *parts, const struct engine *engine, uint64_t end);
/* What ENGINE has counted so far belongs to no later launch. */
void part_counts_skip(struct part_counts *parts, const struct engine *engine);

void part_counts_serialize(struct part_counts *parts, struct serializer *image);

#endif
