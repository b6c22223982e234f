#include "sampling/bar.h"

#include <math.h>
#include <stdlib.h>

#define CONFIDENCE 0.95 /* of methods without --confidence, as in runs */

/* A design with the arrays that it points to. */
struct bar_design {
    struct sampling_design of;
    struct sampling_draw *draws;
    double *scales, *sizes, *values, *spreads;
};

static void finish(struct bar_design *design)
{
    free(design->draws);
    free(design->scales);
    free(design->sizes);
    free(design->values);
    free(design->spreads);
}

static bool allocate(struct bar_design *design, const struct sampling *selection)
{
    size_t reps = selection->rep_count + 1;
    *design = (struct bar_design){
        .draws = calloc(selection->count + 1, sizeof *design->draws),
        .scales = calloc(reps, sizeof *design->scales),
        .sizes = calloc(reps, sizeof *design->sizes),
        .values = calloc(reps, sizeof *design->values),
        .spreads = calloc(selection->count + 1, sizeof *design->spreads),
    };
    return design->draws != NULL && design->scales != NULL && design->sizes != NULL &&
           design->values != NULL && design->spreads != NULL;
}

static void fill(struct bar_design *design, const struct sampling *selection,
                 const struct sampling_options *options, const double *cycles)
{
    bool timed = sampling_has_spreads(selection, options);
    enum profile_column sizes =
        selection->unit == SAMPLING_THREAD_INSTS ? PROFILE_THREAD_INSTS : PROFILE_WARP_INSTS;
    if (timed)
        sampling_spreads(selection, design->spreads);
    for (size_t s = 0; s < selection->count; s++) {
        const struct sampling_stratum *stratum = &selection->strata[s];
        design->draws[s] = (struct sampling_draw){.launches = (double)stratum->count,
                                                  .first = stratum->first_rep,
                                                  .count = stratum->reps,
                                                  .spread = timed ? design->spreads[s] : NAN};
        for (size_t i = stratum->first_rep; i < stratum->first_rep + stratum->reps; i++) {
            design->scales[i] = sampling_scale_of(selection, stratum, i);
            design->values[i] = cycles[selection->reps[i]];
            design->sizes[i] =
                selection->weights != NULL
                    ? selection->sizes[i]
                    : profile_number(&selection->profile->rows[selection->reps[i]], sizes);
        }
    }
}

int sampling_bar(const struct sampling *selection, const struct sampling_options *options,
                 const double *cycles, double *bar, struct error *err)
{
    struct bar_design design;
    bool done = allocate(&design, selection);
    if (done) {
        fill(&design, selection, options, cycles);
        design.of = (struct sampling_design){
            .draws = design.draws,
            .count = selection->count,
            .scales = design.scales,
            .sizes = selection->method->scale == SAMPLING_SCALE_LAUNCHES &&
                             selection->weights == NULL
                         ? NULL
                         : design.sizes,
            .random = sampling_is_random(selection->method, options),
            .confidence = selection->method->options & SAMPLING_BIT(SAMPLING_CONFIDENCE)
                              ? options->confidence
                              : CONFIDENCE,
        };
        *bar = sampling_total(&design.of, design.values, true).error;
    }
    finish(&design);
    return done ? 0 : error_no_memory(err);
}
