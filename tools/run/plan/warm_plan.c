#include "tools/run/plan/warm_plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/run/plan/plan_line.h"
#include "tools/run/plan/state_file.h"
#include "tools/run/prepass.h"
#include "tools/run/stop.h"
#include "traces/base/files/paths.h"

/* A launch of the workload's list. */
struct listed {
    size_t command;      /* of its line */
    size_t first_copies; /* first line in front of it that belongs to it */
};

struct writing {
    const struct warm_plan *warm;
    const struct warm_variant *variant; /* whose plan is written */
    const struct input *input;
    const struct trace_workload *workload;
    struct warmup warmup;
    struct warmup_task task;
    struct listed *listed; /* from 0; position 1 is the first */
    size_t *measured;      /* positions */
    size_t *restored; /* positions whose states they restore, where the policy has states */
    size_t *items;    /* of the plan, of each measured launch */
    uint32_t *reach;
    FILE *out;
};

static int list_launches(struct writing *writing)
{
    const struct trace_workload *workload = writing->workload;
    size_t first = 0;
    for (size_t i = 0; i < workload->count; i++) {
        if (workload->commands[i].kind != TRACE_KERNEL)
            continue;
        writing->listed[writing->task.launches++] = (struct listed){i, first};
        first = i + 1;
    }
    return 0;
}

/* The position of a launch of the plan in the workload's list; 0: it is not there. */
static size_t position_of(const struct input *input, const struct plan_launch *launch)
{
    if (!input->plan->written)
        return launch->position;
    const struct launch_header *known = launches_find(&input->launches, launch->name);
    return known != NULL ? known->position : 0;
}

static int list_measured(struct writing *writing, struct error *err)
{
    const struct plan *plan = writing->input->plan;
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_item *item = &plan->items[i];
        if (item->kind != PLAN_LAUNCH || item->launch.role != PLAN_MEASURE ||
            writing->input->skip[i])
            continue;
        size_t position = position_of(writing->input, &item->launch);
        if (position == 0)
            return error_set(err, ERROR_USAGE, plan->path, item->line, 0,
                             "%s is not in the list of the workload: warm-up needs to know "
                             "what stands in front of it",
                             item->launch.name);
        writing->measured[writing->task.count] = position;
        writing->items[writing->task.count++] = i;
    }
    return 0;
}

/* ---- lines ---- */

static void write_copies(struct writing *writing, const struct listed *listed)
{
    for (size_t i = listed->first_copies; i < listed->command; i++) {
        const struct trace_command *command = &writing->workload->commands[i];
        if (command->kind == TRACE_COPY_HTOD)
            fprintf(writing->out, "MemcpyHtoD,0x%016llx,%llu\n",
                    (unsigned long long)command->address, (unsigned long long)command->bytes);
    }
}

static void write_warm(struct writing *writing, const struct listed *listed, const char *kind)
{
    fprintf(writing->out, "!step role=warm kind=%s\n%s\n", kind,
            writing->workload->commands[listed->command].text);
}

/* The file of the state in front of the launch at POSITION; NULL without memory. */
static char *state_path(const char *folder, size_t position)
{
    size_t room = strlen(folder) + 64;
    char *path = malloc(room);
    if (path != NULL)
        snprintf(path, room, "%s/launch-%zu.l2", folder, position);
    return path;
}

static int write_state(struct writing *writing, const char *word, size_t position,
                       struct error *err)
{
    char *path = state_path(writing->variant->states, position);
    if (path == NULL)
        return error_no_memory(err);
    fprintf(writing->out, "!%s", word);
    plan_line_write_pair(writing->out, "file", path);
    putc('\n', writing->out);
    free(path);
    return 0;
}

static void write_measured(struct writing *writing, size_t item)
{
    struct plan_item measured = writing->input->plan->items[item];
    if (measured.kind == PLAN_LAUNCH && measured.launch.role == PLAN_MEASURE &&
        writing->warmup.prime[0] != '\0')
        measured.launch.prime = writing->warmup.prime;
    plan_write_item(&measured, writing->out);
}

