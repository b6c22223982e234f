/* Traces of launches, opened as the simulator wants them. */
#ifndef HEARTH_TOOLS_RUN_TRACED_H
#define HEARTH_TOOLS_RUN_TRACED_H

#include "sim/sim.h"
#include "tools/run/notes.h"
#include "tools/run/plan/plan.h"
#include "traces/traces.h"

/* Options for a launch that is executed as MODE: functional ones need less of it. */
struct trace_kernel_options traced_options(enum plan_mode mode);
/* Opens the trace at PATH, of WORKLOAD, which SIM executes as MODE; otherwise OPTIONS count.
 * The caller closes it (trace_kernel_close()). NULL with ERR filled. */
struct trace_kernel *traced_open(const char *path, const struct trace_workload *workload,
                                 const struct sim *sim, enum plan_mode mode,
                                 struct trace_kernel_options options, struct error *err);
/* Takes the notes on KERNEL, which SIM has read to its end, and whose launch has COUNTERS. */
void traced_notes(struct notes *notes, const struct sim *sim, const struct trace_kernel *kernel,
                  const struct sim_counters *counters);

#endif
