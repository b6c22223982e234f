/* hearth run: carries out a workload or a plan and writes the results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands/accel_sim.h"
#include "tools/commands/command.h"
#include "tools/commands/run_options.h"
#include "tools/commands/run_summary.h"
#include "tools/run/heap.h"
#include "tools/run/run.h"

static void on_begun(void *data)
{
    accel_sim_init(data, stdout);
}

static void on_launched(void *data, const struct row *row)
{
    accel_sim_launch(data, row);
}

static bool came_to_end(const struct results *results)
{
    return strcmp(results->stop_reason, "error") != 0 &&
           strncmp(results->stop_reason, "SIG", 3) != 0;
}

static void print(const struct run_options *options, const struct results *results,
                  struct accel_sim *text)
{
    if (results->report != NULL)
        fputs(results->report, stderr);
    if (results->complete && !options->quiet)
        fprintf(stderr, "hearth: note: --resume: the results in %s are complete\n",
                options->output);
    if (results->stop_reason == NULL)
        return;
    if (!options->quiet)
        notes_print(&results->notes);
    if (options->accel_sim && came_to_end(results))
        accel_sim_end(text);
    else if (!options->accel_sim && !options->quiet)
        run_summary_print(results, options->output);
}

static int run(const struct run_options *options, const char *const *arguments,
               struct error *err)
{
    const struct run_request request = {
        .target = options->target,
        .configs = options->configs,
        .config_count = options->config_count,
        .sets = options->sets,
        .set_count = options->set_count,
        .flush = options->flush,
        .warm = options->warm,
        .launches = options->launches,
        .output = options->output,
        .resume = options->resume,
        .checkpoint = options->checkpoint,
        .jobs = options->jobs,
        .threads = options->threads,
        .intervals = options->intervals,
        .catch_signals = true,
        .quiet = options->quiet,
        .command = arguments,
    };
    struct accel_sim text;
    const struct run_hooks hooks = {.data = &text, .begun = on_begun, .launched = on_launched};
    struct results results;
    heap_use_huge_pages();
    int code = run_execute(&request, options->accel_sim ? &hooks : NULL, &results, err);
    print(options, &results, &text);
    results_finish(&results);
    return code;
}

int command_run(int argc, char **argv, struct error *err)
{
    int code = -1;
    struct run_options options = {0};
    /* A copy: getopt_long() puts options in front of operands. */
    const char **arguments = calloc((size_t)argc + 1, sizeof *arguments);
    if (arguments == NULL)
        return error_no_memory(err);
    memcpy(arguments, argv, (size_t)argc * sizeof *arguments);
    if (run_options_init(&options, argc, argv, err) == 0)
        code = options.done ? 0 : run(&options, arguments, err);
    run_options_finish(&options);
    free(arguments);
    return code;
}
