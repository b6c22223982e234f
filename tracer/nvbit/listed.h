// Lines of the list beside launches, and what has none.
#ifndef HEARTH_TRACER_LISTED_H
#define HEARTH_TRACER_LISTED_H

#include "tracer/nvbit/events.h"
#include "tracer/nvbit/state.h"

// Copies, memsets, managed memory and tensor maps: of calls, and of graphs.
void list_event(Context &context, const Event &event);
void list_events(Context &context, const std::vector<Event> &events);
// Lists the tensor maps in the parameters of the launch of EVENT that no call made. Returns all
// that are there: "offset:number,...", as in the list.
std::string list_maps(Context &context, const Event &event);
// Says, once for each NAME, that EVENT, a call of it, is not in the traces.
void say_what_is_missing(const Event &event, const char *name);

#endif
