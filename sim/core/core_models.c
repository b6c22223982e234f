/* The table only: tests link one of their own instead (tests/sim/core/new_core.c). */
#include "sim/core/core_model.h"

#define CORE_MODEL(name) extern const struct core_model core_model_##name;
#include "sim/core/core_models.def"
#undef CORE_MODEL

const struct policy *const core_models[] = {
#define CORE_MODEL(name) &core_model_##name.policy,
#include "sim/core/core_models.def"
    NULL,
};
