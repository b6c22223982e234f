/* hearth run --bounds. */
#ifndef HEARTH_TOOLS_COMMANDS_RUN_BOUNDS_H
#define HEARTH_TOOLS_COMMANDS_RUN_BOUNDS_H

#include "tools/run/run.h"

/* Prints the lower bound of each measured launch of RESULTS, which are those of the workload or
 * plan TARGET, beside its cycles. Reads the traces again. Returns 0, or -1 with ERR. */
int run_bounds_print(const struct results *results, const char *target, struct error *err);

#endif
