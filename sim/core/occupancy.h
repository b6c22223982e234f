/* How many blocks of a launch an SM holds, and what is left for L1. */
#ifndef HEARTH_SIM_CORE_OCCUPANCY_H
#define HEARTH_SIM_CORE_OCCUPANCY_H

#include <stdint.h>

#include "sim/config.h"
#include "sim/core/launch.h"
#include "traces/traces.h"

struct occupancy {
    uint32_t blocks; /* an SM at once */
    uint32_t block_warps;
    struct sm_needs needs; /* of a block; registers as they are counted */
    uint32_t l1_ways;
    bool l1_on_fill; /* L1 takes lines when data come, not at the miss */
};

/* The least of threads, registers (rounded up to 4 a thread), shared memory
 * and blocks; then cut to ceil(blocks / SMs) for grids that do not fill the
 * GPU. The unified memory that the blocks leave goes to L1, in the steps of
 * -gpgpu_shmem_option. Returns 0, or -1 with ERR (ERROR_USAGE) when not even one block fits. */
int occupancy_compute(struct occupancy *occupancy, const struct sim_config *config,
                      const struct trace_header *header, struct error *err);

#endif
