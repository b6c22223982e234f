/* The methods, from their table. Private to sampling. */
#ifndef HEARTH_SAMPLING_METHODS_METHODS_H
#define HEARTH_SAMPLING_METHODS_METHODS_H

#include "sampling/sampling.h"

extern const struct sampling_method sampling_methods[]; /* the last has no name */

#define METHOD(id, ...)                                                                        \
    int sampling_##id(const struct sampling_input *input, struct sampling *selection,          \
                      struct error *err);
#include "sampling/methods/methods.def"
#undef METHOD

#endif
