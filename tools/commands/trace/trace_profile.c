/* hearth trace profile: features of each launch for sampling methods. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/commands/trace/trace.h"
#include "tools/run/input_guard.h"
#include "tools/run/notes.h"
#include "tools/run/plan/launches.h"
#include "tools/run/sample/workload_profile.h"
#include "traces/base/files/output_files.h"
#include "traces/base/process/stop.h"

struct profile_arguments {
    const char *source, *output, *cycles;
    struct ranges launches; /* none given: all */
    bool no_blocks, no_bbv, force, quiet;
    uint64_t every;
};

#define AT(member) CLI_AT(struct profile_arguments, member)

static const struct cli_option table[] = {
    {'o', "output", "FILE.csv", "where to write; \"-\" is standard output, without companions",
     CLI_TEXT, AT(output), .required = true},
    {0, "launches", "LIST", "only these launches, as 1,5-9", CLI_RANGES, AT(launches)},
    {0, "no-blocks", NULL, "without FILE.blocks.csv, which has a row per thread block",
     CLI_FLAG, AT(no_blocks)},
    {0, "no-bbv", NULL, "without FILE.bbv.csv, basic blocks by type of warp", CLI_FLAG,
     AT(no_bbv)},
    {0, "bbv-every", "N", "look at one warp of N for FILE.bbv.csv", CLI_WHOLE, AT(every), 1,
     .initial = "1"},
    {0, "cycles", "RESULTS",
     "fill the column cycles from the results of a run: its folder "
     "or its kernels.csv",
     CLI_TEXT, AT(cycles)},
    {'f', "force", NULL, "replace an output that exists", CLI_FLAG, AT(force)},
    {'q', "quiet", NULL, "no notes", CLI_FLAG, AT(quiet)},
};

static const struct cli_command command = {
    "hearth trace profile",
    "WORKLOAD|FILE.csv -o FILE.csv [OPTION]...",
    "Profiles a workload from its traces, or converts the output of a profiler: Nsight\n"
    "Compute's raw page, nvprof, Nsight Systems, stats.csv of Accel-Sim's tracer.\n"
    "Columns: docs/profiles.md. Unknown values stay empty.",
    table,
    sizeof table / sizeof table[0],
    "one workload or one CSV",
    1,
};

/* ---- output ------------------------------------------------------------ */

enum { BBV, BLOCKS, ROWS, FILES };

/* Opens the files, the profile last: if it exists, so do its companions. */
static int open_outputs(struct output_files *outputs, const struct profile_arguments *arguments,
                        bool companions, struct error *err)
{
    const char *path = arguments->output;
    bool replace = arguments->force;
    if (strcmp(path, "-") == 0) {
        outputs->files[ROWS].file = stdout;
        return 0;
    }
    if (output_files_open(outputs, ROWS, path, "", replace, err) != 0)
        return -1;
    if (companions && !arguments->no_blocks &&
        output_files_open(outputs, BLOCKS, path, ".blocks.csv", replace, err) != 0)
        return -1;
    if (companions && !arguments->no_bbv &&
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
    struct trace_workload *workload = launches_open(&launches, arguments->source, err);
    if (workload != NULL) {
        if (!arguments->quiet)
            workload_profile_note(workload, &launches);
        profile = workload_profile(workload, &launches,
                                   arguments->launches.count > 0 ? &arguments->launches : NULL,
                                   &companions, err);
    }
    launches_finish(&launches);
    trace_workload_destroy(workload);
    return profile;
}

/* Keeps only the rows of the chosen launches. */
static int choose(const struct profile_arguments *arguments, struct profile *profile,
                  struct error *err)
{
    bool some = arguments->launches.count > 0;
    size_t kept = 0;
    for (size_t i = 0; some && i < profile->count; i++)
        if (ranges_contain(&arguments->launches, profile->rows[i].launch))
            profile->rows[kept++] = profile->rows[i];
    profile->count = some ? kept : profile->count;
    if (profile->count > 0)
        return 0;
    return error_set(err, ERROR_TRACE, arguments->source, 0, 0, "no launch to profile");
}

static struct profile *convert(const struct profile_arguments *arguments, struct error *err)
{
    struct profile *profile = profile_open(arguments->source, err);
    if (profile == NULL)
        return NULL;
    if (profile->note != NULL && !arguments->quiet)
        notes_say("%s", profile->note);
    if (choose(arguments, profile, err) == 0)
        return profile;
    profile_destroy(profile);
    return NULL;
}

static int make(void *data, char **operands, struct error *err)
{
    struct profile_arguments *arguments = data;
    arguments->source = operands[0];
    const char *const names[] = {arguments->source, arguments->cycles};
    struct input_guard reads = {.names = names, .count = 2};
    struct output_files outputs = {.check = input_guard_check, .data = &reads};
    struct profile *profile = NULL;
    bool converts = profile_is_table(arguments->source);
    if (!converts) /* a table is read at once, without checking for signals */
        stop_init();
    int rc = open_outputs(&outputs, arguments, !converts, err);
    if (rc == 0)
        profile = converts ? convert(arguments, err) : measure(arguments, &outputs, err);
    if (profile == NULL)
        rc = -1;
    if (rc == 0 && arguments->cycles != NULL)
        rc = workload_profile_cycles(profile, arguments->cycles, arguments->quiet, err);
    if (rc == 0)
        rc = profile_write(profile, outputs.files[ROWS].file, outputs.files[ROWS].path, err);
    if (rc == 0)
        rc = output_files_commit(&outputs, err);
    output_files_finish(&outputs);
    input_guard_finish(&reads);
    profile_destroy(profile);
    return rc;
}

int trace_profile(int argc, char **argv, struct error *err)
{
    struct profile_arguments arguments = {0};
    int rc = cli_run(&command, argc, argv, &arguments, make, err);
    return rc != 0 && stop_signal() != 0 ? stop_code() : rc;
}
