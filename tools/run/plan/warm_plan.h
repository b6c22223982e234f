/* A plan as a warm-up policy makes it of another. */
#ifndef HEARTH_TOOLS_RUN_PLAN_WARM_PLAN_H
#define HEARTH_TOOLS_RUN_PLAN_WARM_PLAN_H

#include "sim/config.h"
#include "tools/run/plan/input.h"
#include "tools/run/progress.h"
#include "warmup/warmup.h"

/* A configuration that the plan is to be carried out with. */
struct warm_variant {
    const struct sim_config *config; /* whose L2 automatic reach and states look at */
    const char *states;              /* folder for states, as the plan names it */
    const char *place;               /* the same for this process; made if it is not there */
    struct plan *plan;               /* gets the plan, which the caller destroys */
};

/* What a plan is to become. */
struct warm_plan {
    const char *policy; /* as given, see warmup_parse() */
    struct warm_variant *variants;
    size_t count; /* at least 1; more than 1 only where the policy restores states */
    struct progress_hook progress; /* of passes over the workload */
};

/* Makes plans that measure what INPUT's plan measures (without what is left out), in that order
 * and with the same scales, after the warm-up that the policy puts before it: a plan for each
 * variant, which uses strings of INPUT and must not outlive it.
 * Segments, copies, flushes, states and warm-up launches of INPUT's plan are replaced by the
 * policy's, unless it is prime:P alone. States that are needed ahead, or by several variants,
 * are made first, in one pass over the workload; otherwise the plan makes them. Those are
 * removed again when it fails. Returns 0, -1, or the exit code when a signal stopped it; ERR is
 * then filled. */
int warm_plan_make(const struct warm_plan *warm, const struct input *input, struct error *err);

#endif
