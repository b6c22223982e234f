#include "sampling/estimate.h"

#include <math.h>

#include "sampling/student.h"

#define FREEDOM 0.75 /* degrees of freedom of a difference; they overlap */

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

/* The sum of VALUES over the measured launches (NULL: their number). */
static double sum_of(const struct sampling_draw *draw, const double *values)
{
    double sum = 0;
    for (size_t i = 0; values != NULL && i < draw->count; i++)
        sum += values[draw->first + i];
    return values != NULL ? sum : (double)draw->count;
}

/* The squares of what RATE leaves of the values of a stratum, scaled. */
static double squares_left(const struct sampling_design *design,
                           const struct sampling_draw *draw, const double *values, double rate)
{
    double squares = 0;
    for (size_t i = 0; i < draw->count; i++) {
        size_t at = draw->first + i;
        double size = design->sizes != NULL ? design->sizes[at] : 1;
        double left = design->scales[at] * (values[at] - rate * size);
        squares += left * left;
    }
    return squares;
}

/* The sum of squared residuals: scale x value, minus the stratum's mean or its value per
 * instruction. */
static double squares_of(const struct sampling_design *design, const struct sampling_draw *draw,
                         const double *values)
{
    double sizes = sum_of(draw, design->sizes);
    return squares_left(design, draw, values, sizes > 0 ? sum_of(draw, values) / sizes : 0);
}

/* Adds what the stratum of DRAW contributes to the variance of a total of VALUES. */
static void add_stratum(struct variance *variance, const struct sampling_design *design,
                        const struct sampling_draw *draw, const double *values, bool time)
{
    double n = (double)draw->count, left_out = 1 - n / draw->launches;
    if (n >= draw->launches)
        return;
    variance->partial = true;
    if (n < 2) {
        double off = design->scales[draw->first] * values[draw->first] * draw->spread;
        variance->sum += time ? left_out * off * off : NAN;
        return;
    }
    double part = left_out * n * squares_of(design, draw, values) / (n - 1);
    variance->sum += part;
    variance->squares += part * part / (n - 1);
}

/* The strata of a group that begins with stratum FROM: the next one that is not of it. */
static size_t end_of_group(const struct sampling_design *design, size_t from)
{
    size_t group = design->draws[from].group, to = from + 1;
    while (to < design->count && design->draws[to].group == group)
        to++;
    return to;
}

/* Whether every launch of DRAW was measured: it adds no error. */
static bool is_whole(const struct sampling_draw *draw)
{
    return (double)draw->count >= draw->launches;
}

static double size_of(const struct sampling_design *design, size_t at)
{
    return design->sizes != NULL ? design->sizes[at] : 1;
}

/* Of a group's strata of which a part was drawn: scaled values over scaled sizes. */
static double group_rate(const struct sampling_design *design, size_t from, size_t to,
                         const double *values)
{
    double sum = 0, sizes = 0;
    for (size_t s = from; s < to; s++)
        for (size_t i = 0; !is_whole(&design->draws[s]) && i < design->draws[s].count; i++) {
            size_t at = design->draws[s].first + i;
            sum += design->scales[at] * values[at];
            sizes += design->scales[at] * size_of(design, at);
        }
    return sizes > 0 ? sum / sizes : 0;
}

/* What a rate leaves of the values of a group. */
struct group_rest {
    double squares, measured; /* of what was drawn: scaled, without what is known; launches */
    double weight;            /* scaled sizes, squared, likewise */
    double seen, sizes, all; /* of all launches, also those of whole strata: squares over sizes;
                              * sizes; launches */
};

static struct group_rest rest_of(const struct sampling_design *design, size_t from, size_t to,
                                 const double *values, double rate)
{
    struct group_rest rest = {0};
    for (size_t s = from; s < to; s++) {
        const struct sampling_draw *draw = &design->draws[s];
        double left_out = fmax(0, 1 - (double)draw->count / draw->launches);
        rest.squares += left_out * squares_left(design, draw, values, rate);
        rest.measured += is_whole(draw) ? 0 : (double)draw->count;
        for (size_t i = draw->first; i < draw->first + draw->count; i++) {
            double size = size_of(design, i), left = values[i] - rate * size;
            rest.weight += left_out * pow(design->scales[i] * size, 2);
            rest.seen += size > 0 ? left * left / size : 0;
            rest.sizes += size;
            rest.all++;
        }
    }
    return rest;
}

/* What a rate leaves of a group's drawn launches, from differences of neighbours. */
struct group_steps {
    double count, squares; /* of differences: halves, scaled, without what is known */
    double strata;         /* of which a part was drawn */
};

static struct group_steps steps_of(const struct sampling_design *design, size_t from, size_t to,
                                   const double *values, double rate)
{
    struct group_steps steps = {0};
    double last = 0;
    for (size_t s = from; s < to; s++) {
        const struct sampling_draw *draw = &design->draws[s];
        if (is_whole(draw))
            continue;
        double known = sqrt(1 - (double)draw->count / draw->launches);
        for (size_t i = draw->first; i < draw->first + draw->count; i++) {
            double left = known * design->scales[i] * (values[i] - rate * size_of(design, i));
            bool first = steps.strata == 0 && i == draw->first;
            steps.count += !first;
            steps.squares += first ? 0 : (left - last) * (left - last) / 2;
            last = left;
        }
        steps.strata++;
    }
    return steps;
}

/* Adds what the strata FROM to TO - 1, a group, contribute. The launches of whole strata are
 * exact, but show how far values of the group may be from the rate: a few launches that were
 * drawn may all be of the most frequent kind. If they show a greater variance, the mean of both
 * counts: the greater one alone would be too great, in the mean. */
static void add_group(struct variance *variance, const struct sampling_design *design,
                      size_t from, size_t to, const double *values)
{
    double rate = group_rate(design, from, to, values);
    const struct group_rest rest = rest_of(design, from, to, values, rate);
    if (rest.measured == 0)
        return;
    variance->partial = true;
    double part = rest.measured > 1 ? rest.squares * rest.measured / (rest.measured - 1) : NAN;
    double freedom = rest.measured - 1;
    const struct group_steps steps = steps_of(design, from, to, values, rate);
    if (steps.strata > 1) {
        part = rest.measured * steps.squares / steps.count;
        freedom = FREEDOM * steps.count;
    }
    double shown = rest.sizes > 0 && rest.all > rest.measured
                       ? rest.weight * rest.seen / rest.sizes * rest.all / (rest.all - 1)
                       : 0;
    if (shown > part) {
        part = (part + shown) / 2;
        freedom = rest.all - 1;
    }
    variance->sum += part;
    variance->squares += part * part / freedom;
}

static double error_of(const struct sampling_design *design, const double *values, bool time)
{
    struct variance variance = {0};
    for (size_t s = 0, next; s < design->count; s = next) {
        next = design->draws[s].group != 0 ? end_of_group(design, s) : s + 1;
        if (design->draws[s].group != 0)
            add_group(&variance, design, s, next, values);
        else
            add_stratum(&variance, design, &design->draws[s], values, time);
    }
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
