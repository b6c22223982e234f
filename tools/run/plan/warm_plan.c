#include "tools/run/plan/warm_plan.h"

#include <stdlib.h>
#include <string.h>

#include "tools/run/plan/state_parts.h"
#include "tools/run/plan/warm_making.h"
#include "traces/base/files/paths.h"
#include "traces/base/process/stop.h"

int warm_making_begin_pass(struct warm_making *making, struct prepass *pass, const char *what,
                           const size_t *positions, size_t count, struct error *err)
{
    int result = prepass_init(pass, what, making->warm->progress, &making->input->launches,
                              positions, count, err);
    making->task.watch = &pass->watch;
    return result;
}

void warm_making_end_pass(struct warm_making *making, struct prepass *pass)
{
    making->task.watch = NULL;
    prepass_finish(pass);
}

static int find_reach(struct warm_making *making, size_t variant, struct error *err)
{
    struct prepass pass;
    uint32_t *reach = making->reach + variant * making->task.count;
    int result = warm_making_begin_pass(making, &pass, "reach", making->measured,
                                        making->task.count, err);
    if (result == 0)
        result = warmup_reach(making->workload, making->variant->config, &making->warmup,
                              &making->task, reach, err);
    warm_making_end_pass(making, &pass);
    return result;
}

/* Finds how far VARIANT's launches go back, and which states they restore. */
static int look_back(struct warm_making *making, size_t variant, struct error *err)
{
    size_t *restored = making->restored + variant * making->task.count;
    bool *wanted = making->wanted + variant * (making->task.launches + 1);
    warm_making_turn(making, variant);
    int result = making->warmup.automatic ? find_reach(making, variant, err) : 0;
    for (size_t i = 0; i < making->task.count && warm_making_has_states(making) && result == 0;
         i++) {
        restored[i] = warmup_state(&making->warmup, &making->task, i);
        wanted[restored[i]] = true;
    }
    return result;
}

/* Checks everything that can be checked before a pass over the workload. */
static int check(const struct warm_making *making, struct error *err)
{
    char name[2 * WARM_POLICY_ROOM], names[POLICY_NAMES];
    const struct warm_plan *warm = making->warm;
    warm_making_name(making, name);
    if (strlen(name) >= WARM_POLICY_ROOM)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "warm-up \"%.60s ...\" is longer than plans can have it", name);
    if (warm->given && (!warm_making_has_states(making) || !making->warmup.policy->traced))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "states that the tracer made are of policy nsl, not %s", warm->policy);
    if (warm->count > 1 && !warm_making_has_states(making))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "warm-up %s has no states of L2: variants need %s", warm->policy,
                         warmup_names(WARMUP_WITH_STATES, names));
    if (warm->now && !warm_making_has_states(making))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "warm-up %s has no states of L2 to make now: %s have", warm->policy,
                         warmup_names(WARMUP_WITH_STATES, names));
    if ((warm->count > 1 || warm->now) && making->warmup.policy->step == WARMUP_DETAILED)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "warm-up %s: the run of the plan makes its states, for one "
                         "configuration",
                         warm->policy);
    for (size_t v = 0; v < warm->count && warm_making_has_states(making); v++)
        if (!warm->variants[v].config->l2.enabled)
            return error_set(err, ERROR_USAGE, NULL, 0, 0,
                             "warm-up %s saves states of L2, but the configuration has no L2",
                             warm->policy);
        else if (warm->variants[v].place == NULL)
            return error_set(err, ERROR_USAGE, NULL, 0, 0,
                             "warm-up %s saves states next to the results: they need a folder",
                             warm->policy);
        else if (paths_check_folder(warm->variants[v].place, err) != 0)
            return -1;
    return 0;
}

static int make_plans(struct warm_making *making, struct error *err)
{
    const struct warm_plan *warm = making->warm;
    struct warmup *warmup = &making->warmup;
    int result = 0;
    warmup->ahead |= warm->count > 1 || warm->now;
    for (size_t v = 0; v < warm->count && result == 0; v++)
        result = look_back(making, v, err);
    bool makes = warmup->ahead && !warm->given;
    if (result == 0)
        result = makes         ? state_parts_make(making->warm, err)
                 : warm->given ? warm_making_check_given(making, err)
                               : 0;
    if (result == 0 && makes)
        result = warm_making_save(making, err);
    for (size_t v = 0; v < warm->count && result == 0; v++)
        result = warm_making_plan(making, v, err);
    return result;
}

static int make_all(struct warm_making *making, struct error *err)
{
    struct error ignored = {0};
    if (check(making, err) != 0)
        return -1;
    int result = make_plans(making, err);
    bool made = result == 0;
    if (warm_making_has_states(making) && !making->warm->given &&
        state_parts_settle(making->warm, making->restored,
                           making->task.count * making->warm->count, made,
                           made ? err : &ignored) != 0)
        result = made ? -1 : result;
    if (result <= 0)
        return result;
    error_set(err, ERROR_SIMULATION, NULL, 0, 0, "stopped by %s before the plan was made",
              stop_name());
    return stop_code();
}

/* A launch in a segment of its own runs alone, and a launch that overlaps others has no first
 * part of its own. */
static int check_overlap(const struct warm_making *making, struct error *err)
{
    const struct warmup *warmup = &making->warmup;
    const struct warm_plan *warm = making->warm;
    char names[POLICY_NAMES];
    bool overlap = false;
    for (size_t v = 0; v < warm->count; v++)
        overlap |= warm->variants[v].config->options.gpgpu_concurrent_kernel_sm;
    if (overlap && warmup->policy != NULL && warmup->policy->alone)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "warm-up %s measures each launch alone: launches that overlap "
                         "(gpgpu_concurrent_kernel_sm) can have %s",
                         warm->policy, warmup_names(WARMUP_CONCURRENT, names));
    if (overlap && strtod(warmup->prime, NULL) > 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "warm-up prime:%s: launches that overlap (gpgpu_concurrent_kernel_sm) "
                         "have no first part that is their own",
                         warmup->prime);
    return 0;
}

int warm_plan_make(const struct warm_plan *warm, const struct input *input, struct error *err)
{
    struct warm_making making = {
        .warm = warm, .input = input, .workload = input_workload(input)};
    if (warmup_parse(&making.warmup, warm->policy, err) != 0 ||
        check_overlap(&making, err) != 0)
        return -1;
    size_t items = input->plan->count + 1;
    making.listed = calloc(making.workload->count + 1, sizeof *making.listed);
    making.measured = calloc(items, sizeof *making.measured);
    making.items = calloc(items, sizeof *making.items);
    making.reach = calloc(items * warm->count, sizeof *making.reach);
    making.restored = calloc(items * warm->count, sizeof *making.restored);
    making.wanted = calloc((making.workload->count + 1) * warm->count, sizeof *making.wanted);
    making.task.measured = making.measured;
    int result = -1;
    if (!making.listed || !making.measured || !making.items || !making.reach ||
        !making.restored || !making.wanted)
        error_no_memory(err);
    else if (warm_making_list(&making, err) == 0)
        result = make_all(&making, err);
    free(making.listed);
    free(making.measured);
    free(making.items);
    free(making.reach);
    free(making.restored);
    free(making.wanted);
    return result;
}
