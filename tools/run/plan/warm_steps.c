/* The lines of a plan. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/plan/plan_line.h"
#include "tools/run/plan/state_parts.h"
#include "tools/run/plan/warm_making.h"
#include "traces/base/process/stop.h"

/* ---- launches ---- */

static void list_launches(struct warm_making *making)
{
    const struct trace_workload *workload = making->workload;
    size_t first = 0;
    for (size_t i = 0; i < workload->count; i++) {
        if (workload->commands[i].kind != TRACE_KERNEL)
            continue;
        making->listed[making->task.launches++] = (struct warm_listed){i, first};
        first = i + 1;
    }
}

/* The position of a launch of the plan in the workload's list; 0: it is not in the list. */
static size_t position_of(const struct input *input, const struct plan_launch *launch)
{
    if (!input->plan->written)
        return launch->position;
    const struct launch_header *known = launches_find(&input->launches, launch->name);
    return known != NULL ? launches_position(&input->launches, known) : 0;
}

int warm_making_list(struct warm_making *making, struct error *err)
{
    list_launches(making);
    const struct plan *plan = making->input->plan;
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_item *item = &plan->items[i];
        if (item->kind != PLAN_LAUNCH || item->launch.role != PLAN_MEASURE ||
            making->input->skip[i])
            continue;
        size_t position = position_of(making->input, &item->launch);
        if (position == 0)
            return error_set(err, ERROR_USAGE, plan->path, item->line, 0,
                             "%s is not in the list of the workload: warm-up needs to know "
                             "which launches precede it",
                             item->launch.name);
        making->measured[making->task.count] = position;
        making->items[making->task.count++] = i;
    }
    return 0;
}

/* ---- lines ---- */

static int add_copies(struct warm_making *making, const struct warm_listed *listed,
                      struct error *err)
{
    int result = 0;
    for (size_t i = listed->first_copies; i < listed->command && result == 0; i++)
        if (trace_command_writes(&making->workload->commands[i]))
            result = plan_add_copy(making->plan, &making->workload->commands[i], 0, err);
    return result;
}

static int add_warm(struct warm_making *making, const struct warm_listed *listed,
                    enum plan_mode mode, struct error *err)
{
    const struct trace_command *command = &making->workload->commands[listed->command];
    struct plan_item *item = plan_add(making->plan, PLAN_LAUNCH, 0, err);
    if (item == NULL)
        return -1;
    item->launch = (struct plan_launch){
        .name = command->text, .role = PLAN_WARM, .mode = mode, .step = &plan_step_none};
    return 0;
}

static int add_text(struct warm_making *making, enum plan_kind kind, const char *text,
                    struct error *err)
{
    struct plan_item *item = plan_add(making->plan, kind, 0, err);
    if (item == NULL)
        return -1;
    item->text = plan_keep(making->plan, text, err);
    return item->text != NULL ? 0 : -1;
}

static int add_segment(struct warm_making *making, size_t position, struct error *err)
{
    struct plan_item *item = plan_add(making->plan, PLAN_SEGMENT, 0, err);
    if (item == NULL)
        return -1;
    item->segment.number = (uint32_t)position;
    item->segment.text = plan_keep(making->plan, position != 0 ? "launch" : "states", err);
    return item->segment.text != NULL ? 0 : -1;
}

size_t warm_making_state_number(const struct warm_making *making, size_t position)
{
    const struct warm_listed *listed = &making->listed[position - 1];
    return making->warm->given
               ? launches_number(&making->input->launches,
                                 making->workload->commands[listed->command].text, position)
               : position;
}

static int add_state(struct warm_making *making, enum plan_kind kind, size_t position,
                     struct error *err)
{
    char path[PATH_MAX];
    if (state_parts_place(path, making->variant->states,
                          warm_making_state_number(making, position), err) != 0)
        return -1;
    return add_text(making, kind, path, err);
}

/* Adds item NUMBER of the original plan, with its launch if that is measured. */
static int add_measured(struct warm_making *making, size_t number, struct error *err)
{
    const struct plan_item *given = &making->input->plan->items[number];
    const char *prime = making->warmup.prime;
    struct plan_item *item = plan_add(making->plan, given->kind, given->line, err);
    if (item == NULL)
        return -1;
    *item = *given;
    if (item->kind != PLAN_LAUNCH || item->launch.role != PLAN_MEASURE || prime[0] == '\0')
        return 0;
    struct plan_step *step = plan_add_step(making->plan, given->launch.step, err);
    if (step == NULL)
        return -1;
    item->launch.step = step;
    step->prime_percent = strtod(prime, NULL);
    step->prime = plan_keep(making->plan, prime, err);
    return step->prime != NULL ? 0 : -1;
}

