/* One pass over the workload, functional or detailed, saves the contents of L2 before each
 * measured launch, or some launches earlier. Each state is then restored in a segment of its
 * own. Nothing is saved before the first launch. */
#include <stdlib.h>

#include "warmup/launch_positions.h"
#include "warmup/policies.h"

/* Saves a state before each launch of INDEX; the others are executed as STEP. */
static int save(const struct launch_positions *index, enum warmup_step_kind step,
                warmup_take take, void *data, struct error *err)
{
    int result = warmup_tell(take, data, WARMUP_SEGMENT, 0, 0, err);
    for (size_t l = 1; l <= index->last && result == 0; l++) {
        result = warmup_tell(take, data, WARMUP_COPIES, l, 0, err);
        if (result == 0 && l > 1 && launch_positions_at(index, l) != 0)
            result = warmup_tell(take, data, WARMUP_SAVE, l, 0, err);
        if (result == 0 && l < index->last)
            result = warmup_tell(take, data, step, l, 0, err);
    }
    return result;
}

/* Saves the states that the measured launches restore. */
static int save_all(const struct warmup *warmup, const struct warmup_task *task,
                    warmup_take take, void *data, struct error *err)
{
    size_t *saved = calloc(task->count + 1, sizeof *saved);
    struct launch_positions index = {0};
    for (size_t i = 0; saved != NULL && i < task->count; i++)
        saved[i] = warmup_state(warmup, task, i);
    int result = 0;
    if (saved == NULL || !launch_positions_init(&index, saved, task->count))
        result = error_no_memory(err);
    else if (index.last > 1)
        result = save(&index, warmup->policy->step, take, data, err);
    launch_positions_finish(&index);
    free(saved);
    return result;
}

static int make(const struct warmup *warmup, const struct warmup_task *task, warmup_take take,
                void *data, struct error *err)
{
    int result = warmup->ahead ? 0 : save_all(warmup, task, take, data, err);
    return result == 0 ? warmup_restore(warmup, task, take, data, err) : result;
}

extern const struct warmup_policy warmup_policy_checkpoint;
const struct warmup_policy warmup_policy_checkpoint = {
    .policy = {.name = "checkpoint",
               .description = "restore L2 as a functional pass over the workload left it"},
    .make = make,
    .step = WARMUP_FUNCTIONAL,
    .alone = true,
    .states = true,
};

extern const struct warmup_policy warmup_policy_checkpoint_detailed;
const struct warmup_policy warmup_policy_checkpoint_detailed = {
    .policy = {.name = "checkpoint:detailed",
               .description = "restore L2 as a detailed run of all earlier launches left it"},
    .make = make,
    .step = WARMUP_DETAILED,
    .alone = true,
    .states = true,
};
