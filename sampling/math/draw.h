/* Random draws in addition to those of traces/base/random.h. */
#ifndef HEARTH_SAMPLING_MATH_DRAW_H
#define HEARTH_SAMPLING_MATH_DRAW_H

#include "traces/base/random.h"

/* From the normal distribution of mean 0 and deviation 1. */
double draw_normal(struct random *random);
/* Puts 0 to COUNT - 1 into ORDER, in a random order. */
void draw_order(struct random *random, size_t *order, size_t count);

#endif
