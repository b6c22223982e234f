/* Launches that have machine code and facts in the list. */
#ifndef HEARTH_TRACES_SYNTH_HOPPER_CODED_H
#define HEARTH_TRACES_SYNTH_HOPPER_CODED_H

#include "traces/synth/synth.h"
#include "traces/traces.h"

/* Goes through the code of LAUNCH, which has `facts`, as its first and its last block do, and
 * lists its loops that wait, and its facts. Fills FUNCTION, which holds until coded_end(), and
 * returns 0; -1: `failed` is set. */
int coded_begin(struct synth *synth, const struct synth_launch *launch,
                const struct trace_header *header, struct trace_function *function);
void coded_end(struct synth *synth);

#endif
