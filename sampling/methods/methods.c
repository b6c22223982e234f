/* The table of methods. */
#include "sampling/methods/methods.h"

#define BIT(option) SAMPLING_BIT(SAMPLING_##option)
const struct sampling_method sampling_methods[] = {
#define METHOD(id, name, options, needs, columns, scale, random, description)                  \
    {name, description, options, needs, columns, SAMPLING_SCALE_##scale, random, sampling_##id},
#include "sampling/methods/methods.def"
#undef METHOD
    {0}};