static int take_step(void *data, const struct warmup_step *step, struct error *err)
{
    struct warm_making *making = data;
    const struct warm_listed *listed =
        step->launch != 0 ? &making->listed[step->launch - 1] : NULL;
    if (stop_signal() != 0)
        return 1;
    switch (step->kind) {
    case WARMUP_SEGMENT:
        return add_segment(making, step->launch, err);
    case WARMUP_COPIES:
        return add_copies(making, listed, err);
    case WARMUP_DETAILED:
        return add_warm(making, listed, PLAN_DETAILED, err);
    case WARMUP_MEMORY:
        return add_warm(making, listed, PLAN_MEMORY, err);
    case WARMUP_FUNCTIONAL:
        return add_warm(making, listed, PLAN_FUNCTIONAL, err);
    case WARMUP_MEASURE:
        return add_measured(making, making->items[step->measured], err);
    case WARMUP_SAVE:
        return add_state(making, PLAN_SAVE, step->launch, err);
    case WARMUP_RESTORE:
        return add_state(making, PLAN_RESTORE, step->launch, err);
    }
    return -1;
}

/* ---- the plan ---- */

void warm_making_name(const struct warm_making *making, char name[2 * WARM_POLICY_ROOM])
{
    const char *policy = making->warm->policy, *before = making->input->plan->warm;
    struct warmup made = {0};
    struct error ignored = {0};
    snprintf(name, 2 * WARM_POLICY_ROOM, "%s", policy);
    if (making->warmup.policy != NULL || before == NULL ||
        warmup_parse(&made, before, &ignored) != 0 || made.policy == NULL)
        return;
    char copy[WARM_POLICY_ROOM], *rest = copy, *part;
    size_t length = 0;
    snprintf(copy, sizeof copy, "%s",
             made.correction != NULL ? made.policy->policy.name : before);
    while ((part = strsep(&rest, "+")) != NULL)
        if (strncmp(part, "prime:", 6) != 0)
            length += (size_t)sprintf(name + length, "%s+", part);
    snprintf(name + length, 2 * WARM_POLICY_ROOM - length, "%s", policy);
}

/* Adds the line !warm. */
static int add_policy(struct warm_making *making, struct error *err)
{
    char policy[2 * WARM_POLICY_ROOM], line[5 * WARM_POLICY_ROOM];
    warm_making_name(making, policy);
    FILE *out = fmemopen(line, sizeof line, "w");
    if (out == NULL)
        return error_no_memory(err);
    fputs("!warm", out);
    plan_line_write_pair(out, "policy", policy);
    fclose(out);
    making->plan->warm = plan_keep(making->plan, policy, err);
    return making->plan->warm != NULL ? plan_add_remark(making->plan, line, err) : -1;
}

static int add_head(struct warm_making *making, struct error *err)
{
    const struct plan *given = making->input->plan;
    making->plan = plan_create(given->path, true, err);
    if (making->plan == NULL)
        return -1;
    making->plan->names = given->names;
    making->plan->workload = strdup(given->workload);
    if (making->plan->workload == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < given->remark_count; i++)
        if (strncmp(given->remarks[i], "!warm", 5) != 0 &&
            plan_add_remark(making->plan, given->remarks[i], err) != 0)
            return -1;
    return add_policy(making, err);
}

/* Adds all items unchanged, except for the prime=P of measured launches. */
static int add_all(struct warm_making *making, struct error *err)
{
    int result = 0;
    for (size_t i = 0; i < making->input->plan->count && result == 0; i++)
        if (!making->input->skip[i])
            result = add_measured(making, i, err);
    return result;
}

int warm_making_plan(struct warm_making *making, size_t variant, struct error *err)
{
    struct warmup *warmup = &making->warmup;
    warm_making_turn(making, variant);
    int result = add_head(making, err);
    if (result == 0 && warmup->policy == NULL)
        result = add_all(making, err);
    if (result == 0 && warmup->policy != NULL)
        result = warmup_make(warmup, &making->task, take_step, making, err);
    if (result != 0)
        plan_destroy(making->plan);
    making->warm->variants[variant].plan = result == 0 ? making->plan : NULL;
    return result;
}
