/* Makes a plan from another by a warm-up policy. */
#ifndef HEARTH_TOOLS_RUN_PLAN_WARM_PLAN_H
#define HEARTH_TOOLS_RUN_PLAN_WARM_PLAN_H

#include "sim/config.h"
#include "tools/run/plan/input.h"
#include "tools/run/progress/progress.h"
#include "warmup/warmup.h"

/* A configuration for which a plan is made. */
struct warm_variant {
    const struct sim_config *config; /* its L2 decides automatic reach and states */
    const char *states;              /* folder of states, as the plan names it */
    const char *place;               /* the same folder, as this process names it; created if
                                        missing, unless the states are `given` */
    struct plan *plan;               /* the resulting plan; the caller destroys it */
};

/* How to change the plan. */
struct warm_plan {
    const char *policy; /* as for warmup_parse() */
    struct warm_variant *variants;
    size_t count; /* at least 1; more than 1 only if the policy restores states */
    struct progress_hook progress; /* of passes over the workload */
    bool now;   /* the states are saved before the plan is run, even if it is for one variant */
    bool given; /* the tracer made the states of policy nsl: launch-<number>.l2 in the variants'
                   folders. None are made */
};

/* Makes a plan for each variant. It measures the launches of INPUT's plan (without skipped
 * ones), in the same order and with the same scales, each after the warm-up steps of the
 * policy. It uses strings of INPUT and must not outlive it. Segments, copies, flushes, states
 * and warm-up launches of INPUT's plan are replaced by those of the policy, unless it is only
 * prime:P. If states are needed before the run, or by several variants, or `now`, they are
 * saved first, in one pass over the workload; otherwise the plan saves them. If this function
 * fails it removes them again. Returns 0, -1, or the exit code if a signal stopped it; ERR is
 * then filled. */
int warm_plan_make(const struct warm_plan *warm, const struct input *input, struct error *err);

#endif
