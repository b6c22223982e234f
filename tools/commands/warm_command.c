/* hearth warm: rewrites a plan so that its launches start warm. */
#define _GNU_SOURCE /* asprintf */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands/cli.h"
#include "tools/commands/command.h"
#include "tools/run/files/output_files.h"
#include "tools/run/heap.h"
#include "tools/run/plan/warm_plan.h"
#include "tools/run/stop.h"

enum { OPTION_POLICY = CLI_OWN, OPTION_SET, OPTION_VARIANT };

static const struct cli_option table[] = {
    {OPTION_POLICY, "policy", "POLICY", WARM_POLICIES},
    {'o', "output", "PLAN",
     "the plan to write; states of checkpoint and nsl go to PLAN.states;\n"
     "\"-\" is standard output, for policies without states"},
    {'c', "config", "CONFIG",
     "as of hearth run: auto and nsl look at its L2 (default: rtx3070)"},
    {OPTION_SET, "set", "NAME=VALUE", "as of hearth run"},
    {OPTION_VARIANT, "variant", "NAME=VALUE",
     "with checkpoint or nsl, up to 15 times: one pass, made now, saves the\n"
     "states of L2 with this option set, too, or with those of an option\n"
     "file of this name; PLAN.1, PLAN.2 ... are for these"},
    {'f', "force", NULL, "replace a plan that exists"},
    {'q', "quiet", NULL, "no progress and notes"},
};

static const struct cli_command command = {
    "hearth warm",
    "WORKLOAD|PLAN --policy POLICY -o PLAN [OPTION]...",
    "Writes a plan that measures the same launches, and brings the state of the caches\n"
    "to each of them first.",
    table,
    sizeof table / sizeof table[0],
};

struct warm_work {
    const char *target, *policy, *output;
    const char **configs, **sets, **variants;
    unsigned config_count, set_count, variant_count;
    bool force, quiet, shown;
    struct made {
        struct sim_config *config;
        const char *states; /* as of struct warm_variant; part of: */
        char *place;
    } made[OUTPUT_FILES_MOST]; /* for the configuration and its variants */
    struct input input;
    struct notes notes;
    const char **names; /* of what is read */
    struct input_guard reads;
    struct output_files outputs;
};

static void take(struct warm_work *work, int id, const char *value)
{
    if (command_show(&command, id)) {
        work->shown = true;
    } else if (id == OPTION_POLICY) {
        work->policy = value;
    } else if (id == 'o') {
        work->output = value;
    } else if (id == 'c') {
        work->configs[work->config_count++] = value;
    } else if (id == OPTION_SET) {
        work->sets[work->set_count++] = value;
    } else if (id == OPTION_VARIANT) {
        work->variants[work->variant_count++] = value;
    } else {
        work->force |= id == 'f';
        work->quiet |= id == 'q';
    }
}

static bool is_stdout(const struct warm_work *work)
{
    return strcmp(work->output, "-") == 0;
}

static int parse(struct warm_work *work, int argc, char **argv, struct error *err)
{
    const char *value;
    int id;
    struct warmup warmup;
    cli_begin();
    while (!work->shown && (id = cli_next(&command, argc, argv, &value, err)) >= 0) {
        if (id == '?')
            return -1;
        take(work, id, value);
    }
    if (work->shown)
        return 0;
    if (optind + 1 != argc)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "expected one workload or plan, got %d; see hearth warm --help",
                         argc - optind);
    if (work->policy == NULL || work->output == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "warm needs --policy and -o; see hearth warm --help");
    work->target = argv[optind];
    if (work->config_count == 0)
        work->configs[work->config_count++] = "rtx3070";
    if (work->variant_count >= OUTPUT_FILES_MOST)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--variant: at most %d",
                         OUTPUT_FILES_MOST - 1);
    if (warmup_parse(&warmup, work->policy, err) != 0)
        return -1;
    if (warmup.correction != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--policy %s: a correction is applied to results, never to a plan: "
                         "use hearth run --warm %s",
                         work->policy, work->policy);
    if (is_stdout(work) && warmup.policy != NULL && warmup.policy->states)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-o -: the states of %s need a folder beside the plan: give it a name",
                         work->policy);
    return 0;
}

