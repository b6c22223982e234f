/* What one SM does in a launch, for the hook sm_event. */
#ifndef HEARTH_SIM_WATCH_SM_EVENTS_H
#define HEARTH_SIM_WATCH_SM_EVENTS_H

#include "sim/engine.h"
#include "sim/sim.h"

struct sm_events;

/* Observes the SM of HOOKS for a launch that starts at cycle START. NULL when memory is short.
 */
struct sm_events *sm_events_create(struct engine *engine, const struct sim_hooks *hooks,
                                   uint64_t start);
/* Tells the hook of what has ended since the last call. Call it while no SM runs. Accepts
 * NULL. */
void sm_events_tell(struct sm_events *events);
/* The launch has ended: also tells of what has not, as if it ended now. Returns -1 if memory
 * was short for some event. Accepts NULL. */
int sm_events_end(struct sm_events *events);
/* While the SM exists. Accepts NULL. */
void sm_events_destroy(struct sm_events *events);

#endif
