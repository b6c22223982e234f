/* hearth warm: rewrites a plan so that its launches start warm. */
#define _GNU_SOURCE /* asprintf */
#include <stdlib.h>
#include <string.h>

#include "tools/commands/command.h"
#include "tools/run/input_guard.h"
#include "tools/run/plan/warm_plan.h"
#include "tools/run/progress/progress_line.h"
#include "tools/run/run.h"
#include "tools/run/values/value_lists.h"
#include "traces/base/files/output_files.h"
#include "traces/base/files/paths.h"
#include "traces/base/process/heap.h"
#include "traces/base/process/stop.h"

struct warm_work {
    const char *target, *policy, *output, *given;
    const char **configs, **sets, **variants;
    size_t config_count, set_count, variant_count;
    bool force, quiet, now, outside;
    struct made {
        struct sim_config *config;
        const char *states; /* as in struct warm_variant; part of: */
        char *place, *relative;
    } made[OUTPUT_FILES_MOST]; /* for the configuration and its variants */
    struct input input;
    struct notes notes;
    const char **names; /* of inputs */
    struct input_guard reads;
    struct output_files outputs;
};

#define AT(member)          CLI_AT(struct warm_work, member)
#define LIST_AT(list, many) CLI_LIST_AT(struct warm_work, list, many)

static const struct cli_option table[] = {
    {0, "warm", "POLICY",
     "what is done for each measured launch, in a segment of its own unless said otherwise:",
     CLI_TEXT, AT(policy), .required = true, .describe = warmup_describe, .former = "policy"},
    {'o', "output", "PLAN",
     "the plan to write; states of checkpoint, nsl and wood go to PLAN.states; "
     "\"-\" is standard output, for policies without states",
     CLI_TEXT, AT(output), .required = true},
    {'c', "config", "CONFIG", "as in hearth run; auto, nsl and wood use its L2", CLI_LIST,
     LIST_AT(configs, config_count), .initial = "rtx3070", .values = value_lists_cards},
    {0, "set", "NAME=VALUE", "as in hearth run", CLI_LIST, LIST_AT(sets, set_count),
     .values = value_lists_options},
    {0, "variant", "NAME=VALUE",
     "with checkpoint, nsl or wood, up to 15 times: the pass, made now, saves the "
     "states of L2 with this option set, too, or with those of an option "
     "file of this name; PLAN.1, PLAN.2 ... are for these",
     CLI_LIST, LIST_AT(variants, variant_count)},
    {0, "states", "FOLDER",
     "with nsl: the states are there already, made by the tracer (TRACE_STATES), those of "
     "variants in FOLDER.1, FOLDER.2 ...",
     CLI_TEXT, AT(given)},
    {0, "now", NULL,
     "with checkpoint: make the states now, not whenever the plan is run; nsl and wood always "
     "do",
     CLI_FLAG, AT(now)},
    {0, "allow-outside", NULL, "as in hearth run", CLI_FLAG, AT(outside)},
    {'f', "force", NULL, "replace a plan that exists", CLI_FLAG, AT(force)},
    {'q', "quiet", NULL, "no progress and notes", CLI_FLAG, AT(quiet)},
};

static const struct cli_command command = {
    "hearth warm",
    "WORKLOAD|PLAN --warm POLICY -o PLAN [OPTION]...",
    "Writes a plan that measures the same launches, and brings the state of the caches\n"
    "to each of them first.",
    table,
    sizeof table / sizeof table[0],
    "one workload or plan",
    1,
};

static bool is_stdout(const struct warm_work *work)
{
    return strcmp(work->output, "-") == 0;
}

static int check(const struct warm_work *work, struct error *err)
{
    struct warmup warmup;
    if (work->variant_count >= OUTPUT_FILES_MOST)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--variant: at most %d",
                         OUTPUT_FILES_MOST - 1);
    if (warmup_parse(&warmup, work->policy, err) != 0)
        return -1;
    if (warmup.correction != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--warm %s: a correction is applied to results, never to a plan: "
                         "use hearth run --warm %s",
                         work->policy, work->policy);
    if (is_stdout(work) && warmup.policy != NULL && warmup.policy->states)
        return error_set(
            err, ERROR_USAGE, NULL, 0, 0,
            "-o -: the states of %s need a folder next to the plan: give it a name",
            work->policy);
    return 0;
}

/* The configuration with VARIANT applied: an option, or a file of options. NULL: the
 * configuration itself. */
static struct sim_config *create_config(struct warm_work *work, const char *variant,
                                        struct error *err)
{
    bool set = variant != NULL && strchr(variant, '=') != NULL;
    size_t configs = work->config_count, sets = work->set_count;
    if (variant != NULL)
        *(set ? &work->sets[sets++] : &work->configs[configs++]) = variant;
    return sim_config_create(work->configs, (unsigned)configs, work->sets, (unsigned)sets, NULL,
                             NULL, err);
}

