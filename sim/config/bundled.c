#include "sim/config.h"

#include "sim/config/config_bundled.h" /* bundled_NAME[], a file each */

#define BUNDLED(name_, description_, hardware_)                                                \
    {.name = #name_,                                                                           \
     .description = description_,                                                              \
     .hardware = hardware_,                                                                    \
     .text = bundled_##name_,                                                                  \
     .size = sizeof bundled_##name_ - 1},

const struct sim_bundled_config sim_bundled_configs[] = {
#include "sim/config/bundled.def"
    {.name = NULL},
};
