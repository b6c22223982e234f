/* The normal distribution. Private to sampling. */
#ifndef HEARTH_SAMPLING_NORMAL_H
#define HEARTH_SAMPLING_NORMAL_H

/* The z for which a normal variable lies within z standard deviations of its
 * mean with probability CONFIDENCE, above 0 and below 1: 1.96 for 0.95. */
double normal_z(double confidence);

#endif
