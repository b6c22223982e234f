/* The table only: tests link one of their own instead (tests/sim/core/new_scheduler.c). */
#include "sim/core/schedulers/warp_scheduler.h"

#define SCHEDULER(name) extern const struct warp_scheduler warp_scheduler_##name;
#include "sim/core/schedulers/schedulers.def"
#undef SCHEDULER

const struct policy *const warp_schedulers[] = {
#define SCHEDULER(name) &warp_scheduler_##name.policy,
#include "sim/core/schedulers/schedulers.def"
    NULL,
};
