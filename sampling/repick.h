/* Other representatives for strata that are there. Private to sampling. */
#ifndef HEARTH_SAMPLING_REPICK_H
#define HEARTH_SAMPLING_REPICK_H

#include "sampling/sampling.h"

/* Words of --representative. */
enum repick { REPICK_OWN, REPICK_FIRST, REPICK_RANDOM, REPICK_CENTROID };

/* Replaces the representative of each stratum of SELECTION, which has one each,
 * as the option says: the first launch, one at random, or the first of those
 * whose instruction count is nearest to the mean of the stratum's. */
void repick(const struct sampling_input *input, struct sampling *selection);

/* Replaces the representatives of each stratum by as many launches as --draws says, or all that
 * it has, drawn at random without replacement. Returns 0, or -1 with ERR filled. */
int redraw(const struct sampling_input *input, struct sampling *selection, struct error *err);

#endif
