/* hearth trace profile: a row a launch of what methods that choose launches
 * look at. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/commands/command.h"
#include "tools/commands/trace/trace.h"
#include "tools/run/files/output_files.h"
#include "tools/run/plan/launches.h"
#include "tools/run/plan/workload_profile.h"
#include "tools/run/stop.h"

enum {
    OPTION_NO_BLOCKS = CLI_OWN,
    OPTION_NO_BBV,
    OPTION_EVERY,
    OPTION_CYCLES,
    OPTION_LAUNCHES
};

static const struct cli_option table[] = {
    {'o', "output", "FILE.csv", "where to write; \"-\" is standard output, without companions"},
    {OPTION_LAUNCHES, "launches", "LIST", "only these launches, as 1,5-9"},
    {OPTION_NO_BLOCKS, "no-blocks", NULL, "without FILE.blocks.csv, a row a thread block"},
    {OPTION_NO_BBV, "no-bbv", NULL, "without FILE.bbv.csv, basic blocks by type of warps"},
    {OPTION_EVERY, "bbv-every", "N", "look at one warp of N for FILE.bbv.csv (default 1)"},
    {OPTION_CYCLES, "cycles", "RESULTS",
     "fill the column cycles from the results of a run: its folder\n"
     "or its kernels.csv"},
    TRACE_FORCE,
    {'q', "quiet", NULL, "no notes"},
};

static const struct cli_command command = {
    "hearth trace profile",
    "WORKLOAD|FILE.csv -o FILE.csv [OPTION]...",
    "Profiles a workload from its traces, or converts what a profiler wrote: Nsight\n"
    "Compute's raw page, nvprof, Nsight Systems, stats.csv of Accel-Sim's tracer.\n"
    "Columns: docs/profiles.md. Unknown stays empty.",
    table,
    sizeof table / sizeof table[0],
};

struct profile_arguments {
    struct command_common common;
    const char *source, *cycles;
    struct ranges launches;
    bool choose, blocks, bbv;
    uint64_t every;
};

static int usage(struct error *err, const char *what)
{
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "trace profile: %s; see hearth trace profile --help", what);
}

/* ---- options ----------------------------------------------------------- */

static int parse_option(struct profile_arguments *arguments, int id, const char *value,
                        struct error *err)
{
    char *end;
    if (command_take(&command, &arguments->common, id, value))
        return 0;
    switch (id) {
    case OPTION_NO_BLOCKS:
        arguments->blocks = false;
        return 0;
    case OPTION_NO_BBV:
        arguments->bbv = false;
        return 0;
    case OPTION_CYCLES:
        arguments->cycles = value;
        return 0;
    case OPTION_EVERY:
        errno = 0;
        arguments->every = strtoull(value, &end, 10);
        if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 ||
            arguments->every == 0)
            return error_set(err, ERROR_USAGE, NULL, 0, 0,
                             "--bbv-every %s: expected a number from 1", value);
        return 0;
    case OPTION_LAUNCHES:
        ranges_finish(&arguments->launches);
        arguments->choose = true;
        return ranges_init(&arguments->launches, value, "--launches", NULL, 0, err);
    default:
        return -1;
    }
}

static int parse(struct profile_arguments *arguments, int argc, char **argv, struct error *err)
{
    const char *value;
    int id;
    cli_begin();
    while ((id = cli_next(&command, argc, argv, &value, err)) >= 0)
        if (parse_option(arguments, id, value, err) != 0 || arguments->common.shown)
            return arguments->common.shown ? 0 : -1;
    if (argv[optind] == NULL || argv[optind + 1] != NULL)
        return usage(err, "it takes one workload or one CSV");
    arguments->source = argv[optind];
    if (arguments->common.output == NULL)
        return usage(err, "no output; give one with -o");
    return 0;
}

/* ---- output ------------------------------------------------------------ */

enum { BBV, BLOCKS, ROWS, FILES };

