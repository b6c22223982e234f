#include <math.h>

#include "sampling/sampling.h"

static double spread_of(const struct sampling *selection,
                        const struct sampling_stratum *stratum, enum profile_column column)
{
    const size_t *rows = selection->members + stratum->first;
    double sum = 0, squares = 0, n = (double)stratum->count;
    if (stratum->count < 2)
        return 0;
    for (size_t i = 0; i < stratum->count; i++)
        sum += profile_number(&selection->profile->rows[rows[i]], column);
    for (size_t i = 0; i < stratum->count; i++) {
        double off = profile_number(&selection->profile->rows[rows[i]], column) - sum / n;
        squares += off * off;
    }
    return sum > 0 ? sqrt(squares / (n - 1)) / (sum / n) : NAN;
}

enum profile_column sampling_time_column(const struct profile *profile)
{
    return profile_known(profile) & PROFILE_BIT(PROFILE_TIME_NS) ? PROFILE_TIME_NS
                                                                 : PROFILE_CYCLES;
}

void sampling_spreads(const struct sampling *selection, double *spreads)
{
    uint64_t known = profile_known(selection->profile);
    bool timed = known & (PROFILE_BIT(PROFILE_TIME_NS) | PROFILE_BIT(PROFILE_CYCLES));
    enum profile_column column = sampling_time_column(selection->profile);
    for (size_t i = 0; i < selection->count; i++)
        spreads[i] = timed ? spread_of(selection, &selection->strata[i], column) : NAN;
}
