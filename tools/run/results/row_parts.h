/* parts.csv: counters of each SM, L2 slice and DRAM channel in each launch
 * (sim/stats/parts.h). */
#ifndef HEARTH_TOOLS_RUN_RESULTS_ROW_PARTS_H
#define HEARTH_TOOLS_RUN_RESULTS_ROW_PARTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/sim.h"

struct row_parts_item {
    enum sim_part_kind kind;
    uint32_t number; /* among the parts of its kind, from 0 */
    struct sim_part part;
};

/* The parts of a launch: empty unless they are counted separately. */
struct row_parts {
    struct row_parts_item *items; /* owned */
    size_t count;
};

/* Accepts a zeroed struct, which is empty. */
void row_parts_finish(struct row_parts *parts);

/* Adds the next part. Returns false if memory is short. */
bool row_parts_add(struct row_parts *parts, const struct row_parts_item *item);
/* Copies the parts of SIM's last launch. PARTS must be empty. Returns false if memory is
 * short. */
bool row_parts_keep(struct row_parts *parts, const struct sim *sim);

/* Writes the line with the names of the columns, or a line for each part in step STEP of the
 * plan, which is launch LAUNCH of the workload. A counter that a part does not have is
 * empty. */
void row_parts_write_head(FILE *out);
void row_parts_write(const struct row_parts *parts, uint64_t step, uint64_t launch, FILE *out);

#endif
