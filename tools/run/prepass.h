/* A pass over a workload's launches before or after a simulation: shows its progress and ends
 * it on a signal. */
#ifndef HEARTH_TOOLS_RUN_PREPASS_H
#define HEARTH_TOOLS_RUN_PREPASS_H

#include "tools/run/plan/launches.h"
#include "tools/run/progress/progress.h"
#include "warmup/warmup.h"

struct prepass {
    struct warmup_watch watch; /* for struct warmup_task */
    struct progress progress;
    struct progress_launch launch; /* the current one */
    size_t position;               /* of the current launch; 0: none yet */
    uint64_t insts;                /* of the current launch, so far */
    uint64_t *warps;               /* for each launch, by position */
};

/* Prepares a pass over LAUNCHES up to the last of COUNT POSITIONS (from 1). WHAT is its
 * purpose, such as "reach"; it begins the progress line, which is not shown if QUIET. Returns
 * 0, or -1 with ERR filled; prepass_finish() either way. */
int prepass_init(struct prepass *pass, const char *what, struct progress_hook hook,
                 const struct launches *launches, const size_t *positions, size_t count,
                 struct error *err);
/* Removes the progress line. */
void prepass_finish(struct prepass *pass);

#endif
