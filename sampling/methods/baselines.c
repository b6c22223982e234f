/* random, periodic, first-n: baselines for the other methods. One stratum holds all
 * launches. */
#include <stdlib.h>

#include "sampling/methods/methods.h"
#include "traces/base/random.h"

/* Lists 0 to N - 1; NULL without memory. */
static size_t *all_rows(size_t n, struct error *err)
{
    size_t *rows = malloc(n * sizeof *rows);
    if (rows == NULL)
        error_no_memory(err);
    for (size_t i = 0; rows != NULL && i < n; i++)
        rows[i] = i;
    return rows;
}

/* One stratum of all rows, with COUNT representatives in REPS, which is freed. */
static int one_stratum(const struct sampling_input *input, struct sampling *selection,
                       size_t *reps, size_t count, struct error *err)
{
    size_t *rows = all_rows(input->profile->count, err);
    int rc = -1;
    if (rows != NULL && reps != NULL)
        rc = sampling_add_stratum(selection, rows, input->profile->count, reps, count, 0, err);
    free(rows);
    free(reps);
    return rc;
}

static size_t wanted(const struct sampling_input *input)
{
    size_t n = input->profile->count;
    return input->options->count < n ? (size_t)input->options->count : n;
}

int sampling_random(const struct sampling_input *input, struct sampling *selection,
                    struct error *err)
{
    struct random random;
    size_t *reps = all_rows(input->profile->count, err);
    random_init(&random, input->options->seed, 0);
    if (reps != NULL)
        random_sample(&random, input->profile->count, wanted(input), reps);
    return one_stratum(input, selection, reps, wanted(input), err);
}

int sampling_periodic(const struct sampling_input *input, struct sampling *selection,
                      struct error *err)
{
    size_t *reps = all_rows(input->profile->count, err);
    size_t count = 0;
    uint64_t period = input->options->period;
    for (size_t i = 0; reps != NULL && i < input->profile->count; i++)
        if (i % period == 0)
            reps[count++] = i;
    return one_stratum(input, selection, reps, count, err);
}

int sampling_first_n(const struct sampling_input *input, struct sampling *selection,
                     struct error *err)
{
    return one_stratum(input, selection, all_rows(input->profile->count, err), wanted(input),
                       err);
}
