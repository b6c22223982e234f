#include "tools/run/plan/warm_plan.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/plan/plan_line.h"
#include "tools/run/plan/state_file.h"
#include "tools/run/plan/state_parts.h"
#include "tools/run/prepass.h"
#include "traces/base/files/paths.h"
#include "traces/base/process/stop.h"

/* A launch of the workload's list. */
struct listed {
    size_t command;      /* of its line */
    size_t first_copies; /* the first line of the copies before it */
};

struct making {
    const struct warm_plan *warm;
    const struct warm_variant *variant; /* the variant whose plan is made */
    const struct input *input;
    const struct trace_workload *workload;
    struct warmup warmup;
    struct warmup_task task;
    struct listed *listed; /* from 0: the first launch, position 1, is listed[0] */
    size_t *measured;      /* positions */
    size_t *items;         /* for each measured launch: its item in the plan */
    uint32_t *reach;       /* of each variant, for each measured launch: launches to go back */
    size_t *restored; /* likewise: positions whose states are restored, if the policy has any */
    bool *wanted;     /* of each variant, for each position from 0: whether that state is */
    struct plan *plan; /* being made */
};

static int list_launches(struct making *making)
{
    const struct trace_workload *workload = making->workload;
    size_t first = 0;
    for (size_t i = 0; i < workload->count; i++) {
        if (workload->commands[i].kind != TRACE_KERNEL)
            continue;
        making->listed[making->task.launches++] = (struct listed){i, first};
        first = i + 1;
    }
    return 0;
}

/* The position of a launch of the plan in the workload's list; 0: it is not in the list. */
static size_t position_of(const struct input *input, const struct plan_launch *launch)
{
    if (!input->plan->written)
        return launch->position;
    const struct launch_header *known = launches_find(&input->launches, launch->name);
    return known != NULL ? launches_position(&input->launches, known) : 0;
}

