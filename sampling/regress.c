/* Scales from an auxiliary value that is known of every launch: W. G. Cochran, "Sampling
 * Techniques", 3rd edition, sections 6.2 (ratio) and 7.2 (regression). */
#include <stdlib.h>

#include "sampling/sampling.h"

/* A stratum's representatives and their auxiliary values. */
struct regression {
    const struct sampling *selection;
    const struct sampling_stratum *stratum;
    const double *values; /* of all rows */
    double members;       /* sum over the stratum */
    double mean, spread;  /* of the representatives; sum of squared distances from the mean */
};

static double value_of(const struct regression *regression, size_t rep)
{
    const struct sampling *selection = regression->selection;
    return regression->values[selection->reps[regression->stratum->first_rep + rep]];
}

static void find_sums(struct regression *regression)
{
    const struct sampling_stratum *stratum = regression->stratum;
    const size_t *members = &regression->selection->members[stratum->first];
    for (size_t i = 0; i < stratum->count; i++)
        regression->members += regression->values[members[i]];
    for (size_t i = 0; i < stratum->reps; i++)
        regression->mean += value_of(regression, i) / (double)stratum->reps;
    for (size_t i = 0; i < stratum->reps; i++) {
        double distance = value_of(regression, i) - regression->mean;
        regression->spread += distance * distance;
    }
}

/* The weights of the straight line, which may not be negative; false: there are none. */
static bool set_line(const struct regression *regression, double *weights)
{
    const struct sampling_stratum *stratum = regression->stratum;
    double launches = (double)stratum->count, reps = (double)stratum->reps;
    if (stratum->reps < 3 ||
        !(regression->spread > 1e-12 * regression->mean * regression->mean))
        return false;
    double missing = regression->members - launches * regression->mean;
    for (size_t i = 0; i < stratum->reps; i++) {
        double distance = value_of(regression, i) - regression->mean;
        weights[i] = launches / reps + missing * distance / regression->spread;
        if (weights[i] < 0)
            return false;
    }
    return true;
}

static bool make_room(struct sampling *selection)
{
    size_t count = selection->rep_count + 1;
    if (selection->weights == NULL)
        selection->weights = calloc(count, sizeof *selection->weights);
    if (selection->sizes == NULL)
        selection->sizes = calloc(count, sizeof *selection->sizes);
    return selection->weights != NULL && selection->sizes != NULL;
}

/* Whether launches of a stratum were not equally likely. */
static bool is_weighted(const struct sampling *selection)
{
    return selection->method->scale == SAMPLING_SCALE_TIMES;
}

/* The weights of the line through the origin; WEIGHTS has those of launches that were not
 * equally likely. */
static void set_ratio(const struct regression *regression, double *weights)
{
    const struct sampling_stratum *stratum = regression->stratum;
    double predicted = 0;
    for (size_t i = 0; i < stratum->reps; i++) {
        weights[i] = is_weighted(regression->selection) ? weights[i] : 1;
        predicted += weights[i] * value_of(regression, i);
    }
    for (size_t i = 0; i < stratum->reps; i++)
        weights[i] *= regression->members / predicted;
}

int sampling_regress(struct sampling *selection, const double *values, struct error *err)
{
    if (!make_room(selection))
        return error_no_memory(err);
    for (size_t s = 0; s < selection->count; s++) {
        struct regression regression = {
            .selection = selection, .stratum = &selection->strata[s], .values = values};
        size_t first = regression.stratum->first_rep, reps = regression.stratum->reps;
        find_sums(&regression);
        for (size_t i = 0; i < reps; i++)
            selection->sizes[first + i] = value_of(&regression, i);
        if (is_weighted(selection) || !set_line(&regression, &selection->weights[first]))
            set_ratio(&regression, &selection->weights[first]);
    }
    return 0;
}
