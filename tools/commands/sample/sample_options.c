#include "tools/commands/sample/sample_options.h"

#include <stdlib.h>
#include <string.h>

#include "tools/run/sample/sample_card.h"
#include "tools/run/values/value_lists.h"
#include "traces/base/number.h"

static int list(char **operands, struct error *err)
{
    const struct sampling_method *method;
    for (size_t i = 0; (method = sampling_method(i)) != NULL; i++) {
        printf("%-15s %s", method->name, method->description);
        const char *before = "; ";
        for (int k = 0; k < SAMPLING_OPTIONS; k++)
            if (method->options & SAMPLING_BIT(k)) {
                printf("%s--%s", before, sampling_option((enum sampling_option_id)k)->name);
                before = " ";
            }
        putchar('\n');
    }
    return 0;
}

int sample_options_seed(struct sampling_options *options, const char *text, struct error *err)
{
    if (number_count(text, UINT64_MAX, &options->seed) == NUMBER_OK)
        return 0;
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "--seed \"%s\": expected a whole number from 0 to 18446744073709551615",
                     text);
}

static int read_trace_warm(void *data, const char *value, struct error *err)
{
    static const char *const kinds[] = {"detailed:", "memory:"};
    struct sample_arguments *arguments = data;
    arguments->trace_warm = value;
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(kinds[i]);
        arguments->warm.memory = i == 1;
        if (strncmp(value, kinds[i], length) == 0 &&
            number_count(value + length, UINT64_MAX, &arguments->warm.count) == NUMBER_OK)
            return 0;
    }
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "--trace-warm \"%s\": expected detailed:K or memory:K", value);
}

#define AT(member) CLI_AT(struct sample_arguments, member)

static const struct cli_option table[] = {
    {'o', "output", "PLAN", "where to write the plan; \"-\" is standard output", CLI_TEXT,
     AT(output)},
    {0, "method", "METHOD", "how to choose; --list shows the methods", CLI_TEXT, AT(methods),
     .required = true, .values = value_lists_methods},
    {'c', "config", "CONFIG",
     "the card that will be simulated, as in hearth run: options that are 0 by default follow "
     "it",
     CLI_LIST, CLI_LIST_AT(struct sample_arguments, configs, config_count),
     .otherwise = "rtx3070", .values = value_lists_cards},
    {0, "list", NULL, "print the methods and their options", CLI_SHOW, .show = list},
    {0, "estimate", "CARD",
     "scale by estimates of all launches on a card: the regression estimator, with the model "
     "of hearth estimate",
     CLI_TEXT, AT(estimate), .values = value_lists_cards},
    {0, "evaluate", NULL,
     "compare predictions with the cycles of all launches, and "
     "print a table (with -o a CSV); METHOD may be a list or all, and "
     "so may values of options, as --theta 0.2,0.4: all of them are "
     "tried. Several profiles may be given",
     CLI_FLAG, AT(evaluate)},
    {0, "seed", "N", "seed of every random draw", CLI_TEXT, AT(seeds), .otherwise = "0"},
    {0, "strata", "FILE", "write the strata as CSV, one row per representative", CLI_TEXT,
     AT(strata)},
    {0, "trace-list", "FILE",
     "write the numbers of the launches to trace, as Accel-Sim's "
     "tracer takes them in DYNAMIC_KERNEL_RANGE, Hearth's in TRACE_LIST",
     CLI_TEXT, AT(trace_list)},
    {0, "trace-warm", "KIND:K",
     "also list the K launches before each: detailed:K in "
     "full, memory:K their memory accesses, which Hearth's tracer takes",
     CLI_READ, .read = read_trace_warm},
    {0, "workload", "PATH",
     "the workload of a profile: the plan takes names and copies "
     "from it",
     CLI_TEXT, AT(request.workload)},
    {0, "cycles", "RESULTS", "take the cycles of the launches from the results of a run",
     CLI_TEXT, AT(request.cycles)},
    {0, "judge", "RESULTS",
     "with --evaluate: judge predictions by the cycles of this run, as of another card, not by "
     "those that methods choose with",
     CLI_TEXT, AT(judge)},
    {0, "bbv", "FILE", "basic blocks of the launches", CLI_TEXT, AT(request.bbv),
     .otherwise = "PROFILE.bbv.csv"},
    {0, "counts", NULL,
     "of a packed workload, read only headers: grids, blocks and warp instructions, which "
     "methods that choose by instruction counts need; other methods lack columns",
     CLI_FLAG, AT(request.counts)},
    {'f', "force", NULL, "replace outputs that exist", CLI_FLAG, AT(force)},
    {'q', "quiet", NULL, "no summary and no notes", CLI_FLAG, AT(request.quiet)},
};
#define OWN (sizeof table / sizeof table[0])

