/* The table only: tests link one of their own instead (tests/sim/memory/new_replacement.c). */
#include "sim/memory/replacement/replacement.h"

const struct policy *const cache_replacements[] = {
#define REPLACEMENT(name) &cache_replacement_##name.policy,
#include "sim/memory/replacement/replacements.def"
    NULL,
};