static int take_step(void *data, const struct warmup_step *step, struct error *err)
{
    static const char *const kinds[] = {[WARMUP_DETAILED] = "detailed",
                                        [WARMUP_MEMORY] = "memory",
                                        [WARMUP_FUNCTIONAL] = "functional"};
    struct writing *writing = data;
    const struct listed *listed = step->launch != 0 ? &writing->listed[step->launch - 1] : NULL;
    if (stop_signal() != 0)
        return 1;
    switch (step->kind) {
    case WARMUP_SEGMENT:
        if (step->launch != 0)
            fprintf(writing->out, "!segment name=launch-%zu\n", step->launch);
        else
            fputs("!segment name=states\n", writing->out);
        break;
    case WARMUP_COPIES:
        write_copies(writing, listed);
        break;
    case WARMUP_MEASURE:
        write_measured(writing, writing->items[step->measured]);
        break;
    case WARMUP_SAVE:
        return write_state(writing, "save", step->launch, err);
    case WARMUP_RESTORE:
        return write_state(writing, "restore", step->launch, err);
    default:
        write_warm(writing, listed, kinds[step->kind]);
    }
    return ferror(writing->out)
               ? error_set(err, ERROR_OUTPUT, NULL, 0, 0, "the plan could not be written")
               : 0;
}

#define POLICY_ROOM 128 /* more than warmup_parse() takes */

/* What !warm names. prime:P alone leaves the plan as it is, and so the policy that made it: it
 * adds to that, or takes the place of another prime:P. A correction is of launches that are
 * measured whole: what is left of it is that they start cold. */
static void name_policy(const struct writing *writing, char name[2 * POLICY_ROOM])
{
    const char *policy = writing->warm->policy, *before = writing->input->plan->warm;
    struct warmup made = {0};
    struct error ignored = {0};
    snprintf(name, 2 * POLICY_ROOM, "%s", policy);
    if (writing->warmup.policy != NULL || before == NULL ||
        warmup_parse(&made, before, &ignored) != 0 || made.policy == NULL)
        return;
    char copy[POLICY_ROOM], *rest = copy, *part;
    size_t length = 0;
    snprintf(copy, sizeof copy, "%s", made.correction != NULL ? made.policy->name : before);
    while ((part = strsep(&rest, "+")) != NULL)
        if (strncmp(part, "prime:", 6) != 0)
            length += (size_t)sprintf(name + length, "%s+", part);
    snprintf(name + length, 2 * POLICY_ROOM - length, "%s", policy);
}

static void write_head(const struct writing *writing)
{
    char policy[2 * POLICY_ROOM];
    const struct plan *plan = writing->input->plan;
    const char *digest = input_listed_digest(writing->input);
    fputs("!plan 1\n!workload", writing->out);
    plan_line_write_pair(writing->out, "path", plan->workload);
    if (digest != NULL)
        plan_line_write_pair(writing->out, "digest", digest);
    putc('\n', writing->out);
    for (size_t i = 0; i < plan->remark_count; i++)
        if (strncmp(plan->remarks[i], "!warm", 5) != 0)
            fprintf(writing->out, "%s\n", plan->remarks[i]);
    name_policy(writing, policy);
    fputs("!warm", writing->out);
    plan_line_write_pair(writing->out, "policy", policy);
    putc('\n', writing->out);
}

/* A pass for WHAT over the launches up to the last of POSITIONS, one for each measured launch;
 * the task gets its watch. */
static int begin_pass(struct writing *writing, struct prepass *pass, const char *what,
                      const size_t *positions, struct error *err)
{
    int result = prepass_init(pass, what, writing->warm->quiet, &writing->input->launches,
                              positions, writing->task.count, err);
    writing->task.watch = &pass->watch;
    return result;
}

static void end_pass(struct writing *writing, struct prepass *pass)
{
    writing->task.watch = NULL;
    prepass_finish(pass);
}

static int find_reach(struct writing *writing, struct error *err)
{
    struct prepass pass;
    int result = begin_pass(writing, &pass, "reach", writing->measured, err);
    if (result == 0)
        result = warmup_reach(writing->workload, writing->variant->config,
                              writing->warmup.percentile, &writing->task, writing->reach, err);
    end_pass(writing, &pass);
    return result;
}

