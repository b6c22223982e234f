#include "sampling/estimate.h"

#include <math.h>

#include "sampling/student.h"

/* For a total: its variance, and the sum over strata of squared variance over degrees of
 * freedom. */
struct variance {
    double sum, squares;
    bool partial; /* some launches were not measured */
};

static double total(const struct sampling_design *design, const double *values)
{
    double sum = 0;
    for (size_t s = 0; s < design->count; s++)
        for (size_t i = 0; i < design->draws[s].count; i++) {
            size_t at = design->draws[s].first + i;
            sum += design->scales[at] * values[at];
        }
    return sum;
}

static double size_of(const struct sampling_design *design, size_t at)
{
    return design->sizes != NULL ? design->sizes[at] : 1;
}

/* What is known of DRAW. */
struct known {
    double weight; /* sum of the scales */
    double rate;   /* scaled values over scaled sizes */
    double mean;   /* of the values */
};

static struct known known_of(const struct sampling_design *design,
                             const struct sampling_draw *draw, const double *values)
{
    struct known known = {0};
    double sum = 0, sizes = 0;
    for (size_t i = draw->first; i < draw->first + draw->count; i++) {
        known.weight += design->scales[i];
        sum += design->scales[i] * values[i];
        sizes += design->scales[i] * size_of(design, i);
        known.mean += values[i] / (double)draw->count;
    }
    known.rate = sizes > 0 ? sum / sizes : 0;
    return known;
}

/* The finite population correction of a launch with SCALE: one minus the probability with which
 * it was drawn. This goes with one over the scale; the sum of the inverses estimates the number
 * of launches. */
static double left_out(const struct sampling_draw *draw, const struct known *known,
                       double scale)
{
    return scale > 0 ? fmax(0, 1 - known->weight / draw->launches / scale) : 0;
}

/* The sum of squares of what the rate leaves: scaled, without what is certain. */
static double squares_left(const struct sampling_design *design,
                           const struct sampling_draw *draw, const struct known *known,
                           const double *values)
{
    double squares = 0;
    for (size_t i = draw->first; i < draw->first + draw->count; i++) {
        double scale = design->scales[i];
        double left = scale * (values[i] - known->rate * size_of(design, i));
        squares += left_out(draw, known, scale) * left * left;
    }
    return squares;
}

/* The variance from the spread of the times in the profile. It counts for times of launches
 * that were all equally likely, and do not follow sizes. */
static double variance_shown(const struct sampling_design *design,
                             const struct sampling_draw *draw, const struct known *known)
{
    double n = (double)draw->count, off = known->weight * known->mean * draw->spread;
    return design->sizes == NULL || n < 2 ? (1 - n / draw->launches) * off * off / n : NAN;
}

/* Adds what the stratum of DRAW contributes to the variance of a total of VALUES. Few launches
 * of a skewed population may all be short: if the profile's times have a greater spread than
 * those that were measured, it counts. */
static void add_stratum(struct variance *variance, const struct sampling_design *design,
                        const struct sampling_draw *draw, const double *values, bool time)
{
    double n = (double)draw->count;
    if (n >= draw->launches)
        return;
    const struct known known = known_of(design, draw, values);
    double shown = time ? variance_shown(design, draw, &known) : NAN;
    variance->partial = true;
    if (n < 2) {
        variance->sum += shown;
        return;
    }
    double part = squares_left(design, draw, &known, values) * n / (n - 1), freedom = n - 1;
    if (shown > part) {
        part = shown;
        freedom = draw->launches - 1;
    }
    variance->sum += part;
    variance->squares += part * part / freedom;
}

static double error_of(const struct sampling_design *design, const double *values, bool time)
{
    struct variance variance = {0};
    for (size_t s = 0; s < design->count; s++)
        add_stratum(&variance, design, &design->draws[s], values, time);
    if (!variance.partial)
        return 0;
    if (!design->random)
        return NAN;
    double freedom =
        variance.squares > 0 ? variance.sum * variance.sum / variance.squares : INFINITY;
    return student_t(design->confidence, freedom) * sqrt(variance.sum);
}

struct sampling_estimate sampling_total(const struct sampling_design *design,
                                        const double *values, bool time)
{
    return (struct sampling_estimate){total(design, values), error_of(design, values, time)};
}

struct sampling_estimate sampling_ratio(const struct sampling_design *design,
                                        const double *parts, const double *wholes,
                                        double *residuals)
{
    double whole = total(design, wholes);
    if (!(whole > 0))
        return (struct sampling_estimate){0, NAN};
    double ratio = total(design, parts) / whole;
    for (size_t s = 0; s < design->count; s++)
        for (size_t i = 0; i < design->draws[s].count; i++) {
            size_t at = design->draws[s].first + i;
            residuals[at] = parts[at] - ratio * wholes[at];
        }
    return (struct sampling_estimate){ratio, error_of(design, residuals, false) / whole};
}
