#include "sampling/repick.h"

#include <math.h>
#include <stdlib.h>

#include "traces/base/random.h"

static size_t nearest_to_mean(const double *insts, const size_t *rows, size_t count)
{
    double sum = 0;
    size_t best = 0;
    for (size_t i = 0; i < count; i++)
        sum += insts[rows[i]];
    for (size_t i = 1; i < count; i++)
        if (fabs(insts[rows[i]] - sum / (double)count) <
            fabs(insts[rows[best]] - sum / (double)count))
            best = i;
    return rows[best];
}

void repick(const struct sampling_input *input, struct sampling *selection)
{
    unsigned how = input->options->representative.index;
    struct random random;
    random_init(&random, input->options->seed, 0);
    for (size_t i = 0; how != REPICK_OWN && i < selection->count; i++) {
        const struct sampling_stratum *stratum = &selection->strata[i];
        const size_t *rows = selection->members + stratum->first;
        size_t *rep = &selection->reps[stratum->first_rep];
        if (how == REPICK_FIRST)
            *rep = rows[0];
        else if (how == REPICK_RANDOM)
            *rep = rows[random_below(&random, stratum->count)];
        else
            *rep = nearest_to_mean(input->insts, rows, stratum->count);
    }
}

int redraw(const struct sampling_input *input, struct sampling *selection, struct error *err)
{
    size_t most = input->options->draws < SIZE_MAX ? (size_t)input->options->draws : SIZE_MAX;
    struct random random;
    size_t *reps = malloc(selection->profile->count * sizeof *reps), used = 0;
    if (reps == NULL)
        return error_no_memory(err);
    random_init(&random, input->options->seed, 0);
    for (size_t i = 0; i < selection->count; i++) {
        struct sampling_stratum *stratum = &selection->strata[i];
        stratum->first_rep = used;
        stratum->reps = stratum->count < most ? stratum->count : most;
        random_sample(&random, stratum->count, stratum->reps, reps + used);
        for (size_t end = used + stratum->reps; used < end; used++)
            reps[used] = selection->members[stratum->first + reps[used]];
    }
    free(selection->reps);
    selection->reps = reps;
    selection->rep_count = selection->rep_capacity = used;
    return 0;
}