static int list_measured(struct making *making, struct error *err)
{
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

static int add_copies(struct making *making, const struct listed *listed, struct error *err)
{
    int result = 0;
    for (size_t i = listed->first_copies; i < listed->command && result == 0; i++)
        if (trace_command_writes(&making->workload->commands[i]))
            result = plan_add_copy(making->plan, &making->workload->commands[i], 0, err);
    return result;
}

static int add_warm(struct making *making, const struct listed *listed, enum plan_mode mode,
                    struct error *err)
{
    const struct trace_command *command = &making->workload->commands[listed->command];
    struct plan_item *item = plan_add(making->plan, PLAN_LAUNCH, 0, err);
    if (item == NULL)
        return -1;
    item->launch = (struct plan_launch){
        .name = command->text, .role = PLAN_WARM, .mode = mode, .step = &plan_step_none};
    return 0;
}

static int add_text(struct making *making, enum plan_kind kind, const char *text,
                    struct error *err)
{
    struct plan_item *item = plan_add(making->plan, kind, 0, err);
    if (item == NULL)
        return -1;
    item->text = plan_keep(making->plan, text, err);
    return item->text != NULL ? 0 : -1;
}

static int add_segment(struct making *making, size_t position, struct error *err)
{
    struct plan_item *item = plan_add(making->plan, PLAN_SEGMENT, 0, err);
    if (item == NULL)
        return -1;
    item->segment.number = (uint32_t)position;
    item->segment.text = plan_keep(making->plan, position != 0 ? "launch" : "states", err);
    return item->segment.text != NULL ? 0 : -1;
}

/* What the state before the launch at POSITION is named by. */
static size_t state_number(const struct making *making, size_t position)
{
    const struct listed *listed = &making->listed[position - 1];
    return making->warm->given
               ? launches_number(&making->input->launches,
                                 making->workload->commands[listed->command].text, position)
               : position;
}

static int add_state(struct making *making, enum plan_kind kind, size_t position,
                     struct error *err)
{
    char path[PATH_MAX];
    if (state_parts_place(path, making->variant->states, state_number(making, position), err) !=
        0)
        return -1;
    return add_text(making, kind, path, err);
}

/* Adds item NUMBER of the original plan, with its launch if that is measured. */
static int add_measured(struct making *making, size_t number, struct error *err)
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
    struct making *making = data;
    const struct listed *listed = step->launch != 0 ? &making->listed[step->launch - 1] : NULL;
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

#define POLICY_ROOM 128 /* at least what warmup_parse() takes */

/* The policy for !warm. prime:P without a policy does not change the plan, so the policy of
 * the original plan stays: prime:P is added to it, or replaces another prime:P. A correction
 * applies to launches that are measured as a whole, so only the cold start remains of it. */
static void name_policy(const struct making *making, char name[2 * POLICY_ROOM])
{
    const char *policy = making->warm->policy, *before = making->input->plan->warm;
    struct warmup made = {0};
    struct error ignored = {0};
    snprintf(name, 2 * POLICY_ROOM, "%s", policy);
    if (making->warmup.policy != NULL || before == NULL ||
        warmup_parse(&made, before, &ignored) != 0 || made.policy == NULL)
        return;
    char copy[POLICY_ROOM], *rest = copy, *part;
    size_t length = 0;
    snprintf(copy, sizeof copy, "%s",
             made.correction != NULL ? made.policy->policy.name : before);
    while ((part = strsep(&rest, "+")) != NULL)
        if (strncmp(part, "prime:", 6) != 0)
            length += (size_t)sprintf(name + length, "%s+", part);
    snprintf(name + length, 2 * POLICY_ROOM - length, "%s", policy);
}

/* Adds the line !warm. */
static int add_policy(struct making *making, struct error *err)
{
    char policy[2 * POLICY_ROOM], line[5 * POLICY_ROOM];
    name_policy(making, policy);
    FILE *out = fmemopen(line, sizeof line, "w");
    if (out == NULL)
        return error_no_memory(err);
    fputs("!warm", out);
    plan_line_write_pair(out, "policy", policy);
    fclose(out);
    making->plan->warm = plan_keep(making->plan, policy, err);
    return making->plan->warm != NULL ? plan_add_remark(making->plan, line, err) : -1;
}

static int add_head(struct making *making, struct error *err)
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

/* Begins a pass for the purpose WHAT over the launches up to the last of COUNT POSITIONS; the
 * task gets its watch. */
static int begin_pass(struct making *making, struct prepass *pass, const char *what,
                      const size_t *positions, size_t count, struct error *err)
{
    int result = prepass_init(pass, what, making->warm->progress, &making->input->launches,
                              positions, count, err);
    making->task.watch = &pass->watch;
    return result;
}

static void end_pass(struct making *making, struct prepass *pass)
{
    making->task.watch = NULL;
    prepass_finish(pass);
}

/* Makes the task that of VARIANT. */
static void turn_to(struct making *making, size_t variant)
{
    making->variant = &making->warm->variants[variant];
    making->task.reach = making->reach + variant * making->task.count;
}

/* Finds how far VARIANT's launches go back, and which states they restore. */
static int find_reach(struct making *making, size_t variant, struct error *err)
{
    struct prepass pass;
    uint32_t *reach = making->reach + variant * making->task.count;
    int result = begin_pass(making, &pass, "reach", making->measured, making->task.count, err);
    if (result == 0)
        result = warmup_reach(making->workload, making->variant->config, &making->warmup,
                              &making->task, reach, err);
    end_pass(making, &pass);
    return result;
}

static bool has_states(const struct making *making)
{
    return making->warmup.policy != NULL && making->warmup.policy->states;
}

static int look_back(struct making *making, size_t variant, struct error *err)
{
    size_t *restored = making->restored + variant * making->task.count;
    bool *wanted = making->wanted + variant * (making->task.launches + 1);
    turn_to(making, variant);
    int result = making->warmup.automatic ? find_reach(making, variant, err) : 0;
    for (size_t i = 0; i < making->task.count && has_states(making) && result == 0; i++) {
        restored[i] = warmup_state(&making->warmup, &making->task, i);
        wanted[restored[i]] = true;
    }
    return result;
}

/* Adds all items unchanged, except for the prime=P of measured launches. */
static int add_all(struct making *making, struct error *err)
{
    int result = 0;
    for (size_t i = 0; i < making->input->plan->count && result == 0; i++)
        if (!making->input->skip[i])
            result = add_measured(making, i, err);
    return result;
}

static int make_plan(struct making *making, size_t variant, struct error *err)
{
    struct warmup *warmup = &making->warmup;
    turn_to(making, variant);
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

/* ---- states ---- */

static int take_state(void *data, struct sim *sim, const struct sim_needs *needs, size_t config,
                      size_t launch, struct error *err)
{
    const struct making *making = data;
    char path[PATH_MAX];
    if (!making->wanted[config * (making->task.launches + 1) + launch])
        return 0;
    return state_parts_path(path, &making->warm->variants[config], launch, err) == 0
               ? state_file_save(sim, needs, path, err)
               : -1;
}

static int save_states(struct making *making, const struct sim_config **configs,
                       struct error *err)
{
    struct prepass pass;
    const struct warm_plan *warm = making->warm;
    for (size_t v = 0; v < warm->count; v++)
        configs[v] = warm->variants[v].config;
    struct warmup_task task = making->task;
    task.measured = making->restored;
    task.count *= warm->count;
    int result = begin_pass(making, &pass, "states", task.measured, task.count, err);
    task.watch = making->task.watch;
    const struct warmup_states states = {
        .workload = making->workload,
        .task = &task,
        .spec = {.configs = configs,
                 .count = warm->count,
                 .needed = making->warmup.policy->ahead,
                 .take = take_state,
                 .data = making},
    };
    if (result == 0)
        result =
            (making->warmup.policy->make_states != NULL ? making->warmup.policy->make_states
                                                        : warmup_states_make)(&states, err);
    end_pass(making, &pass);
    return result;
}

static int make_states(struct making *making, struct error *err)
{
    const struct sim_config **configs = calloc(making->warm->count, sizeof *configs);
    int result = configs != NULL ? save_states(making, configs, err) : error_no_memory(err);
    free(configs);
    return result;
}

/* Whether the state before the launch at POSITION is there. */
static int check_given(const struct making *making, const struct warm_variant *variant,
                       size_t position, struct error *err)
{
    char path[PATH_MAX];
    if (state_parts_place(path, variant->place, state_number(making, position), err) != 0)
        return -1;
    FILE *file = fopen(path, "rb");
    int result = file == NULL ? error_set(err, ERROR_TRACE, path, 0, 0,
                                          "a measured launch has no state: %s", strerror(errno))
                 : sim_is_saved(file)
                     ? 0
                     : error_set(err, ERROR_TRACE, path, 0, 0, "the file is not a state of L2");
    if (file != NULL)
        fclose(file);
    return result;
}

/* Whether all states are there. */
static int check_all_given(struct making *making, struct error *err)
{
    int result = 0;
    /* Before the application's first launch there are only copies, as in other plans. */
    making->task.first_state = making->task.launches > 0 && state_number(making, 1) != 1;
    for (size_t v = 0; v < making->warm->count; v++)
        for (size_t i = 0; i < making->task.count && result == 0; i++)
            if (making->restored[i] > 1 || making->task.first_state)
                result =
                    check_given(making, &making->warm->variants[v], making->restored[i], err);
    return result;
}

/* Checks everything that can be checked before a pass over the workload. */
static int check(const struct making *making, struct error *err)
{
    char name[2 * POLICY_ROOM], names[POLICY_NAMES];
    const struct warm_plan *warm = making->warm;
    name_policy(making, name);
    if (strlen(name) >= POLICY_ROOM)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "warm-up \"%.60s ...\" is longer than plans can have it", name);
    if (warm->given && (!has_states(making) || !making->warmup.policy->traced))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "states that the tracer made are of policy nsl, not %s", warm->policy);
    if (warm->count > 1 && !has_states(making))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "warm-up %s has no states of L2: variants need %s", warm->policy,
                         warmup_names(WARMUP_WITH_STATES, names));
    if (warm->now && !has_states(making))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "warm-up %s has no states of L2 to make now: %s have", warm->policy,
                         warmup_names(WARMUP_WITH_STATES, names));
    if ((warm->count > 1 || warm->now) && making->warmup.policy->step == WARMUP_DETAILED)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "warm-up %s: the run of the plan makes its states, for one "
                         "configuration",
                         warm->policy);
    for (size_t v = 0; v < warm->count && has_states(making); v++)
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

static int make_plans(struct making *making, struct error *err)
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
                 : warm->given ? check_all_given(making, err)
                               : 0;
    if (result == 0 && makes)
        result = make_states(making, err);
    for (size_t v = 0; v < warm->count && result == 0; v++)
        result = make_plan(making, v, err);
    return result;
}

static int make_all(struct making *making, struct error *err)
{
    struct error ignored = {0};
    if (check(making, err) != 0)
        return -1;
    int result = make_plans(making, err);
    bool made = result == 0;
    if (has_states(making) && !making->warm->given &&
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
static int check_overlap(const struct making *making, struct error *err)
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
    struct making making = {.warm = warm, .input = input, .workload = input_workload(input)};
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
    else if (list_launches(&making) == 0 && list_measured(&making, err) == 0)
        result = make_all(&making, err);
    free(making.listed);
    free(making.measured);
    free(making.items);
    free(making.reach);
    free(making.restored);
    free(making.wanted);
    return result;
}
