/* What SMs issue, by what it makes work (-hearth_activity): the counters of
 * sim/stats/activity.def, from which tools/activity estimates energy. */
#ifndef HEARTH_SIM_CORE_OBSERVERS_ACTIVITY_H
#define HEARTH_SIM_CORE_OBSERVERS_ACTIVITY_H

#include <stdbool.h>

enum sm_activity {
#define ACTIVITY(name, unit, description) SM_ACTIVITY_##name,
#include "sim/stats/activity.def"
#undef ACTIVITY
    SM_ACTIVITIES
};

struct sm;
struct trace_inst;

/* What an issue of INST, whose opcode is OPCODE, counts as, besides its registers. */
enum sm_activity activity_of(const struct trace_inst *inst, const char *opcode);

/* SM counts from now on; it owns the observer. False when memory is short. */
bool activity_observe(struct sm *sm);

#endif
