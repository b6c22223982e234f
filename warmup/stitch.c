/* What the measured launch before has left ("stitch", Kessler, Hill, Wood: "A comparison of
 * trace-sampling techniques for multi-megabyte caches", 1994). */
#include "warmup/policies.h"

int warmup_make_stitch(const struct warmup *warmup, const struct warmup_task *task,
                       warmup_take take, void *data, struct error *err)
{
    return warmup_chain(task, WARMUP_COPIES, take, data, err);
}
