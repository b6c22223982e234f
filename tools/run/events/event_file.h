/* events.json: what an SM did in a launch, for the viewers of Chrome and Perfetto ("Trace Event
 * Format"). */
#ifndef HEARTH_TOOLS_RUN_EVENTS_EVENT_FILE_H
#define HEARTH_TOOLS_RUN_EVENTS_EVENT_FILE_H

#include <stdio.h>

#include "tools/run/events/event_spec.h"

/* The events of a launch until they are written. */
struct event_file {
    struct event_spec spec;
    FILE *out; /* NULL: there is no file */
    struct sim_event *events;
    size_t count;
    bool failed, written;
};

/* Keeps EVENT of the launch that is to be written. */
void event_file_take(struct event_file *file, const struct sim_event *event);
/* The launch of KERNEL has ended: writes its events. Returns 0, or -1 with ERR filled. */
int event_file_write(struct event_file *file, const struct trace_kernel *kernel,
                     struct error *err);
void event_file_finish(struct event_file *file);

#endif
