/* hearth run: executes a workload or a plan and writes the results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/intra/intra.h"
#include "tools/commands/accel_sim.h"
#include "tools/commands/command.h"
#include "tools/commands/option_help.h"
#include "tools/commands/run_bounds.h"
#include "tools/commands/run_summary.h"
#include "tools/run/progress/progress_line.h"
#include "tools/run/run.h"
#include "tools/run/values/value_lists.h"
#include "traces/base/process/heap.h"
#include "warmup/warmup.h"

#define WEEK         604800 /* seconds */
#define MAX_INTERVAL 1e12   /* cycles: sums with it do not overflow */

struct run_command {
    struct run_request request;
    const char **configs, **sets;
    bool quiet, bounds;
    struct accel_sim text;
    const char *print; /* format on standard output; NULL: the summary */
};

static int show_config_help(char **operands, struct error *err)
{
    return option_help(operands, stdout, err);
}

static void describe_policies(FILE *out)
{
    warmup_describe(out);
    warmup_describe_corrections(out);
}

static const char *const print_names[] = {"accel-sim", NULL};

#define AT(member) CLI_AT(struct run_command, member)

static const struct cli_option table[] = {
    {'c', "config", "CONFIG",
     "bundled name or GPGPU-Sim option file; several add up, the later "
     "one wins; a file by itself starts from GPGPU-Sim's "
     "defaults, so name a card first: -c rtx3070 -c FILE",
     CLI_LIST, CLI_LIST_AT(struct run_command, configs, request.config_count),
     .initial = "rtx3070", .values = value_lists_cards},
    {0, "set", "NAME=VALUE", "set one option, its name without the dash; wins over files",
     CLI_LIST, CLI_LIST_AT(struct run_command, sets, request.set_count),
     .values = value_lists_options},
    {'o', "output", "DIR", "folder of the results", CLI_TEXT, AT(request.output),
     .initial = "hearth-out"},
    {0, "flush", "LEVELS",
     "caches to empty between launches: at the start of each, after the copies that precede "
     "it, or where hearth_flush_at says",
     CLI_CHOICE, AT(request.flush), .choices = plan_level_names,
     .otherwise = "what the configuration says; l1 in the bundled ones"},
    {0, "launches", "LIST", "only these launches, as 1,5-9; copies before others are kept",
     CLI_TEXT, AT(request.launches)},
    {0, "segments", "LIST",
     "only these segments of the plan, as 1,5-9: writes their rows to DIR/segments.rows for "
     "--join, and no other results",
     CLI_TEXT, AT(request.segments)},
    {0, "join", "FILE",
     "take the rows of runs with --segments, whose folders FILE names, one a line, and "
     "simulate only the other segments",
     CLI_TEXT, AT(request.join)},
    {0, "warm", "POLICY",
     "how each launch gets warm caches, as in the plan that "
     "hearth warm makes; launches outside --launches still warm later ones:",
     CLI_TEXT, AT(request.warm), .describe = describe_policies},
    {0, "states", "FOLDER",
     "with --warm nsl: the tracer has made the states (TRACE_STATES), those of this "
     "configuration",
     CLI_TEXT, AT(request.states)},
    {0, "intra", "METHOD",
     "sample inside each measured launch: simulate a part of its blocks and project the rest, "
     "METHOD[:OPTION=VALUE...]:",
     CLI_TEXT, AT(request.intra), .describe = intra_describe},
    {0, "intra-profile", "FILE",
     "thread blocks of a profile (NAME.blocks.csv of `hearth trace profile`): tbpoint-intra "
     "makes "
     "its regions from it, for the card that is simulated, and does not read launches before "
     "they run",
     CLI_TEXT, AT(request.intra_profile)},
    {0, "jobs", "N",
     "segments of a plan that run in parallel; results are "
     "the same for any number",
     CLI_WHOLE, AT(request.jobs), 1, RUN_JOBS, .initial = "1"},
    {0, "threads", "N",
     "threads that work in parallel in each job; results "
     "are the same for any number",
     CLI_WHOLE, AT(request.threads), 1, RUN_JOBS,
     .otherwise = "the usable cores, divided by the jobs, at most one per SM"},
    {0, "allow-outside", NULL,
     "let lines of the plan write and read files outside the plan's folder", CLI_FLAG,
     AT(request.allow_outside)},
    {0, "resume", NULL,
     "continue the same command after it was stopped or killed; "
     "start if there is nothing; do nothing if the results are complete",
     CLI_FLAG, AT(request.resume)},
    {0, "checkpoint", "SECONDS",
     "how often to save the simulator's state, so that --resume repeats at "
     "most that time and one launch; at most half of the time goes into it",
     CLI_WHOLE, AT(request.checkpoint), 0, WEEK, .initial = "60"},
    {0, "intervals", "N",
     "also write intervals.csv: instructions, hit rates and DRAM bytes of "
     "each N cycles of each launch",
     CLI_WHOLE, AT(request.intervals), 1, MAX_INTERVAL},
    {0, "cpi-stack", NULL,
     "count what each warp scheduler did in each cycle, and also "
     "write schedulers.csv",
     CLI_LIST, CLI_LIST_AT(struct run_command, sets, request.set_count),
     .value = "hearth_cpi_stack=1"},
    {0, "parts", NULL, "count also by SM, L2 slice and DRAM channel, and write parts.csv",
     CLI_LIST, CLI_LIST_AT(struct run_command, sets, request.set_count),
     .value = "hearth_parts=1"},
    {0, "activity", NULL,
     "count also what SMs issue, and write activity.csv: events of each component and their "
     "energy by published figures",
     CLI_LIST, CLI_LIST_AT(struct run_command, sets, request.set_count),
     .value = "hearth_activity=1"},
    {0, "trace-events", "LAUNCH[:SM[:FROM-TO]]",
     "write events.json: what SM (default: 0) does in a launch, from cycle FROM to TO of it: "
     "issue, reasons of stalls and memory requests of each warp, for the viewers of Perfetto "
     "and Chrome; includes --cpi-stack",
     CLI_TEXT, AT(request.events)},
    {0, "warps", NULL,
     "write warps.csv: when each warp was issued, with its block, and retired, in cycles of "
     "its "
     "launch; not of blocks that a method inside the launch leaves out",
     CLI_FLAG, AT(request.warps)},
    {0, "bounds", NULL,
     "also print a lower bound of each measured launch's cycles; reads the traces again",
     CLI_FLAG, AT(bounds)},
    {0, "print", "FORMAT",
     "what GPGPU-Sim prints after each launch, for scripts "
     "that read it, on standard output instead of the summary",
     CLI_CHOICE, AT(print), .choices = print_names},
    {0, "help-config", NULL,
     "show every option that -c and --set take, with unit, range, default "
     "and where it acts; if names follow, only those options",
     CLI_SHOW, .values = value_lists_option_names, .show = show_config_help},
    {'q', "quiet", NULL, "no progress, notes and summary", CLI_FLAG, AT(quiet)},
};