/* The table: options of the command, then those of the methods. */
static void make_options(struct cli_option options[OWN + SAMPLING_OPTIONS])
{
    memcpy(options, table, sizeof table);
    for (int i = 0; i < SAMPLING_OPTIONS; i++) {
        const struct sampling_option *option = sampling_option((enum sampling_option_id)i);
        options[OWN + (size_t)i] = (struct cli_option){
            .name = option->name,
            .argument = option->argument,
            .help = option->description,
            .type = CLI_TEXT,
            .at = offsetof(struct sample_arguments, values) + (size_t)i * sizeof(char *),
            .otherwise = option->fallback,
        };
    }
}

static bool same(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* Whether two outputs are the same file, or are both standard output. */
static bool share_output(const struct sample_arguments *arguments)
{
    return same(arguments->output, arguments->strata) ||
           same(arguments->output, arguments->trace_list) ||
           same(arguments->strata, arguments->trace_list);
}

static const char *wrong(const struct sample_arguments *arguments)
{
    if (arguments->sources[0] == NULL)
        return "no workload and no profile";
    if (!arguments->evaluate && arguments->sources[1] != NULL)
        return "it takes one workload or one profile";
    if (!arguments->evaluate && arguments->output == NULL)
        return "no output; give one with -o";
    if (arguments->evaluate && (arguments->strata != NULL || arguments->trace_list != NULL))
        return "--evaluate writes a table only, not --strata nor --trace-list";
    if (arguments->trace_warm != NULL && arguments->trace_list == NULL)
        return "--trace-warm goes with --trace-list";
    if (share_output(arguments))
        return "-o, --strata and --trace-list need a file each";
    if (arguments->judge != NULL && (!arguments->evaluate || arguments->sources[1] != NULL))
        return "--judge goes with --evaluate of one profile";
    if (arguments->sources[1] != NULL &&
        (arguments->request.cycles != NULL || arguments->request.bbv != NULL))
        return "--cycles and --bbv go with one profile";
    return NULL;
}

int sample_options_parse(struct sample_arguments *arguments, int argc, char **argv,
                         struct error *err)
{
    struct cli_option options[OWN + SAMPLING_OPTIONS];
    const struct cli_command command = {
        "hearth sample",
        "WORKLOAD|PROFILE --method METHOD -o PLAN [OPTION]...\n"
        "WORKLOAD|PROFILE... --evaluate --method METHOD|all [-o TABLE.csv] [OPTION]...\n"
        "--list",
        "Chooses launches that represent the whole workload, and writes the plan that\n"
        "simulates them and scales their counters. A PROFILE is a .csv or .tsv of\n"
        "hearth trace profile or of a profiler; for a WORKLOAD it is made from the traces.",
        options,
        sizeof options / sizeof options[0],
    };
    *arguments = (struct sample_arguments){0};
    make_options(options);
    int result = cli_read(&command, argc, argv, arguments, &arguments->sources, err);
    if (result != 0)
        return result;
    const char *what = wrong(arguments);
    if (what != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "sample: %s; see hearth sample --help",
                         what);
    arguments->request.source = arguments->sources[0];
    return 0;
}

void sample_options_finish(struct sample_arguments *arguments)
{
    free(arguments->configs);
    arguments->configs = NULL;
}

int sample_options_card(struct sampling_options *options, const struct sampling_method *method,
                        const struct sample_arguments *arguments, struct error *err)
{
    const struct run_request card = {.configs = arguments->configs,
                                     .config_count = arguments->config_count};
    return sample_card_apply(options, method, &card, err);
}
