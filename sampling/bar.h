/* The error bar of a prediction, from the cycles of all launches. Private to sampling. */
#ifndef HEARTH_SAMPLING_BAR_H
#define HEARTH_SAMPLING_BAR_H

#include "sampling/sampling.h"

/* *BAR gets half of the interval of the total of CYCLES, of each row, as a run of the
 * representatives would give it; NaN: no error bar. Returns 0, or -1 with ERR filled: no
 * memory. */
int sampling_bar(const struct sampling *selection, const struct sampling_options *options,
                 const double *cycles, double *bar, struct error *err);

#endif