static const struct cli_command command = {
    "hearth run",
    "WORKLOAD|PLAN [OPTION]...\n"
    "--help-config [NAME]...",
    "Simulates the launches of a workload (a folder with kernelslist.g, a list, a packed\n"
    "file, one trace file or an archive) or of a plan, in order, and writes the results to\n"
    "a folder.",
    table,
    sizeof table / sizeof table[0],
    "one workload or plan",
    1,
};

static void on_begun(void *data)
{
    struct run_command *work = data;
    accel_sim_init(&work->text, stdout);
}

static void on_launched(void *data, const struct row *row)
{
    struct run_command *work = data;
    accel_sim_launch(&work->text, row);
}

static bool came_to_end(const struct results *results)
{
    return strcmp(results->stop_reason, "error") != 0 &&
           strncmp(results->stop_reason, "SIG", 3) != 0;
}

static void print(struct run_command *work, const struct results *results)
{
    if (results->report != NULL)
        fputs(results->report, stderr);
    if (results->complete && !work->quiet)
        notes_say("--resume: the results in %s are complete", work->request.output);
    if (results->stop_reason == NULL)
        return;
    if (!work->quiet)
        notes_print(&results->notes);
    if (work->print != NULL && came_to_end(results))
        accel_sim_end(&work->text);
    else if (work->print == NULL && !work->quiet &&
             (results->rows.count > 0 || came_to_end(results)))
        run_summary_print(results, work->request.output);
}

/* Also of complete results that --resume found. */
static int print_bounds(const struct results *results, const char *output, const char *workload,
                        struct error *err)
{
    struct results found;
    if (!results->complete)
        return results->stop_reason != NULL ? run_bounds_print(results, workload, err) : 0;
    int code = results_read(&found, output, err);
    if (code == 0)
        code = run_bounds_print(&found, workload, err);
    results_finish(&found);
    return code;
}

static int run(void *data, char **operands, struct error *err)
{
    struct run_command *work = data;
    struct run_request *request = &work->request;
    if (strcmp(request->output, "-") == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-o -: a run writes a folder, not to standard output");
    request->target = operands[0];
    request->configs = work->configs;
    if (request->events != NULL) /* lists have room for it */
        work->sets[request->set_count++] = "hearth_cpi_stack=1";
    request->sets = work->sets;
    request->catch_signals = true;
    const struct run_hooks hooks = {
        .data = work,
        .progress = progress_line(work->quiet).take,
        .begun = work->print != NULL ? on_begun : NULL,
        .launched = work->print != NULL ? on_launched : NULL,
    };
    struct results results;
    heap_use_huge_pages();
    int code = run_execute(request, &hooks, &results, err);
    print(work, &results);
    if (code == 0 && work->bounds &&
        print_bounds(&results, request->output, operands[0], err) != 0)
        code = -1;
    results_finish(&results);
    return code;
}

int command_run(int argc, char **argv, struct error *err)
{
    /* A copy, since getopt_long() moves options before operands. */
    const char **arguments = calloc((size_t)argc + 1, sizeof *arguments);
    if (arguments == NULL)
        return error_no_memory(err);
    memcpy(arguments, argv, (size_t)argc * sizeof *arguments);
    struct run_command work = {.request.command = arguments};
    int code = cli_run(&command, argc, argv, &work, run, err);
    free(arguments);
    return code;
}
