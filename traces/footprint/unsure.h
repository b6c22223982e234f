/* Sectors that records access whose lanes may do nothing. */
#ifndef HEARTH_TRACES_FOOTPRINT_UNSURE_H
#define HEARTH_TRACES_FOOTPRINT_UNSURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/inst.h"

struct trace_reuse;

/* Empty when zeroed. */
struct unsure {
    uint64_t *sectors; /* in any order and several times, until unsure_end() */
    size_t count, capacity;
};

void unsure_finish(struct unsure *unsure);

/* Adds the sectors of RECORD, of the current launch, that nothing has touched so far. Returns
 * false when memory ran out. */
bool unsure_add(struct trace_reuse *reuse, const struct trace_record *record,
                const struct trace_inst *inst, const uint64_t *addresses);
/* At the end of a launch: sorts the sectors, each once, without those that have been touched
 * after they were added. */
void unsure_end(struct trace_reuse *reuse);
/* The order of two sectors, for qsort(). */
int unsure_order(const void *a, const void *b);

#endif
