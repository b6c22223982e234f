/* Options of sampling methods that depend on the card that will be simulated. */
#ifndef HEARTH_TOOLS_RUN_SAMPLE_SAMPLE_CARD_H
#define HEARTH_TOOLS_RUN_SAMPLE_SAMPLE_CARD_H

#include "sampling/sampling.h"
#include "tools/run/run.h"

/* Sets the options of METHOD that OPTIONS leave to the card: the cores, if they are 0. The card
 * is that of `configs` and `sets` of CARD. Returns 0, or -1 with ERR filled. */
int sample_card_apply(struct sampling_options *options, const struct sampling_method *method,
                      const struct run_request *card, struct error *err);

#endif
