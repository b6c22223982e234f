/* One pass over the workload without time, in which what L2 holds in front of each measured
 * launch is saved; each is then restored in a segment of its own. */
#include <stdlib.h>

#include "warmup/policies.h"

static bool is_measured(const struct warmup_task *task, size_t launch)
{
    for (size_t i = 0; i < task->count; i++)
        if (task->measured[i] == launch)
            return true;
    return false;
}

int warmup_make_checkpoint(const struct warmup *warmup, const struct warmup_task *task,
                           warmup_take take, void *data, struct error *err)
{
    size_t last = warmup_last(task);
    int result = warmup_tell(take, data, WARMUP_SEGMENT, 0, 0, err);
    for (size_t l = 1; l <= last && result == 0; l++) {
        result = warmup_tell(take, data, WARMUP_COPIES, l, 0, err);
        if (result == 0 && is_measured(task, l))
            result = warmup_tell(take, data, WARMUP_SAVE, l, 0, err);
        if (result == 0 && l < last)
            result = warmup_tell(take, data, WARMUP_FUNCTIONAL, l, 0, err);
    }
    for (size_t i = 0; i < task->count && result == 0; i++) {
        size_t launch = task->measured[i];
        result = warmup_tell(take, data, WARMUP_SEGMENT, launch, 0, err);
        if (result == 0)
            result = warmup_tell(take, data, WARMUP_RESTORE, launch, 0, err);
        if (result == 0)
            result = warmup_tell(take, data, WARMUP_MEASURE, launch, i, err);
    }
    return result;
}
