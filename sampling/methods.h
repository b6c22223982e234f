/* The functions of the methods, from their table. Private to sampling. */
#ifndef HEARTH_SAMPLING_METHODS_H
#define HEARTH_SAMPLING_METHODS_H

#include "sampling/sampling.h"

#define METHOD(id, ...)                                                                        \
    int sampling_##id(const struct sampling_input *input, struct sampling *selection,          \
                      struct error *err);
#include "sampling/methods.def"
#undef METHOD

#endif
