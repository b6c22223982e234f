/* Replaces the representatives of existing strata. Private to sampling. */
#ifndef HEARTH_SAMPLING_REPICK_H
#define HEARTH_SAMPLING_REPICK_H

#include "sampling/sampling.h"

/* The words of --representative. */
enum repick { REPICK_OWN, REPICK_FIRST, REPICK_RANDOM, REPICK_CENTROID };

/* Replaces the representative of each stratum of SELECTION (which has one each) as the option
 * says: by the first launch, a random launch, or the first of the launches whose instruction
 * count is nearest to the stratum's mean. */
void repick(const struct sampling_input *input, struct sampling *selection);

/* Replaces the representatives of each stratum by launches drawn at random without
 * replacement: as many as --draws says, or all. Returns 0, or -1 with ERR filled. */
int redraw(const struct sampling_input *input, struct sampling *selection, struct error *err);

#endif