static int write_plan(struct writing *writing, const struct warm_variant *variant,
                      struct error *err)
{
    struct warmup *warmup = &writing->warmup;
    writing->variant = variant;
    writing->out = variant->out;
    write_head(writing);
    if (warmup->policy == NULL) {
        for (size_t i = 0; i < writing->input->plan->count; i++)
            if (!writing->input->skip[i])
                write_measured(writing, i);
        return 0;
    }
    int result = warmup->automatic ? find_reach(writing, err) : 0;
    return result == 0 ? warmup_make(warmup, &writing->task, take_step, writing, err) : result;
}

/* ---- states ---- */

/* Where the states of a variant are until all are made: those of an earlier plan stay whole
 * until then. NULL without memory. */
static char *part_folder(const struct warm_variant *variant)
{
    size_t room = strlen(variant->place) + 32;
    char *folder = malloc(room);
    if (folder != NULL)
        snprintf(folder, room, "%s.part-%ld", variant->place, (long)getpid());
    return folder;
}

static int take_state(void *data, struct sim *sim, const struct sim_needs *needs, size_t config,
                      size_t launch, struct error *err)
{
    const struct writing *writing = data;
    char *folder = part_folder(&writing->warm->variants[config]);
    char *path = folder != NULL ? state_path(folder, launch) : NULL;
    int result = path != NULL ? state_file_save(sim, needs, path, err) : error_no_memory(err);
    free(folder);
    free(path);
    return result;
}

static int make_parts(const struct writing *writing, struct error *err)
{
    int result = 0;
    for (size_t v = 0; v < writing->warm->count && result == 0; v++) {
        char *folder = part_folder(&writing->warm->variants[v]);
        result = folder != NULL ? paths_make_folder(folder, err) : error_no_memory(err);
        free(folder);
    }
    return result;
}

/* One state goes where it belongs if KEEP, or away; if it was made. */
static int settle_state(const char *from, const char *to, bool keep, struct error *err)
{
    if (!keep) {
        unlink(from);
        return 0;
    }
    if (access(from, F_OK) != 0)
        return 0; /* launches that restore the same have one */
    if (trace_output_check(to, true, err) == 0) {
        if (rename(from, to) == 0)
            return 0;
        error_set(err, ERROR_OUTPUT, to, 0, 0, "cannot write: %s", strerror(errno));
    }
    unlink(from);
    return -1;
}

static int settle_variant(const struct writing *writing, const struct warm_variant *variant,
                          bool keep, struct error *err)
{
    char *folder = part_folder(variant);
    int result = folder == NULL ? error_no_memory(err)
                 : keep         ? paths_make_folder(variant->place, err)
                                : 0;
    for (size_t i = 0; folder != NULL && i < writing->task.count; i++) {
        char *from = state_path(folder, writing->restored[i]);
        char *to = state_path(variant->place, writing->restored[i]);
        if (from == NULL || to == NULL)
            result = error_no_memory(err);
        else if (settle_state(from, to, keep && result == 0, err) != 0)
            result = -1;
        free(from);
        free(to);
    }
    if (folder != NULL)
        rmdir(folder);
    free(folder);
    return result;
}

/* The plans are written, and so KEEP what they restore; or they are not. */
static int settle_states(const struct writing *writing, bool keep, struct error *err)
{
    int result = 0;
    for (size_t v = 0; v < writing->warm->count; v++)
        if (settle_variant(writing, &writing->warm->variants[v], keep && result == 0, err) != 0)
            result = -1;
    return result;
}

static int save_states(struct writing *writing, const struct sim_config **configs,
                       struct error *err)
{
    struct prepass pass;
    const struct warm_plan *warm = writing->warm;
    for (size_t v = 0; v < warm->count; v++)
        configs[v] = warm->variants[v].config;
    int result = begin_pass(writing, &pass, "states", writing->restored, err);
    struct warmup_task task = writing->task;
    task.measured = writing->restored;
    const struct warmup_states states = {
        .workload = writing->workload,
        .task = &task,
        .configs = configs,
        .count = warm->count,
        .needed = writing->warmup.policy->ahead,
        .take = take_state,
        .data = writing,
    };
    if (result == 0)
        result = warmup_states_make(&states, err);
    end_pass(writing, &pass);
    return result;
}

