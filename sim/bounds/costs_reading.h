/* Between the files that read what each block of a launch needs. */
#ifndef HEARTH_SIM_BOUNDS_COSTS_READING_H
#define HEARTH_SIM_BOUNDS_COSTS_READING_H

#include "sim/bounds/block_costs.h"
#include "sim/bounds/warp_path.h"
#include "sim/core/limits.h"

struct costs_reading {
    struct block_costs *costs;
    const struct sim_config *config;
    struct touched *touched;
    bool l1_empty, modern, halves, store_through;
    double issue_cycles; /* of an SM's schedulers for an instruction */
    struct trace_kernel *kernel;
    struct inst_table insts;
    struct path_spec spec;
    struct touched_reader reader;         /* the block */
    struct warp_path paths[SM_MAX_WARPS]; /* of the block's warps */
    double block[BLOCK_VALUES];           /* of the block that is read */
    double busy[BLOCK_RESOURCES]; /* cycle until which its instructions keep a resource busy */
    double begun; /* cycle before which not all of its instructions so far can have issued */
    uint64_t now; /* cycle of the instruction that is added */
    uint32_t block_number; /* from 1 */
    struct error *err;
};

/* Adds what RECORD of a warp, which issues in cycle NOW of its block, needs of the SM; *ACCESS:
 * the data that it waits for. */
void costs_add_record(struct costs_reading *reading, const struct trace_record *record,
                      const struct trace_warp *warp, uint64_t now, struct path_access *access);
/* Adds all of BLOCK. Returns 0 or -1. */
int costs_add_warps(struct costs_reading *reading, struct trace_block *block);

#endif
