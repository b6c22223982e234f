/* What of the state of L2 the launch can notice, from one pass over the workload without time
 * (see warmup_states_make()), restored in a segment of its own. */
#include "warmup/policies.h"

int warmup_make_nsl(const struct warmup *warmup, const struct warmup_task *task,
                    warmup_take take, void *data, struct error *err)
{
    return warmup_restore(warmup, task, take, data, err);
}
