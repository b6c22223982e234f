/* The table only: tests link one of their own instead (tests/sim/memory/new_dram_scheduler.c).
 */
#include "sim/memory/dram/schedulers/dram_scheduler.h"

const struct policy *const dram_schedulers[] = {
#define SCHEDULER(name) &dram_scheduler_##name.policy,
#include "sim/memory/dram/schedulers/schedulers.def"
    NULL,
};
