/* Private to warmup: the table of policies, policies.def, and the functions that policies
 * share. A policy is one line of the table, and a file if it has code of its own. */
#ifndef HEARTH_WARMUP_POLICIES_H
#define HEARTH_WARMUP_POLICIES_H

#include "warmup/warmup.h"

extern const struct policy *const warmup_policies[]; /* ends with NULL */

/* How many launches measured launch number INDEX of TASK goes back; not beyond the first
 * launch. */
size_t warmup_back(const struct warmup *warmup, const struct warmup_task *task, size_t index);

/* Position of the last measured launch of TASK; 0 if there is none. */
size_t warmup_last(const struct warmup_task *task);

/* Passes one step to TAKE. */
static inline int warmup_tell(warmup_take take, void *data, enum warmup_step_kind kind,
                              size_t launch, size_t measured, struct error *err)
{
    const struct warmup_step step = {.kind = kind, .launch = launch, .measured = measured};
    return take(data, &step, err);
}

/* ---- for `make` of struct warmup_policy ---- */

/* Each measured launch in a segment of its own, after the launches that it goes back. These
 * are executed as the policy's `step`. */
int warmup_replay(const struct warmup *warmup, const struct warmup_task *task, warmup_take take,
                  void *data, struct error *err);

/* All measured launches in one segment, as long as they follow the order of the workload; a
 * launch that is earlier in the workload starts another segment. Launches between them are
 * executed as the policy's `step`, or left out if that is WARMUP_COPIES. */
int warmup_chain(const struct warmup *warmup, const struct warmup_task *task, warmup_take take,
                 void *data, struct error *err);

/* Each measured launch in a segment of its own, after its L2 state is restored and the
 * launches since that state are replayed. */
int warmup_restore(const struct warmup *warmup, const struct warmup_task *task,
                   warmup_take take, void *data, struct error *err);

#endif
