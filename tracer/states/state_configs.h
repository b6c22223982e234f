/* The configurations whose L2 get states while an application is traced: TRACE_STATES. */
#ifndef HEARTH_TRACER_STATES_STATE_CONFIGS_H
#define HEARTH_TRACER_STATES_STATE_CONFIGS_H

#include <stddef.h>

#include "sim/config.h"
#include "traces/base/error.h"

#define STATE_CONFIGS_MOST 16

/* Zeroed: none. */
struct state_configs {
    struct sim_config *items[STATE_CONFIGS_MOST];
    size_t count;
};

/* Reads "SOURCE[,SOURCE]... [VARIANT]...": names of bundled configurations or paths of option
 * files, then for each further configuration what differs: NAME=VALUE, or an option file.
 * Returns 0, or -1 with ERR filled (ERROR_USAGE) and nothing to finish. */
int state_configs_init(struct state_configs *configs, const char *text, struct error *err);
void state_configs_finish(struct state_configs *configs);

#endif
