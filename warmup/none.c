/* Cold: each launch finds empty caches, and what the copies in front of it leave. */
#include "warmup/policies.h"

int warmup_make_none(const struct warmup *warmup, const struct warmup_task *task,
                     warmup_take take, void *data, struct error *err)
{
    return warmup_replay(warmup, task, WARMUP_FUNCTIONAL, take, data, err);
}
