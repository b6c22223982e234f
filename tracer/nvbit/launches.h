// Launches, from the driver's events to the tracer.
#ifndef HEARTH_TRACER_LAUNCHES_H
#define HEARTH_TRACER_LAUNCHES_H

#include "tracer/nvbit/events.h"
#include "tracer/nvbit/state.h"

// Instruments FUNC and what it calls. Returns 0, or -1 and has said why.
int instrument(Context &context, CUcontext ctx, CUfunction func);
// Counts a launch, and sees to it that the GPU sends what is wanted of it. HANDLE
// is of a graph's node, else 0.
void begin(Context &context, CUcontext ctx, const Event &event, uint64_t handle);
// A kernel that a graph will launch. What of it is wanted is told at each launch.
void prepare(Context &context, CUcontext ctx, CUfunction func);
// All launches that are open have ended: the GPU is idle. If the driver REFUSED,
// they did not run; of a deaf context they are dropped likewise.
void end(Context &context, CUstream stream, bool refused);

#endif