/* The configuration with VARIANT on top: an option, or a file of them. NULL: the configuration
 * itself. */
static struct sim_config *create_config(struct warm_work *work, const char *variant,
                                        struct error *err)
{
    bool set = variant != NULL && strchr(variant, '=') != NULL;
    unsigned configs = work->config_count, sets = work->set_count;
    if (variant != NULL)
        *(set ? &work->sets[sets++] : &work->configs[configs++]) = variant;
    return sim_config_create(work->configs, configs, work->sets, sets, NULL, NULL, err);
}

/* The file that PLAN is written to for variant NUMBER, and the names of its states. */
static int open_plan(struct warm_work *work, unsigned number, struct error *err)
{
    char suffix[16] = "";
    struct made *made = &work->made[number];
    if (number > 0)
        snprintf(suffix, sizeof suffix, ".%u", number);
    made->config = create_config(work, number > 0 ? work->variants[number - 1] : NULL, err);
    if (made->config == NULL)
        return -1;
    if (is_stdout(work)) /* nothing has a place beside it */
        return output_files_open_one(&work->outputs, (int)number, work->output, work->force,
                                     err);
    if (output_files_open(&work->outputs, (int)number, work->output, suffix, work->force, err) <
        0)
        return -1;
    const char *path = work->outputs.files[number].path;
    const char *slash = strrchr(path, '/');
    if (asprintf(&made->place, "%s.states", path) < 0) {
        made->place = NULL;
        return error_no_memory(err);
    }
    made->states = made->place + (slash != NULL ? slash + 1 - path : 0);
    return 0;
}

/* The plan or workload, and configurations of variants that are files. */
static int name_reads(struct warm_work *work, struct error *err)
{
    size_t count = 0;
    work->names = calloc(1 + work->config_count + work->variant_count, sizeof *work->names);
    if (work->names == NULL)
        return error_no_memory(err);
    work->names[count++] = work->target;
    for (unsigned c = 0; c < work->config_count; c++)
        work->names[count++] = work->configs[c];
    for (unsigned v = 0; v < work->variant_count; v++)
        work->names[count++] = work->variants[v];
    work->reads = (struct input_guard){.names = work->names, .count = count};
    work->outputs.reads = &work->reads;
    return 0;
}

static int write_plans(struct warm_work *work, struct error *err)
{
    struct warm_variant variants[OUTPUT_FILES_MOST];
    unsigned count = work->variant_count + 1;
    heap_use_huge_pages();
    if (name_reads(work, err) != 0 ||
        input_init(&work->input, work->target, NULL, NULL, &work->notes, err) < 0)
        return -1;
    stop_init(); /* before anything is written */
    for (unsigned v = 0; v < count; v++) {
        if (open_plan(work, v, err) != 0)
            return -1;
        const struct made *made = &work->made[v];
        variants[v] = (struct warm_variant){made->config, made->states, made->place,
                                            work->outputs.files[v].file};
    }
    const struct warm_plan warm = {work->policy, variants, count, work->quiet};
    int result = warm_plan_write(&warm, &work->input, err);
    return result == 0 ? output_files_commit(&work->outputs, err) : result;
}

int command_warm(int argc, char **argv, struct error *err)
{
    struct warm_work work = {.configs = calloc((size_t)argc + 1, sizeof *work.configs),
                             .sets = calloc((size_t)argc + 1, sizeof *work.sets),
                             .variants = calloc((size_t)argc + 1, sizeof *work.variants)};
    int result = work.configs == NULL || work.sets == NULL || work.variants == NULL
                     ? error_no_memory(err)
                     : parse(&work, argc, argv, err);
    if (result == 0 && !work.shown)
        result = write_plans(&work, err);
    if (!work.quiet)
        notes_print(&work.notes);
    output_files_finish(&work.outputs);
    input_guard_finish(&work.reads);
    input_finish(&work.input);
    notes_finish(&work.notes);
    for (unsigned v = 0; v < OUTPUT_FILES_MOST; v++) {
        sim_config_destroy(work.made[v].config);
        free(work.made[v].place);
    }
    free(work.configs);
    free(work.sets);
    free(work.variants);
    free(work.names);
    return result;
}