/* Names the folder of the states that the plan at PATH restores: beside it, or the given one
 * with SUFFIX. */
static int name_states(const struct warm_work *work, struct made *made, const char *path,
                       const char *suffix, struct error *err)
{
    const char *slash = strrchr(path, '/');
    bool given = work->given != NULL;
    if (asprintf(&made->place, "%s%s", given ? work->given : path, given ? suffix : ".states") <
        0) {
        made->place = NULL;
        return error_no_memory(err);
    }
    made->states = made->place + (slash != NULL && !given ? slash + 1 - path : 0);
    if (!given)
        return 0;
    char *place = paths_absolute(made->place);
    char *folder = paths_absolute(path);
    char *last = folder != NULL ? strrchr(folder, '/') : NULL;
    if (last != NULL)
        last[last == folder] = '\0';
    made->relative = place != NULL && last != NULL ? paths_relative(folder, place) : NULL;
    made->states = made->relative;
    free(place);
    free(folder);
    return made->relative != NULL ? 0 : error_no_memory(err);
}

/* Opens the plan file of variant NUMBER, and names the folder of its states. */
static int open_plan(struct warm_work *work, unsigned number, struct error *err)
{
    char suffix[16] = "";
    struct made *made = &work->made[number];
    if (number > 0)
        snprintf(suffix, sizeof suffix, ".%u", number);
    made->config = create_config(work, number > 0 ? work->variants[number - 1] : NULL, err);
    if (made->config == NULL)
        return -1;
    if (is_stdout(work)) /* standard output has no place next to it */
        return output_files_open_one(&work->outputs, (int)number, work->output, work->force,
                                     err);
    if (output_files_open(&work->outputs, (int)number, work->output, suffix, work->force, err) <
        0)
        return -1;
    return name_states(work, made, work->outputs.files[number].path, suffix, err);
}

/* Lists the plan or workload, and configurations of variants that are files. */
static int name_reads(struct warm_work *work, struct error *err)
{
    size_t count = 0;
    work->names = calloc(1 + work->config_count + work->variant_count, sizeof *work->names);
    if (work->names == NULL)
        return error_no_memory(err);
    work->names[count++] = work->target;
    for (size_t c = 0; c < work->config_count; c++)
        work->names[count++] = work->configs[c];
    for (size_t v = 0; v < work->variant_count; v++)
        work->names[count++] = work->variants[v];
    work->reads = (struct input_guard){.names = work->names, .count = count};
    work->outputs.check = input_guard_check;
    work->outputs.data = &work->reads;
    return 0;
}

static int write_plans(struct warm_work *work, struct error *err)
{
    struct warm_variant variants[OUTPUT_FILES_MOST];
    unsigned count = (unsigned)work->variant_count + 1;
    heap_use_huge_pages();
    if (name_reads(work, err) != 0 || input_init(&work->input, work->target, NULL,
                                                 work->outside, NULL, &work->notes, err) < 0)
        return -1;
    stop_init(); /* before anything is written */
    for (unsigned v = 0; v < count; v++) {
        if (open_plan(work, v, err) != 0)
            return -1;
        const struct made *made = &work->made[v];
        variants[v] = (struct warm_variant){made->config, made->states, made->place, NULL};
    }
    const struct warm_plan warm = {.policy = work->policy,
                                   .variants = variants,
                                   .count = count,
                                   .progress = progress_line(work->quiet),
                                   .now = work->now,
                                   .given = work->given != NULL};
    int result = warm_plan_make(&warm, &work->input, err);
    for (unsigned v = 0; v < count && result == 0; v++)
        plan_write(variants[v].plan, NULL, input_listed_digest(&work->input),
                   work->outputs.files[v].file);
    for (unsigned v = 0; v < count; v++)
        plan_destroy(variants[v].plan);
    return result == 0 ? output_files_commit(&work->outputs, err) : result;
}

static int carry_out(void *data, char **operands, struct error *err)
{
    struct warm_work *work = data;
    work->target = operands[0];
    int result = check(work, err) != 0 ? -1 : write_plans(work, err);
    if (!work->quiet)
        notes_print(&work->notes);
    return result;
}

int command_warm(int argc, char **argv, struct error *err)
{
    struct warm_work work = {0};
    int result = cli_run(&command, argc, argv, &work, carry_out, err);
    output_files_finish(&work.outputs);
    input_guard_finish(&work.reads);
    input_finish(&work.input);
    notes_finish(&work.notes);
    for (unsigned v = 0; v < OUTPUT_FILES_MOST; v++) {
        sim_config_destroy(work.made[v].config);
        free(work.made[v].place);
        free(work.made[v].relative);
    }
    free(work.names);
    return result;
}
