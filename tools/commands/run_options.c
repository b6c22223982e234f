#include "tools/commands/run_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands/cli.h"
#include "tools/commands/command.h"
#include "tools/commands/option_help.h"
#include "tools/run/plan/warm_plan.h"

#define MOST 1024   /* jobs, threads */
#define WEEK 604800 /* seconds */

enum {
    OPTION_SET = CLI_OWN,
    OPTION_FLUSH,
    OPTION_LAUNCHES,
    OPTION_THREADS,
    OPTION_JOBS,
    OPTION_PRINT,
    OPTION_INTERVALS,
    OPTION_CPI_STACK,
    OPTION_HELP_CONFIG,
    OPTION_RESUME,
    OPTION_CHECKPOINT,
    OPTION_WARM
};

#define MAX_INTERVAL 1000000000000ull /* cycles: sums with it do not overflow */

static const struct cli_option table[] = {
    {'c', "config", "CONFIG",
     "bundled name or GPGPU-Sim option file; several add up, the later\n"
     "one wins (default: rtx3070); a file alone starts from GPGPU-Sim's\n"
     "defaults, so name a card in front of it: -c rtx3070 -c FILE"},
    {OPTION_SET, "set", "NAME=VALUE",
     "set one option, its name without the dash; wins over files"},
    {'o', "output", "DIR", "folder of the results (default: hearth-out)"},
    {OPTION_FLUSH, "flush", "LEVELS",
     "none, l1, l2 or all: caches to empty before every launch but the\n"
     "first of a segment, unless a state was restored in front of it\n"
     "(default: what the configuration says; l1 in the bundled ones)"},
    {OPTION_LAUNCHES, "launches", "LIST",
     "only these launches, as 1,5-9; copies in front of others stay"},
    {OPTION_WARM, "warm", "POLICY",
     "bring the state of the caches to each launch first, as the plan that\n"
     "hearth warm makes does:\n" WARM_POLICIES ";\n"
     "launches left out by --launches still warm those behind them.\n"
     "correction:KIND (thesis, artifact, corrected) simulates cold and\n"
     "corrects the results"},
    {OPTION_JOBS, "jobs", "N",
     "segments of a plan that run side by side (default 1); results are\n"
     "the same for any number"},
    {OPTION_THREADS, "threads", "N",
     "threads that work side by side in each job (default: the cores that\n"
     "the process may use, divided by the jobs, at most one an SM); results\n"
     "are the same for any number"},
    {OPTION_RESUME, "resume", NULL,
     "go on with what the same command left when it was stopped or killed;\n"
     "without that, start; when the results are there, do nothing"},
    {OPTION_CHECKPOINT, "checkpoint", "SECONDS",
     "how often to save the simulator's state, so that --resume repeats no\n"
     "more than that and one launch (default 60; 0: after each launch)"},
    {OPTION_INTERVALS, "intervals", "N",
     "also write intervals.csv: instructions, hit rates and DRAM bytes of\n"
     "each N cycles of each launch"},
    {OPTION_CPI_STACK, "cpi-stack", NULL,
     "count what became of each cycle of each warp scheduler, and also\n"
     "write schedulers.csv"},
    {OPTION_PRINT, "print", "FORMAT",
     "accel-sim: what GPGPU-Sim prints after each launch, for scripts\n"
     "that read it, on standard output instead of the summary"},
    {OPTION_HELP_CONFIG, "help-config", NULL,
     "show every option that -c and --set take, with unit, range, default\n"
     "and where it acts; with names behind it, those options alone"},
    {'q', "quiet", NULL, "no progress, notes and summary"},
};

static const struct cli_command command = {
    "hearth run",
    "WORKLOAD|PLAN [OPTION]...\n"
    "--help-config [NAME]...",
    "Simulates the launches of a workload (a folder with kernelslist.g, a list, a packed\n"
    "file or one trace file) or of a plan, in order, and writes the results to a folder.",
    table,
    sizeof table / sizeof table[0],
};

