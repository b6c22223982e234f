/* Parameters of synthetic workloads (parameters.def). Generators ask with synth_parameter(). */
#ifndef HEARTH_TRACES_SYNTH_PARAMETERS_PARAMETERS_H
#define HEARTH_TRACES_SYNTH_PARAMETERS_PARAMETERS_H

#include "traces/synth/synth.h"

/* Whether the parameters in OPTIONS are WORKLOAD's, with values that they can have. Returns 0,
 * or -1 with ERR filled (ERROR_USAGE). */
int parameters_check(const char *workload, const struct trace_synth_options *options,
                     struct error *err);

#endif