static int make_states(struct writing *writing, struct error *err)
{
    const struct sim_config **configs = calloc(writing->warm->count, sizeof *configs);
    int result = configs != NULL ? save_states(writing, configs, err) : error_no_memory(err);
    free(configs);
    return result;
}

static bool has_states(const struct writing *writing)
{
    return writing->warmup.policy != NULL && writing->warmup.policy->states;
}

/* What is wrong shows before a pass over the workload is made. */
static int check(const struct writing *writing, struct error *err)
{
    char name[2 * POLICY_ROOM];
    const struct warm_plan *warm = writing->warm;
    name_policy(writing, name);
    if (strlen(name) >= POLICY_ROOM)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "warm-up \"%.60s ...\" is longer than plans can have it", name);
    if (warm->count > 1 && !has_states(writing))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "warm-up %s has no states of L2: variants are for checkpoint and nsl",
                         warm->policy);
    for (size_t v = 0; v < warm->count && has_states(writing); v++)
        if (paths_check_folder(warm->variants[v].place, err) != 0)
            return -1;
    return 0;
}

static int write_plans(struct writing *writing, struct error *err)
{
    const struct warm_plan *warm = writing->warm;
    struct warmup *warmup = &writing->warmup;
    warmup->ahead |= warm->count > 1;
    for (size_t i = 0; i < writing->task.count && has_states(writing); i++)
        writing->restored[i] = warmup_state(warmup, &writing->task, i);
    int result = warmup->ahead ? make_parts(writing, err) : 0;
    if (result == 0 && warmup->ahead)
        result = make_states(writing, err);
    for (size_t v = 0; v < warm->count && result == 0; v++)
        result = write_plan(writing, &warm->variants[v], err);
    return result;
}

static int write_all(struct writing *writing, struct error *err)
{
    struct error ignored = {0};
    if (check(writing, err) != 0)
        return -1;
    int result = write_plans(writing, err);
    bool made = result == 0;
    if (has_states(writing) && settle_states(writing, made, made ? err : &ignored) != 0)
        result = made ? -1 : result;
    if (result <= 0)
        return result;
    error_set(err, ERROR_SIMULATION, NULL, 0, 0, "stopped by %s before the plan was made",
              stop_name());
    return stop_code();
}

/* A launch in a segment of its own has nobody beside it, and nobody's first part is its own. */
static int check_overlap(const struct writing *writing, struct error *err)
{
    const struct warmup *warmup = &writing->warmup;
    const struct warm_plan *warm = writing->warm;
    bool overlap = false;
    for (size_t v = 0; v < warm->count; v++)
        overlap |= warm->variants[v].config->options.gpgpu_concurrent_kernel_sm;
    if (overlap && warmup->policy != NULL && warmup->policy->alone)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "warm-up %s measures each launch alone: launches that overlap "
                         "(gpgpu_concurrent_kernel_sm) can have full or stitch",
                         warm->policy);
    if (overlap && strtod(warmup->prime, NULL) > 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "warm-up prime:%s: launches that overlap (gpgpu_concurrent_kernel_sm) "
                         "have no first part that is their own",
                         warmup->prime);
    return 0;
}

int warm_plan_write(const struct warm_plan *warm, const struct input *input, struct error *err)
{
    struct writing writing = {.warm = warm, .input = input, .workload = input_workload(input)};
    if (warmup_parse(&writing.warmup, warm->policy, err) != 0 ||
        check_overlap(&writing, err) != 0)
        return -1;
    size_t items = input->plan->count + 1;
    writing.listed = calloc(writing.workload->count + 1, sizeof *writing.listed);
    writing.measured = calloc(items, sizeof *writing.measured);
    writing.restored = calloc(items, sizeof *writing.restored);
    writing.items = calloc(items, sizeof *writing.items);
    writing.reach = calloc(items, sizeof *writing.reach);
    writing.task.measured = writing.measured;
    writing.task.reach = writing.reach;
    int result = -1;
    if (!writing.listed || !writing.measured || !writing.restored || !writing.items ||
        !writing.reach)
        error_no_memory(err);
    else if (list_launches(&writing) == 0 && list_measured(&writing, err) == 0)
        result = write_all(&writing, err);
    free(writing.listed);
    free(writing.measured);
    free(writing.restored);
    free(writing.items);
    free(writing.reach);
    return result;
}
