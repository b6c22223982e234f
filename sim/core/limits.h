/* What a core of this model holds at most. */
#ifndef HEARTH_SIM_CORE_LIMITS_H
#define HEARTH_SIM_CORE_LIMITS_H

#include <stdint.h>

#include "traces/base/error.h"

#define SM_MAX_WARPS      64
#define SM_MAX_BLOCKS     64
#define SM_MAX_SCHEDULERS 8

/* What every SM since Volta has (NVIDIA's tuning guides). */
#define SM_SHARED_BYTES 128 /* that shared memory delivers or takes in a cycle */

/* OPTION's VALUE goes beyond a limit. Returns -1 with ERR. */
static inline int limits_too_many(struct error *err, const char *option, uint64_t value,
                                  uint64_t most)
{
    return error_set(err, ERROR_USAGE, NULL, 0, 0, "-%s %llu: this model has at most %llu",
                     option, (unsigned long long)value, (unsigned long long)most);
}

#endif
