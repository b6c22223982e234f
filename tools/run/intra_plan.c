#include "tools/run/intra_plan.h"

#include "sampling/intra/intra.h"

static bool takes(const struct plan_item *item)
{
    return item->kind == PLAN_LAUNCH && item->launch.role == PLAN_MEASURE &&
           item->launch.mode == PLAN_DETAILED && item->launch.step->intra == NULL;
}

int intra_plan_apply(struct plan *plan, const char *text, struct error *err)
{
    struct intra_spec spec;
    const char *kept = plan_keep(plan, text, err);
    if (kept == NULL || intra_parse(&spec, text, err) != 0)
        return -1;
    const struct plan_step *old = NULL; /* launches with one step get one */
    struct plan_step *step = NULL;
    for (size_t i = 0; i < plan->count; i++) {
        struct plan_item *item = &plan->items[i];
        if (!takes(item))
            continue;
        if (item->launch.step != old) {
            old = item->launch.step;
            if ((step = plan_add_step(plan, old, err)) == NULL)
                return -1;
            step->intra = kept;
        }
        item->launch.step = step;
    }
    return 0;
}

/* What a launch cannot have together with a method inside it; NULL: all is well. */
static const char *conflict(const struct plan_step *step, const char *overlap,
                            uint64_t intervals, bool corrected)
{
    if (overlap != NULL)
        return "launches that overlap (gpgpu_concurrent_kernel_sm, hearth_programmatic) are "
               "simulated in full";
    if (step->prime_percent > 0)
        return "not together with prime=";
    if (intervals != 0)
        return "not together with --intervals: there is no series of what was left out";
    return corrected ? "a correction applies to launches that are simulated in full" : NULL;
}

int intra_plan_check(const struct plan *plan, const bool *skip, const char *overlap,
                     uint64_t intervals, bool corrected, struct error *err)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_item *item = &plan->items[i];
        struct intra_spec spec;
        struct error why = {0};
        if (skip[i] || item->kind != PLAN_LAUNCH || item->launch.step->intra == NULL)
            continue;
        if (intra_parse(&spec, item->launch.step->intra, &why) != 0)
            return error_set(err, why.kind, plan->path, item->line, 0, "%s", why.text);
        const char *reason = conflict(item->launch.step, overlap, intervals, corrected);
        if (reason != NULL)
            return error_set(err, ERROR_USAGE, plan->path, item->line, 0, "intra=: %s", reason);
    }
    return 0;
}
