/* Parts of compositions with the names that Accel-Sim's launcher gives them. */
#ifndef HEARTH_TOOLS_SWEEP_SPEC_LAUNCHER_PARTS_H
#define HEARTH_TOOLS_SWEEP_SPEC_LAUNCHER_PARTS_H

#include "sim/config.h"
#include "tools/sweep/spec/sweep_spec.h"

/* Adds what PART means on CARD, a configuration, to VALUES of SPEC, in any case of letters.
 * Returns 1, 0 if there is no such part, or -1 with ERR filled. */
int launcher_parts_add(struct sweep_spec *spec, struct sweep_names *values,
                       const struct sim_config *card, const char *part, struct error *err);

#endif
