/* The policies, a file each. */
#ifndef HEARTH_WARMUP_POLICIES_H
#define HEARTH_WARMUP_POLICIES_H

#include "warmup/warmup.h"

/* Launches to go back from measured launch number INDEX of TASK: not beyond the first. */
size_t warmup_back(const struct warmup *warmup, const struct warmup_task *task, size_t index);

/* Position of the last of TASK's measured launches; 0 without any. */
size_t warmup_last(const struct warmup_task *task);

/* Tells TAKE one step. */
static inline int warmup_tell(warmup_take take, void *data, enum warmup_step_kind kind,
                              size_t launch, size_t measured, struct error *err)
{
    const struct warmup_step step = {.kind = kind, .launch = launch, .measured = measured};
    return take(data, &step, err);
}

/* Each measured launch in a segment of its own, behind those that it reaches back to, which are
 * executed as KIND. */
int warmup_replay(const struct warmup *warmup, const struct warmup_task *task,
                  enum warmup_step_kind kind, warmup_take take, void *data, struct error *err);

/* All measured launches in one segment, as long as they stand in the workload's order; those in
 * between are executed as KIND, or not at all where it is WARMUP_COPIES. */
int warmup_chain(const struct warmup_task *task, enum warmup_step_kind kind, warmup_take take,
                 void *data, struct error *err);

/* Each measured launch in a segment of its own, behind its state of L2 and the launches that
 * are replayed from there on. */
int warmup_restore(const struct warmup *warmup, const struct warmup_task *task,
                   warmup_take take, void *data, struct error *err);

#define POLICY(name)                                                                           \
    int warmup_make_##name(const struct warmup *warmup, const struct warmup_task *task,        \
                           warmup_take take, void *data, struct error *err)
POLICY(none);
POLICY(full);
POLICY(detailed);
POLICY(memory);
POLICY(functional);
POLICY(checkpoint);
POLICY(nsl);
POLICY(stitch);
#undef POLICY

#endif
