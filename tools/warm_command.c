/* hearth warm: rewrites a plan so that its launches start warm. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cli.h"
#include "tools/command.h"
#include "tools/outputs.h"
#include "tools/warm_plan.h"

enum { OPTION_POLICY = CLI_OWN, OPTION_SET };

static const struct cli_option table[] = {
    {OPTION_POLICY, "policy", "POLICY",
     "none, full, memory:K, functional:K, checkpoint, stitch, prime:P, or\n"
     "one of them +prime:P; K is a number of launches, all, auto or\n"
     "auto:PERCENTILE"},
    {'o', "output", "PLAN", "the plan to write; states of checkpoint go to PLAN.states"},
    {'c', "config", "CONFIG", "as of hearth run: auto looks at its L2 (default: rtx3070)"},
    {OPTION_SET, "set", "NAME=VALUE", "as of hearth run"},
    {'f', "force", NULL, "replace a plan that exists"},
    {'q', "quiet", NULL, "no notes"},
};

static const struct cli_command command = {
    "hearth warm",
    "WORKLOAD|PLAN --policy POLICY -o PLAN [OPTION]...",
    "Writes a plan that measures the same launches, and brings the state of the caches\n"
    "to each of them first.",
    table,
    sizeof table / sizeof table[0],
};

struct work {
    const char *target, *policy, *output;
    const char **configs, **sets;
    unsigned config_count, set_count;
    bool force, quiet, shown;
    struct sim_config *config;
    struct input input;
    struct notes notes;
    struct outputs outputs;
};

static void take(struct work *work, int id, const char *value)
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
    } else {
        work->force |= id == 'f';
        work->quiet |= id == 'q';
    }
}

static int parse(struct work *work, int argc, char **argv, struct error *err)
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
    if (warmup_parse(&warmup, work->policy, err) != 0)
        return -1;
    if (warmup.correction != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--policy %s: a correction is applied to results, never to a plan: "
                         "use hearth run --warm %s",
                         work->policy, work->policy);
    return 0;
}

static int write_plan(struct work *work, struct error *err)
{
    work->config = sim_config_create(work->configs, work->config_count, work->sets,
                                     work->set_count, NULL, NULL, err);
    if (work->config == NULL ||
        input_init(&work->input, work->target, NULL, &work->notes, err) < 0 ||
        outputs_open(&work->outputs, 0, work->output, "", work->force, err) < 0)
        return -1;
    const char *slash = strrchr(work->output, '/');
    const char *name = slash != NULL ? slash + 1 : work->output;
    char *states = malloc(strlen(name) + sizeof ".states");
    if (states == NULL)
        return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
    sprintf(states, "%s.states", name);
    const struct warm_plan warm = {work->policy, work->config, states};
    int result = warm_plan_write(&warm, &work->input, work->outputs.files[0].file, err);
    free(states);
    return result < 0 ? -1 : outputs_commit(&work->outputs, err);
}

int command_warm(int argc, char **argv, struct error *err)
{
    struct work work = {.configs = calloc((size_t)argc + 1, sizeof *work.configs),
                        .sets = calloc((size_t)argc + 1, sizeof *work.sets)};
    int result = work.configs == NULL || work.sets == NULL
                     ? error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory")
                     : parse(&work, argc, argv, err);
    if (result == 0 && !work.shown)
        result = write_plan(&work, err);
    if (!work.quiet)
        notes_print(&work.notes);
    outputs_finish(&work.outputs);
    input_finish(&work.input);
    notes_finish(&work.notes);
    sim_config_destroy(work.config);
    free(work.configs);
    free(work.sets);
    return result;
}
