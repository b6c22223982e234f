/* The launches in front as memory-only traces, with time: "Cold-start" (thesis, 2024),
 * chapter 6. */
#include "warmup/policies.h"

int warmup_make_memory(const struct warmup *warmup, const struct warmup_task *task,
                       warmup_take take, void *data, struct error *err)
{
    return warmup_replay(warmup, task, WARMUP_MEMORY, take, data, err);
}
