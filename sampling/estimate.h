/* Extrapolation: totals of an application from the measured launches, and their error bars.
 *
 * A total is the sum of scale x value over the measured launches; a ratio is one total over
 * another. If launches were drawn at random, without replacement, the spread within strata
 * gives the error of the total: stratified sampling with the finite population correction. If
 * a stratum is scaled by its size (instructions), residuals are those of the ratio estimator.
 * Ratios use linearised residuals. Degrees of freedom follow Satterthwaite's formula, and the
 * interval uses Student's t. See W. G. Cochran, "Sampling Techniques", 3rd edition, sections
 * 5.4, 5.5, 6.3 and 6.11. Launches of a stratum may have been drawn with unlike probabilities:
 * their scales go with one over these (section 9A.3; J. Hajek, "Asymptotic theory of rejective
 * sampling with varying probabilities from a finite population", 1964). The error of cold
 * starts is not included: no random draw averages it out.
 *
 * There is no error bar (NaN) if launches were not drawn only at random, or if only one of
 * several launches of a stratum was measured: nothing is then known about the spread. */
#ifndef HEARTH_SAMPLING_ESTIMATE_H
#define HEARTH_SAMPLING_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

/* The measured launches of a stratum. */
struct sampling_draw {
    double launches; /* in the stratum, measured or not; at least `count` */
    size_t first;    /* its measured launches start at values[first] */
    size_t count;    /* measured launches, at least 1 */
    double spread; /* standard deviation (divisor launches - 1) of the launches' times over the
                      mean of the measured ones', from the method's profile; NaN: unknown */
};

/* How the measured launches were chosen. Nothing is owned. */
struct sampling_design {
    const struct sampling_draw *draws;
    size_t count;         /* number of strata */
    const double *scales; /* for each measured launch, at least 0 */
    const double *sizes;  /* for each measured launch, what its stratum is scaled by:
                             instructions, times or estimates; NULL: by launches */
    bool random;          /* launches were drawn at random within each stratum */
    double confidence;    /* of error bars, above 0 and below 1 */
};

struct sampling_estimate {
    double value;
    double error; /* half of the interval's width; 0: all launches were measured, or nothing
                     varies; NaN: no error bar */
};

/* The total of VALUES, one for each measured launch. TIME: the values are times; the spread
 * from the profile is then used for strata with one measured launch, and for others that are
 * scaled by launches if it is greater than the one that was measured. */
struct sampling_estimate sampling_total(const struct sampling_design *design,
                                        const double *values, bool time);
/* The total of PARTS over that of WHOLES. RESIDUALS: room for one number per measured launch.
 * The value is 0 if the total of WHOLES is not above 0. */
struct sampling_estimate sampling_ratio(const struct sampling_design *design,
                                        const double *parts, const double *wholes,
                                        double *residuals);

#endif
