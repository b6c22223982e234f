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
    uint64_t first[BLOCK_RESOURCES]; /* cycle of a block before which none uses a resource */
    uint64_t first_access; /* cycle of a block before which none accesses global memory */
    double stores;         /* sectors of stores that leave SMs */
    uint64_t atomics;      /* sectors of atomics that leave SMs and are waited for */
    uint64_t posted;       /* sectors of atomics that nobody waits for */
    bool beside;           /* work goes on beside warps, with accesses of its own */
    uint32_t dram;         /* cycles that data from DRAM take at least */
    uint32_t places;       /* that an SM has for blocks */
    uint32_t warps;        /* of a block */
};

/* Reads the launch that WORKLOAD's list calls NAME: first what it touches, into TOUCHED, then
 * its blocks. COSTS is zeroed; of an empty launch, `first` and `first_access` are UINT64_MAX.
 * Returns 0, or -1 with ERR; block_costs_finish() either way. */
int block_costs_read(struct block_costs *costs, const struct sim_config *config,
                     struct touched *touched, bool l1_empty,
                     const struct trace_workload *workload, const char *name,
                     struct error *err);
void block_costs_finish(struct block_costs *costs);

#endif
