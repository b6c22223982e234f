#include "warmup/policies.h"

size_t warmup_back(const struct warmup *warmup, const struct warmup_task *task, size_t index)
{
    size_t back = warmup->automatic ? task->reach[index] : warmup->launches;
    size_t before = task->measured[index] - 1;
    return back < before ? back : before;
}

/* LAUNCH with the copies before it. */
static int tell_launch(warmup_take take, void *data, enum warmup_step_kind kind, size_t launch,
                       size_t measured, struct error *err)
{
    int result = warmup_tell(take, data, WARMUP_COPIES, launch, measured, err);
    if (result == 0 && kind != WARMUP_COPIES)
        result = warmup_tell(take, data, kind, launch, measured, err);
    return result;
}

int warmup_replay(const struct warmup *warmup, const struct warmup_task *task, warmup_take take,
                  void *data, struct error *err)
{
    int result = 0;
    for (size_t i = 0; i < task->count && result == 0; i++) {
        size_t launch = task->measured[i];
        result = warmup_tell(take, data, WARMUP_SEGMENT, launch, 0, err);
        for (size_t l = launch - warmup_back(warmup, task, i); l < launch && result == 0; l++)
            result = tell_launch(take, data, warmup->policy->step, l, 0, err);
        if (result == 0)
            result = tell_launch(take, data, WARMUP_MEASURE, launch, i, err);
    }
    return result;
}

int warmup_chain(const struct warmup *warmup, const struct warmup_task *task, warmup_take take,
                 void *data, struct error *err)
{
    size_t done = SIZE_MAX;
    int result = 0;
    for (size_t i = 0; i < task->count && result == 0; i++) {
        size_t launch = task->measured[i];
        if (done >= launch) { /* the first launch, or one that is earlier in the workload */
            result = warmup_tell(take, data, WARMUP_SEGMENT, launch, 0, err);
            done = 0;
        }
        for (size_t l = done + 1; l < launch && result == 0; l++)
            result = tell_launch(take, data, warmup->policy->step, l, 0, err);
        if (result == 0)
            result = tell_launch(take, data, WARMUP_MEASURE, launch, i, err);
        done = launch;
    }
    return result;
}

size_t warmup_state(const struct warmup *warmup, const struct warmup_task *task, size_t index)
{
    return task->measured[index] - warmup_back(warmup, task, index);
}

/* What precedes the launch at POSITION: its state, which contains the copies. The first launch
 * usually has no state, only its copies. */
static int tell_state(const struct warmup_task *task, warmup_take take, void *data,
                      size_t position, struct error *err)
{
    bool has = position > 1 || task->first_state;
    return warmup_tell(take, data, has ? WARMUP_RESTORE : WARMUP_COPIES, position, 0, err);
}

int warmup_restore(const struct warmup *warmup, const struct warmup_task *task,
                   warmup_take take, void *data, struct error *err)
{
    int result = 0;
    for (size_t i = 0; i < task->count && result == 0; i++) {
        size_t launch = task->measured[i], first = warmup_state(warmup, task, i);
        result = warmup_tell(take, data, WARMUP_SEGMENT, launch, 0, err);
        if (result == 0)
            result = tell_state(task, take, data, first, err);
        for (size_t l = first; l < launch && result == 0; l++) {
            result = warmup_tell(take, data, warmup->after_state->step, l, 0, err);
            if (result == 0)
                result = warmup_tell(take, data, WARMUP_COPIES, l + 1, 0, err);
        }
        if (result == 0)
            result = warmup_tell(take, data, WARMUP_MEASURE, launch, i, err);
    }
    return result;
}

size_t warmup_last(const struct warmup_task *task)
{
    size_t last = 0;
    for (size_t i = 0; i < task->count; i++)
        if (task->measured[i] > last)
            last = task->measured[i];
    return last;
}
