/* Makes the input of a method from a profile. Private to sampling. */
#ifndef HEARTH_SAMPLING_INPUT_H
#define HEARTH_SAMPLING_INPUT_H

#include "sampling/sampling.h"

/* Owns the arrays of a struct sampling_input. */
struct sampling_tables {
    double *insts, *times;
    size_t *by_kernel, *first;
};

/* Checks that PROFILE has what METHOD needs and that OPTIONS belong to METHOD, then fills
 * INPUT. TABLES must be zeroed; the caller finishes it also after an error. */
int sampling_input_init(struct sampling_input *input, struct sampling_tables *tables,
                        const struct profile *profile, const struct sampling_method *method,
                        const struct sampling_options *options, struct error *err);
void sampling_tables_finish(struct sampling_tables *tables);

#endif
