/* A plan as a warm-up policy makes it of another. */
#ifndef HEARTH_TOOLS_WARM_PLAN_H
#define HEARTH_TOOLS_WARM_PLAN_H

#include <stdio.h>

#include "sim/config.h"
#include "tools/input.h"
#include "warmup/warmup.h"

/* What a plan is to become. */
struct warm_plan {
    const char *policy;              /* as given, see warmup_parse() */
    const struct sim_config *config; /* whose L2 automatic reach looks at */
    const char *states;              /* folder for states that the plan saves */
};

/* Writes the plan that measures what INPUT's plan measures (without what is left out), in that
 * order and with the same scales, behind what the policy puts in front of it. Segments,
 * copies, flushes, states and warm-up launches of INPUT's plan are replaced by the policy's,
 * unless it is prime:P alone. Returns 0, or -1 with ERR filled. */
int warm_plan_write(const struct warm_plan *warm, const struct input *input, FILE *out,
                    struct error *err);

#endif
