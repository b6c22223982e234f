/* When L2 is flushed between launches: the values of -hearth_flush_at. */
#ifndef HEARTH_SIM_CONFIG_FLUSH_PLACES_H
#define HEARTH_SIM_CONFIG_FLUSH_PLACES_H

#include <stdbool.h>

#include "traces/base/policy.h"

struct flush_place {
    struct policy policy;
    bool start; /* when a launch starts, after the copies before it */
    bool end;   /* when it has ended, before the copies after it */
};

extern const struct policy *const flush_places[]; /* ends with NULL */

#endif
