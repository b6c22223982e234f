/* Extrapolation: totals of an application from the launches that were measured, and how far
 * off they may be by the luck of the draw.
 *
 * A total is the sum of scale x value over the measured launches, a ratio one total over
 * another. Where launches were drawn at random, without replacement, their spread within
 * strata says how far the total may be off: stratified sampling with the finite population
 * correction, and where a stratum is scaled by its size (instructions) the ratio estimator's
 * residuals; ratios by their linearised residuals; degrees of freedom by Satterthwaite's
 * formula, Student's t for them. After W. G. Cochran, "Sampling Techniques", 3rd edition,
 * sections 5.4, 5.5, 6.3 and 6.11. Nothing is said of cold start, which no draw averages out.
 *
 * No error bar (NaN) where chance alone did not choose, or a stratum has one measured launch of
 * several: what that launch is not like, nobody knows. */
#ifndef HEARTH_SAMPLING_ESTIMATE_H
#define HEARTH_SAMPLING_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

/* The measured launches of a stratum. */
struct sampling_draw {
    double launches; /* of the stratum, measured or not; at least `count` */
    size_t first;    /* its measured launches: values[first] and on */
    size_t count;    /* of them, at least 1 */
    double spread;   /* standard deviation (divisor launches - 1) over mean of the launches'
                        times, as known to the method from its profile; NaN: not known */
};

/* How the measured launches were chosen. Nothing is owned. */
struct sampling_design {
    const struct sampling_draw *draws;
    size_t count;         /* strata */
    const double *scales; /* of each measured launch, at least 0 */
    const double *sizes; /* of each, what its stratum is scaled by: instructions; NULL: launches
                            count alike */
    bool random;         /* launches were drawn at random within each stratum */
    double confidence;   /* of error bars, above 0 and below 1 */
};

struct sampling_estimate {
    double value;
    double error; /* half of the interval's width; 0: all of it was measured, or nothing
                     varies; NaN: no error bar */
};

/* The total of VALUES, one a measured launch. TIME: they are times, for which the spread of the
 * profile serves where a stratum has one measured launch. */
struct sampling_estimate sampling_total(const struct sampling_design *design,
                                        const double *values, bool time);
/* The total of PARTS over that of WHOLES. RESIDUALS: room for one number a measured launch. The
 * value is 0 where the total of WHOLES is not above 0. */
struct sampling_estimate sampling_ratio(const struct sampling_design *design,
                                        const double *parts, const double *wholes,
                                        double *residuals);

#endif
