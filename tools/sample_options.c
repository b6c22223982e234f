#include "tools/sample_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cli.h"
#include "tools/command.h"

enum {
    ID_METHOD = CLI_OWN,
    ID_SEED,
    ID_TRACE_LIST,
    ID_STRATA,
    ID_WORKLOAD,
    ID_BBV,
    ID_CYCLES,
    ID_LIST,
    ID_OF_METHOD /* and on: the options of the methods */
};

static const struct cli_option table[] = {
    {'o', "output", "PLAN", "where to write the plan; \"-\" is standard output"},
    {ID_METHOD, "method", "METHOD", "how to choose; --list shows the methods"},
    {ID_LIST, "list", NULL, "print the methods, what they are, and their options"},
    {ID_SEED, "seed", "N", "of every draw (default: 0)"},
    {ID_STRATA, "strata", "FILE", "write the strata as CSV, a row a representative"},
    {ID_TRACE_LIST, "trace-list", "FILE",
     "write the numbers of the launches to trace, as Accel-Sim's\n"
     "tracer takes them in DYNAMIC_KERNEL_RANGE"},
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

static int read_seed(struct sample_arguments *arguments, const char *value, struct error *err)
{
    char *end;
    errno = 0;
    arguments->options.seed = strtoull(value, &end, 10);
    if (value[0] >= '0' && value[0] <= '9' && *end == '\0' && errno == 0)
        return 0;
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "--seed \"%s\": expected a number from 0 to 18446744073709551615", value);
}

/* Where the value of an option that is a text goes; NULL: it is none. */
static const char **text_of(struct sample_arguments *arguments, int id)
{
    switch (id) {
    case 'o':
        return &arguments->output;
    case ID_STRATA:
        return &arguments->strata;
    case ID_TRACE_LIST:
        return &arguments->trace_list;
    case ID_WORKLOAD:
        return &arguments->request.workload;
    case ID_BBV:
        return &arguments->request.bbv;
    case ID_CYCLES:
        return &arguments->request.cycles;
    default:
        return NULL;
    }
}

static int take(struct sample_arguments *arguments, int id, const char *value,
                struct error *err)
{
    const char **text = text_of(arguments, id);
    if (text != NULL) {
        *text = value;
        return 0;
    }
    switch (id) {
    case CLI_HELP:
        cli_help(&command, stdout);
        arguments->shown = true;
        return 0;
    case CLI_VERSION:
        command_version();
        arguments->shown = true;
        return 0;
    case ID_LIST:
        list();
        arguments->shown = true;
        return 0;
    case ID_METHOD:
        arguments->method = sampling_find_method(value, err);
        return arguments->method != NULL ? 0 : -1;
    case ID_SEED:
        return read_seed(arguments, value, err);
    case 'f':
        arguments->force = true;
        return 0;
    case 'q':
        arguments->quiet = true;
        return 0;
    case '?':
        return -1;
    default:
        return sampling_option_set(&arguments->options,
                                   (enum sampling_option_id)(id - ID_OF_METHOD), value, err);
    }
}

static int check(const struct sample_arguments *arguments, char **operands, struct error *err)
{
    const char *what = NULL;
    if (operands[0] == NULL || operands[1] != NULL)
        what = "it takes one workload or one profile";
    else if (arguments->method == NULL)
        what = "no method; give one with --method, --list shows them";
    else if (arguments->output == NULL)
        what = "no output; give one with -o";
    if (what == NULL)
        return 0;
    return error_set(err, ERROR_USAGE, NULL, 0, 0, "sample: %s; see hearth sample --help",
                     what);
}

int sample_options_parse(struct sample_arguments *arguments, int argc, char **argv,
                         struct error *err)
{
    const char *value;
    int id;
    *arguments = (struct sample_arguments){0};
    sampling_options_init(&arguments->options);
    cli_begin();
    while ((id = cli_next(&command, argc, argv, &value, err)) >= 0)
        if (take(arguments, id, value, err) != 0 || arguments->shown)
            return arguments->shown ? 0 : -1;
    if (check(arguments, argv + optind, err) != 0)
        return -1;
    arguments->request.source = argv[optind];
    arguments->request.quiet = arguments->quiet;
    arguments->request.needs_bbv = arguments->method->needs & SAMPLING_NEED_BBV;
    return 0;
}
