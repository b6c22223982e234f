#include "tools/commands/sample/sample_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands/cli.h"
#include "tools/commands/command.h"

enum {
    ID_METHOD = CLI_OWN,
    ID_SEED,
    ID_TRACE_LIST,
    ID_TRACE_WARM,
    ID_STRATA,
    ID_WORKLOAD,
    ID_BBV,
    ID_CYCLES,
    ID_LIST,
    ID_EVALUATE,
    ID_OF_METHOD /* and on: the options of the methods */
};

static const struct cli_option table[] = {
    {'o', "output", "PLAN", "where to write the plan; \"-\" is standard output"},
    {ID_METHOD, "method", "METHOD", "how to choose; --list shows the methods"},
    {ID_LIST, "list", NULL, "print the methods, what they are, and their options"},
    {ID_EVALUATE, "evaluate", NULL,
     "compare what is predicted with the cycles of all launches, and\n"
     "print a table (with -o a CSV); METHOD may be a list or all, and\n"
     "values of options lists too, as --theta 0.2,0.4: all of them are\n"
     "tried. Several profiles may be given"},
    {ID_SEED, "seed", "N", "of every draw (default: 0)"},
    {ID_STRATA, "strata", "FILE", "write the strata as CSV, a row a representative"},
    {ID_TRACE_LIST, "trace-list", "FILE",
     "write the numbers of the launches to trace, as Accel-Sim's\n"
     "tracer takes them in DYNAMIC_KERNEL_RANGE, Hearth's in TRACE_LIST"},
    {ID_TRACE_WARM, "trace-warm", "KIND:K",
     "add the K launches in front of each to the list: detailed:K in\n"
     "full, memory:K their memory accesses, which Hearth's tracer takes"},
    {ID_WORKLOAD, "workload", "PATH",
     "the workload that a profile is of: names and copies of the plan\n"
     "are its own"},
    {ID_CYCLES, "cycles", "RESULTS",
     "take the cycles of the launches from the results of a run"},
    {ID_BBV, "bbv", "FILE", "basic blocks of the launches (default: PROFILE.bbv.csv)"},
    {'f', "force", NULL, "replace outputs that exist"},
    {'q', "quiet", NULL, "no summary and no notes"},
#define OPTION(id, name, field, type, fallback, least, greatest, argument, help)               \
    {ID_OF_METHOD + SAMPLING_##id, name, argument, help " (default: " fallback ")"},
#include "sampling/options.def"
#undef OPTION
};

static const struct cli_command command = {
    "hearth sample",
    "WORKLOAD|PROFILE --method METHOD -o PLAN [OPTION]...\n"
    "WORKLOAD|PROFILE... --evaluate --method METHOD|all [-o TABLE.csv] [OPTION]...\n"
    "--list",
    "Chooses the launches of a workload that stand for all, and writes the plan that\n"
    "simulates them and weighs what is counted. A PROFILE is a .csv or .tsv, as of\n"
    "hearth trace profile or of a profiler; of a WORKLOAD it is made from the traces.",
    table,
    sizeof table / sizeof table[0],
};

static void list(void)
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
}

int sample_options_seed(struct sampling_options *options, const char *text, struct error *err)
{
    char *end;
    errno = 0;
    options->seed = strtoull(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0)
        return 0;
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "--seed \"%s\": expected a number from 0 to 18446744073709551615", text);
}

/* Where the value of an option that is a text goes; NULL: it is none. */
static const char **text_of(struct sample_arguments *arguments, int id)
{
    switch (id) {
    case ID_METHOD:
        return &arguments->methods;
    case ID_SEED:
        return &arguments->seeds;
    case ID_STRATA:
        return &arguments->strata;
    case ID_TRACE_LIST:
        return &arguments->trace_list;
    case ID_TRACE_WARM:
        return &arguments->trace_warm;
    case ID_WORKLOAD:
        return &arguments->request.workload;
    case ID_BBV:
        return &arguments->request.bbv;
    case ID_CYCLES:
        return &arguments->request.cycles;
    default:
        return id >= ID_OF_METHOD ? &arguments->values[id - ID_OF_METHOD] : NULL;
    }
}

static int take(struct sample_arguments *arguments, int id, const char *value,
                struct error *err)
{
    if (command_take(&command, &arguments->common, id, value))
        return 0;
    const char **text = text_of(arguments, id);
    if (text != NULL) {
        *text = value;
        return 0;
    }
    switch (id) {
    case ID_LIST:
        list();
        arguments->common.shown = true;
        return 0;
    case ID_EVALUATE:
        arguments->evaluate = true;
        return 0;
    default:
        return -1;
    }
}

/* Reads the value of --trace-warm, if it was given. */
static int read_warm(struct sample_arguments *arguments, struct error *err)
{
    static const char *const kinds[] = {"detailed:", "memory:"};
    const char *text = arguments->trace_warm;
    for (int i = 0; text != NULL && i < 2; i++) {
        size_t n = strlen(kinds[i]);
        char *end = (char *)text;
        if (strncmp(text, kinds[i], n) != 0)
            continue;
        errno = 0;
        if (text[n] >= '0' && text[n] <= '9')
            arguments->warm = (struct sample_warm){strtoull(text + n, &end, 10), i == 1};
        if (end != text && *end == '\0' && errno == 0)
            return 0;
    }
    if (text == NULL)
        return 0;
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "--trace-warm: \"%s\" is neither detailed:K nor memory:K", text);
}

static bool same(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* Whether two outputs go to one file, or to standard output. */
static bool share_output(const struct sample_arguments *arguments)
{
    return same(arguments->common.output, arguments->strata) ||
           same(arguments->common.output, arguments->trace_list) ||
           same(arguments->strata, arguments->trace_list);
}

static const char *wrong(const struct sample_arguments *arguments)
{
    if (arguments->sources[0] == NULL)
        return "no workload and no profile";
    if (arguments->methods == NULL)
        return "no method; give one with --method, --list shows them";
    if (!arguments->evaluate && arguments->sources[1] != NULL)
        return "it takes one workload or one profile";
    if (!arguments->evaluate && arguments->common.output == NULL)
        return "no output; give one with -o";
    if (arguments->evaluate && (arguments->strata != NULL || arguments->trace_list != NULL))
        return "--evaluate writes a table only, not --strata nor --trace-list";
    if (arguments->trace_warm != NULL && arguments->trace_list == NULL)
        return "--trace-warm goes with --trace-list";
    if (share_output(arguments))
        return "-o, --strata and --trace-list need a file each";
    if (arguments->sources[1] != NULL &&
        (arguments->request.cycles != NULL || arguments->request.bbv != NULL))
        return "--cycles and --bbv go with one profile";
    return NULL;
}

int sample_options_parse(struct sample_arguments *arguments, int argc, char **argv,
                         struct error *err)
{
    const char *value;
    int id;
    *arguments = (struct sample_arguments){0};
    cli_begin();
    while ((id = cli_next(&command, argc, argv, &value, err)) >= 0)
        if (take(arguments, id, value, err) != 0 || arguments->common.shown)
            return arguments->common.shown ? 0 : -1;
    arguments->sources = argv + optind;
    const char *what = wrong(arguments);
    if (what != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "sample: %s; see hearth sample --help",
                         what);
    arguments->request.source = arguments->sources[0];
    arguments->request.quiet = arguments->common.quiet;
    return read_warm(arguments, err);
}
