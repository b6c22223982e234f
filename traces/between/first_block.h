/* The code between memory instructions of launches whose headers do not say it. */
#ifndef HEARTH_TRACES_BETWEEN_FIRST_BLOCK_H
#define HEARTH_TRACES_BETWEEN_FIRST_BLOCK_H

#include "traces/between/between.h"
#include "traces/traces.h"

/* Fills BETWEEN, which is empty, with what the first thread block of the launch at PATH shows:
 * the instructions that it executes, whichever branches it takes. OPTIONS are those with which
 * the launch is read, or NULL. Returns 0 or -1. */
int between_of_first_block(struct between *between, const char *path,
                           const struct trace_kernel_options *options, struct error *err);

#endif