static int parse_count(unsigned *count, const char *option, const char *value, long least,
                       long most, struct error *err)
{
    char *end;
    long number = strtol(value, &end, 10);
    if (end == value || *end != '\0' || number < least || number > most)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--%s %s: expected a number from %ld to %ld", option, value, least,
                         most);
    *count = (unsigned)number;
    return 0;
}

/* Digits alone: strtoull() would take a sign and blanks, too. */
static int parse_intervals(struct run_options *options, const char *value, struct error *err)
{
    errno = 0;
    options->intervals = strtoull(value, NULL, 10);
    if (value[0] == '\0' || value[strspn(value, "0123456789")] != '\0' || errno != 0 ||
        options->intervals == 0 || options->intervals > MAX_INTERVAL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--intervals %s: expected a number of cycles from 1 to %llu", value,
                         MAX_INTERVAL);
    return 0;
}

static int parse_print(struct run_options *options, const char *value, struct error *err)
{
    if (strcmp(value, "accel-sim") != 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--print %s: expected accel-sim", value);
    options->accel_sim = true;
    return 0;
}

static int parse_option(struct run_options *options, int id, const char *value,
                        struct error *err)
{
    switch (id) {
    case CLI_HELP:
    case CLI_VERSION:
        options->done = command_show(&command, id);
        return 0;
    case 'c':
        options->configs[options->config_count++] = value;
        return 0;
    case 'o':
        options->output = value;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case OPTION_HELP_CONFIG:
        options->help_config = true;
        return 0;
    case OPTION_SET:
        options->sets[options->set_count++] = value;
        return 0;
    case OPTION_FLUSH:
        options->flush = value;
        return 0;
    case OPTION_LAUNCHES:
        options->launches = value;
        return 0;
    case OPTION_INTERVALS:
        return parse_intervals(options, value, err);
    case OPTION_CPI_STACK:
        options->sets[options->set_count++] = "hearth_cpi_stack=1";
        return 0;
    case OPTION_PRINT:
        return parse_print(options, value, err);
    case OPTION_THREADS:
        return parse_count(&options->threads, "threads", value, 1, MOST, err);
    case OPTION_JOBS:
        return parse_count(&options->jobs, "jobs", value, 1, MOST, err);
    case OPTION_WARM:
        options->warm = value;
        return 0;
    case OPTION_RESUME:
        options->resume = true;
        return 0;
    case OPTION_CHECKPOINT:
        return parse_count(&options->checkpoint, "checkpoint", value, 0, WEEK, err);
    default:
        return -1;
    }
}

static int parse(struct run_options *options, int argc, char **argv, struct error *err)
{
    const char *value;
    int id;
    cli_begin();
    while ((id = cli_next(&command, argc, argv, &value, err)) >= 0)
        if (parse_option(options, id, value, err) < 0)
            return -1;
        else if (options->done)
            return 0;
    if (options->help_config) {
        options->done = true;
        return option_help(argv + optind, stdout, err);
    }
    if (optind + 1 != argc)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "expected one workload or plan, got %d; see hearth run --help",
                         argc - optind);
    if (strcmp(options->output, "-") == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-o -: a run writes a folder, not to standard output");
    options->target = argv[optind];
    return 0;
}

int run_options_init(struct run_options *options, int argc, char **argv, struct error *err)
{
    size_t room = (size_t)argc + 1; /* each may come from one argument */
    *options = (struct run_options){
        .configs = calloc(room, sizeof *options->configs),
        .sets = calloc(room, sizeof *options->sets),
        .output = "hearth-out",
        .jobs = 1,
        .checkpoint = 60,
    };
    if (options->configs == NULL || options->sets == NULL)
        error_no_memory(err);
    else if (parse(options, argc, argv, err) == 0)
        return 0;
    run_options_finish(options);
    return -1;
}

void run_options_finish(struct run_options *options)
{
    free(options->configs);
    free(options->sets);
    *options = (struct run_options){0};
}
