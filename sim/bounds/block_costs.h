/* What each block of a launch needs of its SM at least. */
#ifndef HEARTH_SIM_BOUNDS_BLOCK_COSTS_H
#define HEARTH_SIM_BOUNDS_BLOCK_COSTS_H

#include "sim/bounds/bounds.h"
#include "sim/bounds/touched.h"

/* The resources of an SM come first in enum bound_limit; after them, the longest warp. */
#define BLOCK_RESOURCES BOUND_PLACES
#define BLOCK_PATH      BLOCK_RESOURCES
#define BLOCK_VALUES    (BLOCK_RESOURCES + 1)

struct block_costs {
    size_t count, capacity;
    float
        *values[BLOCK_VALUES]; /* of each block: cycles of each resource, of its longest warp */
    uint64_t sent;             /* sectors and atomics that leave SMs */
    uint32_t places;           /* that an SM has for blocks */
    uint32_t warps;            /* of a block */
};

/* Reads the launch that WORKLOAD's list calls NAME: first what it touches, into TOUCHED, then
 * its blocks. COSTS is zeroed. Returns 0, or -1 with ERR; block_costs_finish() either way. */
int block_costs_read(struct block_costs *costs, const struct sim_config *config,
                     struct touched *touched, bool l1_empty,
                     const struct trace_workload *workload, const char *name,
                     struct error *err);
void block_costs_finish(struct block_costs *costs);

#endif