/* Opens the files, the profile last: it is there when its companions are. */
static int open_outputs(struct output_files *outputs, const struct profile_arguments *arguments,
                        bool companions, struct error *err)
{
    const char *path = arguments->common.output;
    bool replace = arguments->common.force;
    if (strcmp(path, "-") == 0) {
        outputs->files[ROWS].file = stdout;
        return 0;
    }
    if (output_files_open(outputs, ROWS, path, "", replace, err) != 0)
        return -1;
    if (companions && arguments->blocks &&
        output_files_open(outputs, BLOCKS, path, ".blocks.csv", replace, err) != 0)
        return -1;
    if (companions && arguments->bbv &&
        output_files_open(outputs, BBV, path, ".bbv.csv", replace, err) != 0)
        return -1;
    return 0;
}

/* ---- profiles ---------------------------------------------------------- */

static struct profile *measure(const struct profile_arguments *arguments,
                               struct output_files *outputs, struct error *err)
{
    const struct profile_companions companions = {.blocks = outputs->files[BLOCKS].file,
                                                  .bbv = outputs->files[BBV].file,
                                                  .every = arguments->every};
    struct launches launches = {0};
    struct profile *profile = NULL;
    struct trace_workload *workload = trace_open(arguments->source, err);
    if (workload != NULL && launches_init(&launches, workload, err) == 0) {
        if (!arguments->common.quiet)
            workload_profile_note(workload, &launches);
        profile =
            workload_profile(workload, &launches,
                             arguments->choose ? &arguments->launches : NULL, &companions, err);
    }
    launches_finish(&launches);
    trace_workload_destroy(workload);
    return profile;
}

/* Keeps the rows of the launches that were chosen. */
static int choose(const struct profile_arguments *arguments, struct profile *profile,
                  struct error *err)
{
    size_t kept = 0;
    for (size_t i = 0; arguments->choose && i < profile->count; i++)
        if (ranges_contain(&arguments->launches, profile->rows[i].launch))
            profile->rows[kept++] = profile->rows[i];
    profile->count = arguments->choose ? kept : profile->count;
    if (profile->count > 0)
        return 0;
    return error_set(err, ERROR_TRACE, arguments->source, 0, 0, "no launch to profile");
}

static struct profile *convert(const struct profile_arguments *arguments, struct error *err)
{
    struct profile *profile = profile_open(arguments->source, err);
    if (profile == NULL)
        return NULL;
    if (profile->note != NULL && !arguments->common.quiet)
        fprintf(stderr, "hearth: note: %s\n", profile->note);
    if (choose(arguments, profile, err) == 0)
        return profile;
    profile_destroy(profile);
    return NULL;
}

static int make(const struct profile_arguments *arguments, struct error *err)
{
    const char *const names[] = {arguments->source, arguments->cycles};
    struct input_guard reads = {.names = names, .count = 2};
    struct output_files outputs = {.reads = &reads};
    struct profile *profile = NULL;
    bool converts = workload_profile_is_table(arguments->source);
    if (!converts) /* a table is read at once, and asks for no signal */
        stop_init();
    int rc = open_outputs(&outputs, arguments, !converts, err);
    if (rc == 0)
        profile = converts ? convert(arguments, err) : measure(arguments, &outputs, err);
    if (profile == NULL)
        rc = -1;
    if (rc == 0 && arguments->cycles != NULL)
        rc = workload_profile_cycles(profile, arguments->cycles, arguments->common.quiet, err);
    if (rc == 0)
        rc = profile_write(profile, outputs.files[ROWS].file, err);
    if (rc == 0)
        rc = output_files_commit(&outputs, err);
    output_files_finish(&outputs);
    input_guard_finish(&reads);
    profile_destroy(profile);
    return rc;
}

int trace_profile(int argc, char **argv, struct error *err)
{
    struct profile_arguments arguments = {.blocks = true, .bbv = true, .every = 1};
    int rc = parse(&arguments, argc, argv, err);
    if (rc == 0 && !arguments.common.shown)
        rc = make(&arguments, err);
    ranges_finish(&arguments.launches);
    return rc != 0 && stop_signal() != 0 ? stop_code() : rc;
}
