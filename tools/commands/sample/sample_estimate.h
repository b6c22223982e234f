/* hearth sample --estimate. */
#ifndef HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_ESTIMATE_H
#define HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_ESTIMATE_H

#include "sampling/sampling.h"

/* Scales SELECTION by estimates of all launches of its profile on CARD, a bundled name or an
 * option file (sampling_regress()). Returns 0, or -1 with ERR. */
int sample_estimate(struct sampling *selection, const char *card, struct error *err);

#endif
