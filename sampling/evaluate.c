#include <math.h>
#include <stdlib.h>

#include "sampling/bar.h"
#include "sampling/sampling.h"

static double *read_cycles(const struct sampling *selection, struct error *err)
{
    const struct profile *profile = selection->profile;
    if (profile_require(profile, PROFILE_BIT(PROFILE_CYCLES), "an evaluation", err) != 0)
        return NULL;
    double *cycles = malloc(profile->count * sizeof *cycles);
    if (cycles == NULL)
        error_no_memory(err);
    for (size_t i = 0; cycles != NULL && i < profile->count; i++)
        cycles[i] = profile->rows[i].cycles;
    return cycles;
}

/* CoV of the cycles in a stratum; 0 if all cycles are 0. */
static double spread(const struct sampling *selection, const struct sampling_stratum *stratum,
                     const double *cycles)
{
    const size_t *rows = selection->members + stratum->first;
    double sum = 0, squares = 0, n = (double)stratum->count;
    for (size_t i = 0; i < stratum->count; i++)
        sum += cycles[rows[i]];
    for (size_t i = 0; i < stratum->count; i++)
        squares += (cycles[rows[i]] - sum / n) * (cycles[rows[i]] - sum / n);
    return sum > 0 ? sqrt(squares / n) / (sum / n) : 0;
}

static double mean_spread(const struct sampling *selection, const double *cycles)
{
    bool by_insts = selection->method->scale == SAMPLING_SCALE_INSTS;
    double sum = 0, weights = 0;
    for (size_t i = 0; i < selection->count; i++) {
        const struct sampling_stratum *stratum = &selection->strata[i];
        double weight = by_insts ? stratum->insts : (double)stratum->count;
        sum += weight * spread(selection, stratum, cycles);
        weights += weight;
    }
    return sum / weights;
}

/* Instructions of the representatives. */
static double chosen_insts(const struct sampling *selection)
{
    enum profile_column column =
        selection->unit == SAMPLING_THREAD_INSTS ? PROFILE_THREAD_INSTS : PROFILE_WARP_INSTS;
    double sum = 0;
    for (size_t i = 0; i < selection->rep_count; i++)
        sum += profile_number(&selection->profile->rows[selection->reps[i]], column);
    return sum;
}

/* Sums over all launches and over the representatives. */
static void add_up(const struct sampling *selection, const double *cycles,
                   struct sampling_evaluation *evaluation, double *chosen)
{
    for (size_t i = 0; i < selection->profile->count; i++)
        evaluation->cycles += cycles[i];
    for (size_t i = 0; i < selection->rep_count; i++)
        *chosen += cycles[selection->reps[i]];
    for (size_t i = 0; i < selection->count; i++)
        evaluation->tiers[selection->strata[i].tier] += selection->strata[i].count;
}

int sampling_evaluate(const struct sampling *selection, const struct sampling_options *options,
                      const double *cycles, struct sampling_evaluation *evaluation,
                      struct error *err)
{
    double *own = cycles == NULL ? read_cycles(selection, err) : NULL, chosen = 0;
    *evaluation = (struct sampling_evaluation){0};
    if (cycles == NULL && own == NULL)
        return -1;
    if (cycles == NULL)
        cycles = own;
    add_up(selection, cycles, evaluation, &chosen);
    evaluation->predicted = sampling_predict(selection, cycles);
    evaluation->error = fabs(evaluation->predicted - evaluation->cycles) / evaluation->cycles;
    evaluation->speedup_cycles = evaluation->cycles / chosen;
    double insts = chosen_insts(selection);
    evaluation->speedup_insts = insts > 0 ? selection->insts / insts : NAN;
    evaluation->cycles_cov = mean_spread(selection, cycles);
    int result = sampling_bar(selection, options, cycles, &evaluation->bar, err);
    evaluation->bar /= evaluation->cycles;
    free(own);
    if (result != 0 || evaluation->cycles > 0)
        return result;
    return error_set(err, ERROR_TRACE, selection->profile->path, 0, 0,
                     "no launch has cycles above 0: nothing to compare with");
}
