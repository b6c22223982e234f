/* --trace-events: of which launch, SM and cycles the events are written. */
#ifndef HEARTH_TOOLS_RUN_EVENTS_EVENT_SPEC_H
#define HEARTH_TOOLS_RUN_EVENTS_EVENT_SPEC_H

#include <stdint.h>

#include "sim/sim.h"

struct event_spec {
    uint64_t launch; /* number */
    struct sim_event_range range;
};

/* Reads "LAUNCH[:SM[:FROM-TO]]": SM 0, and all cycles, if they are not given; TO is the last
 * cycle. SMS: those of the configuration. Returns 0, or -1 with ERR filled (ERROR_USAGE). */
int event_spec_parse(const char *text, uint64_t sms, struct event_spec *spec,
                     struct error *err);

#endif
