/* What lines of instructions have beyond what simulation reads: which lanes were active, and
 * numbers (docs/file-formats.md). Included by traces.h. Text of a packed workload is made by
 * trace_writer_workload(). */
#ifndef HEARTH_TRACES_EXTRAS_H
#define HEARTH_TRACES_EXTRAS_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/inst.h"

struct trace_extras {
    bool has_active; /* else they are those that executed, if the header has `active_masks` */
    uint32_t active; /* lanes that were active, bit = lane */
    uint8_t number_count; /* 0 to TRACE_MAX_TAIL */
    /* Of BAR: the registers that give its number and threads. Of LDGSTS: addresses in shared
     * memory, of the first lane that executes it and the distance to the next one if there are
     * two, else of each. Of SYNCS and copies of tensors and blocks: registers, in the order of
     * the operands. */
    uint32_t numbers[TRACE_MAX_TAIL];
    const char *failed_at; /* where the line is wrong */
};

/* Fills EXTRAS of LINE, a line of an instruction, which ends with '\n'. Returns NULL, or what
 * was expected at EXTRAS->failed_at. */
const char *trace_extras_read(struct trace_extras *extras, const char *line);

#endif
