/* Writes the list of launches that a tracer must trace for a sample. */
#ifndef HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_LIST_H
#define HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_LIST_H

#include <stdbool.h>
#include <stdio.h>

#include "sampling/sampling.h"

/* Launches before each representative that are also traced, to warm it. */
struct sample_warm {
    uint64_t count;
    bool memory; /* only their memory accesses */
};

/* Writes the launches to trace: a line of numbers and ranges of those that are traced
 * completely and, after "memory", those that only warm. */
int sample_list_write(const struct sampling *selection, const struct sample_warm *warm,
                      FILE *out, struct error *err);

#endif
