/* A pass over a workload's launches before or after a simulation: its progress, and its end by
 * a signal. */
#ifndef HEARTH_TOOLS_RUN_PREPASS_H
#define HEARTH_TOOLS_RUN_PREPASS_H

#include "tools/run/plan/launches.h"
#include "tools/run/progress.h"
#include "warmup/warmup.h"

struct prepass {
    struct warmup_watch watch; /* for struct warmup_task */
    struct progress progress;
    struct progress_launch launch; /* the one in hand */
    size_t position;               /* of it; 0: none yet */
    uint64_t insts;                /* of it, so far */
    uint64_t *warps;               /* of each launch, by position */
};

/* A pass over LAUNCHES up to the last of COUNT at POSITIONS (from 1) is going to begin. WHAT it
 * is for, "reach", stands in front of the line, which is not shown if QUIET. Returns 0, or -1
 * with ERR filled; prepass_finish() either way. */
int prepass_init(struct prepass *pass, const char *what, struct progress_hook hook,
                 const struct launches *launches, const size_t *positions, size_t count,
                 struct error *err);
/* Takes the line away. */
void prepass_finish(struct prepass *pass);

#endif
