/* Student's t distribution. Private to sampling. */
#ifndef HEARTH_SAMPLING_STUDENT_H
#define HEARTH_SAMPLING_STUDENT_H

/* The t for which a variable of Student's distribution with FREEDOM degrees of freedom (above
 * 0, not only whole ones; INFINITY: the normal distribution; NaN: the result is NaN) lies
 * between -t and t with probability CONFIDENCE, above 0 and below 1: 12.71 for 0.95 and 1
 * degree, 2.228 for 10. */
double student_t(double confidence, double freedom);

#endif
