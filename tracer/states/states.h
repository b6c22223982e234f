/* States of L2 before the launches that are traced, of one context: each launch goes into a
 * packed file of its own, only what accesses memory, and from there to a thread.
 *
 * What fails here costs the states, not the traces: it is kept for tracer_states_report(), and
 * from then on there are no states. */
#ifndef HEARTH_TRACER_STATES_STATES_H
#define HEARTH_TRACER_STATES_STATES_H

#include "tracer/states/state_worker.h"
#include "traces/traces.h"

struct tracer_states;

/* The states go to FOLDER/states<INFIX>, those of variant N of CONFIGS to that name with .N.
 * Returns NULL with ERR filled. */
struct tracer_states *tracer_states_create(const struct state_configs *configs,
                                           const char *folder, const char *infix,
                                           struct error *err);
/* Accepts NULL. Leaves out what is not done yet. */
void tracer_states_destroy(struct tracer_states *states);

/* Where the launch of HEADER goes that begins now; NULL: nowhere, something failed before. */
struct trace_sink *tracer_states_begin(struct tracer_states *states,
                                       const struct trace_header *header);
/* The launch has ended. SAVE: the states before it are wanted. EXECUTE: others follow. */
void tracer_states_end_launch(struct tracer_states *states, bool save, bool execute);
/* Writing to that sink failed: ERR says why, and is emptied. */
void tracer_states_fail(struct tracer_states *states, struct error *err);

/* A copy from the host or on the device, after the launches so far. */
void tracer_states_copy(struct tracer_states *states, uint64_t address, uint64_t bytes,
                        bool on_device);

/* Waits until all states are written. */
void tracer_states_wait(struct tracer_states *states);
/* Returns 0, or -1 with ERR filled, once, when something failed. */
int tracer_states_report(struct tracer_states *states, struct error *err);

#endif
