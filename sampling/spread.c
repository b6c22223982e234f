#include <math.h>

#include "sampling/sampling.h"

static double time_of(const struct sampling *selection, size_t row, enum profile_column column)
{
    return profile_number(&selection->profile->rows[row], column);
}

static double spread_of(const struct sampling *selection,
                        const struct sampling_stratum *stratum, enum profile_column column)
{
    const size_t *rows = selection->members + stratum->first;
    const size_t *reps = selection->reps + stratum->first_rep;
    double sum = 0, chosen = 0, squares = 0, n = (double)stratum->count;
    if (stratum->count < 2)
        return 0;
    for (size_t i = 0; i < stratum->count; i++)
        sum += time_of(selection, rows[i], column);
    for (size_t i = 0; i < stratum->reps; i++)
        chosen += time_of(selection, reps[i], column);
    for (size_t i = 0; i < stratum->count; i++) {
        double off = time_of(selection, rows[i], column) - sum / n;
        squares += off * off;
    }
    return chosen > 0 ? sqrt(squares / (n - 1)) / (chosen / (double)stratum->reps) : NAN;
}

enum profile_column sampling_time_column(const struct profile *profile)
{
    return profile_known(profile) & PROFILE_BIT(PROFILE_TIME_NS) ? PROFILE_TIME_NS
                                                                 : PROFILE_CYCLES;
}

static bool is_timed(const struct profile *profile)
{
    return profile_known(profile) &
           (PROFILE_BIT(PROFILE_TIME_NS) | PROFILE_BIT(PROFILE_CYCLES));
}

bool sampling_has_spreads(const struct sampling *selection,
                          const struct sampling_options *options)
{
    return selection->weights == NULL && selection->method->scale == SAMPLING_SCALE_LAUNCHES &&
           is_timed(selection->profile) &&
           ((selection->method->needs & SAMPLING_NEED_TIME) ||
            sampling_is_random(selection->method, options));
}

void sampling_spreads(const struct sampling *selection, double *spreads)
{
    enum profile_column column = sampling_time_column(selection->profile);
    for (size_t i = 0; i < selection->count; i++)
        spreads[i] = is_timed(selection->profile)
                         ? spread_of(selection, &selection->strata[i], column)
                         : NAN;
}
