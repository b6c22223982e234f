/* All launches in front in detail: what the others are compared with. */
#include "warmup/policies.h"

int warmup_make_full(const struct warmup *warmup, const struct warmup_task *task,
                     warmup_take take, void *data, struct error *err)
{
    return warmup_chain(task, WARMUP_DETAILED, take, data, err);
}
