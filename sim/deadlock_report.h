/* What a deadlocked launch waits for. */
#ifndef HEARTH_SIM_DEADLOCK_REPORT_H
#define HEARTH_SIM_DEADLOCK_REPORT_H

#include "sim/engine.h"
#include "traces/traces.h"

/* Lines of text, one for each waiting warp up to a limit; the caller frees
 * them. NULL when memory is short. */
char *deadlock_report(const struct engine *engine, uint64_t now);

#endif
