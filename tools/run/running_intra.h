/* Private to tools/run: a launch that a method samples inside (sampling/intra/intra.h). */
#ifndef HEARTH_TOOLS_RUN_RUNNING_INTRA_H
#define HEARTH_TOOLS_RUN_RUNNING_INTRA_H

#include "tools/run/running.h"

/* Begins to watch LAUNCH, of KERNEL, if its plan asks for it, and adds hooks to HOOKS, whose
 * data is RUNNING. Returns false with RUNNING's error filled. */
bool running_intra_begin(struct running *running, const struct plan_launch *launch,
                         const struct trace_kernel *kernel, struct sim_hooks *hooks);
/* LAUNCH has ended: RUNNING's row gets the projection, and caches what was left out, if the
 * method's options say so. Returns false with RUNNING's error filled, or if a signal stopped
 * it. */
bool running_intra_end(struct running *running, const struct plan_launch *launch);
/* Also of a launch that failed. */
void running_intra_finish(struct running *running);

#endif
