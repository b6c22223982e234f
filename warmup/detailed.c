/* The launches in front in detail, as many as are asked for: `full` has all of them. */
#include "warmup/policies.h"

int warmup_make_detailed(const struct warmup *warmup, const struct warmup_task *task,
                         warmup_take take, void *data, struct error *err)
{
    return warmup_replay(warmup, task, WARMUP_DETAILED, take, data, err);
}
