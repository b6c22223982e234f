/* What a trace says of its launch: counts, and the basic blocks of its
 * warps. */
#ifndef HEARTH_TRACES_PROFILE_MEASURE_H
#define HEARTH_TRACES_PROFILE_MEASURE_H

#include "traces/profile.h"
#include "traces/profile/warp_types.h"
#include "traces/traces.h"

/* One thread block. */
struct measured_block {
    uint64_t number; /* x + grid_x * (y + grid_y * z) */
    uint64_t warp_insts, thread_insts, mem_requests;
};

struct measure {
    const struct trace_header *header;
    struct profile_row row; /* counts so far, without what is known of it */
    struct measured_block *blocks;
    size_t block_count, block_capacity;
    struct warp_types types;
    uint64_t every;      /* warps looked at for types: one of this many; 0 = none */
    uint32_t pc_step;    /* bytes of an instruction */
    uint8_t *ends;       /* by instruction: the basic block ends with it */
    uint32_t inst_count; /* of `ends` */
    uint32_t inst_capacity;
};

/* Reads all blocks of KERNEL. Returns 0, or -1 with ERR filled. */
int measure_kernel(struct measure *measure, struct trace_kernel *kernel, struct error *err);

/* Counts one record of a thread block. */
void measure_record(struct measure *measure, const struct trace_record *record,
                    const struct trace_inst *inst, const uint64_t *addresses,
                    struct measured_block *block);

/* The sectors that an access to local memory touches. Local memory is
 * interleaved by thread, as in Accel-Sim: the same 4-byte word of 8 threads
 * side by side is a sector. */
unsigned measure_local_sectors(const struct trace_record *record, const struct trace_inst *inst,
                               const uint64_t *addresses);

#endif
