/* The launches in front through the tags of the caches, without time. */
#include "warmup/policies.h"

int warmup_make_functional(const struct warmup *warmup, const struct warmup_task *task,
                           warmup_take take, void *data, struct error *err)
{
    return warmup_replay(warmup, task, WARMUP_FUNCTIONAL, take, data, err);
}
