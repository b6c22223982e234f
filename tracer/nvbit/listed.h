// Lines of the list beside launches, and what has none.
#ifndef HEARTH_TRACER_LISTED_H
#define HEARTH_TRACER_LISTED_H

#include "tracer/nvbit/events.h"
#include "tracer/nvbit/state.h"

// Copies, memsets, managed memory and tensor maps.
void list_event(Context &context, const Event &event);
// Says, once for each kind, that EVENT, a call of NAME, is not in the traces.
void say_what_is_missing(const Event &event, const char *name);

#endif
