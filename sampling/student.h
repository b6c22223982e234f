/* Student's t distribution. */
#ifndef HEARTH_SAMPLING_STUDENT_H
#define HEARTH_SAMPLING_STUDENT_H

/* The t for which a variable of Student's distribution with FREEDOM degrees of freedom lies
 * between -t and t with probability CONFIDENCE, above 0 and below 1: 12.71 for 0.95 and 1
 * degree, 2.228 for 10. FREEDOM is above 0 and may have a fraction; INFINITY gives the normal
 * distribution, NaN gives NaN. */
double student_t(double confidence, double freedom);

/* The probability of a value below -T or above T, for T of at least 0; FREEDOM as above. */
double student_beyond(double t, double freedom);

#endif
