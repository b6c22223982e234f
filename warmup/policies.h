/* Private to warmup: what policies are made of. The policies are a table, policies.def: one
 * line each, and a file for one that has code of its own. */
#ifndef HEARTH_WARMUP_POLICIES_H
#define HEARTH_WARMUP_POLICIES_H

#include "warmup/warmup.h"

extern const struct policy *const warmup_policies[]; /* ends with NULL */

/* How many launches measured launch number INDEX of TASK goes back, at most to the first. */
size_t warmup_back(const struct warmup *warmup, const struct warmup_task *task, size_t index);

/* Position of the last of TASK's measured launches; 0 without any. */
size_t warmup_last(const struct warmup_task *task);

/* Hands one step to TAKE. */
static inline int warmup_tell(warmup_take take, void *data, enum warmup_step_kind kind,
                              size_t launch, size_t measured, struct error *err)
{
    const struct warmup_step step = {.kind = kind, .launch = launch, .measured = measured};
    return take(data, &step, err);
}

/* ---- for `make` of struct warmup_policy ---- */

/* Each measured launch in its own segment, after the launches that it goes back, which are
 * executed as the policy's `step`. */
int warmup_replay(const struct warmup *warmup, const struct warmup_task *task, warmup_take take,
                  void *data, struct error *err);

/* All measured launches in one segment as long as they follow the order of the workload; a
 * launch that comes earlier starts another. Launches between them are executed as the policy's
 * `step`, or left out where it is WARMUP_COPIES. */
int warmup_chain(const struct warmup *warmup, const struct warmup_task *task, warmup_take take,
                 void *data, struct error *err);

/* Each measured launch in its own segment, after its state of L2 and the launches that are
 * replayed from there on. */
int warmup_restore(const struct warmup *warmup, const struct warmup_task *task,
                   warmup_take take, void *data, struct error *err);

#endif
