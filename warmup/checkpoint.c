/* One pass over the workload without time, in which what L2 holds in front of each measured
 * launch is saved; each is then restored in a segment of its own. */
#include <stdlib.h>

#include "warmup/index.h"
#include "warmup/policies.h"

int warmup_make_checkpoint(const struct warmup *warmup, const struct warmup_task *task,
                           warmup_take take, void *data, struct error *err)
{
    struct warmup_index index;
    if (!warmup_index_init(&index, task->measured, task->count))
        return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
    int result = warmup_tell(take, data, WARMUP_SEGMENT, 0, 0, err);
    for (size_t l = 1; l <= index.last && result == 0; l++) {
        result = warmup_tell(take, data, WARMUP_COPIES, l, 0, err);
        if (result == 0 && warmup_index_at(&index, l) != 0)
            result = warmup_tell(take, data, WARMUP_SAVE, l, 0, err);
        if (result == 0 && l < index.last)
            result = warmup_tell(take, data, WARMUP_FUNCTIONAL, l, 0, err);
    }
    warmup_index_finish(&index);
    return result == 0 ? warmup_restore(task, take, data, err) : result;
}
