/* hearth report: results as a page. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands/command.h"
#include "tools/commands/report/report_page.h"
#include "tools/run/input_guard.h"
#include "traces/base/files/output_files.h"

struct report_arguments {
    const char *output, *baseline;
    bool force;
};

static const struct cli_option table[] = {
    {0, "baseline", "RUN", "compare all runs with this one", CLI_TEXT,
     CLI_AT(struct report_arguments, baseline)},
    {'o', "output", "FILE", "the page; -: standard output", CLI_TEXT,
     CLI_AT(struct report_arguments, output), .initial = "report.html"},
    {'f', "force", NULL, "replace a file that exists, also if it is no page", CLI_FLAG,
     CLI_AT(struct report_arguments, force)},
};

static const struct cli_command command = {
    "hearth report",
    "RUN... [OPTION]...",
    "Writes the results of runs as one HTML page without references to other files: speed\n"
    "of light, kernels, CPI stacks, a timeline, a roofline, caches and DRAM, intervals, heat\n"
    "maps of SMs, slices and channels, energy, all launches. Of several runs, the first is\n"
    "what the others are compared with, unless there is a baseline. CPI stacks, intervals,\n"
    "parts and activity are shown if hearth run was asked to count them.",
    table,
    sizeof table / sizeof table[0],
};

/* Whether PATH is a page, which another one may replace. */
static bool is_page(const char *path)
{
    static const char begin[] = "<!DOCTYPE html>";
    char text[sizeof begin] = "";
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    size_t read = fread(text, 1, sizeof begin - 1, file);
    fclose(file);
    return read == sizeof begin - 1 && strcmp(text, begin) == 0;
}

/* FOLDERS is the base and COUNT others. */
static int write_file(const struct report_arguments *arguments, char **folders, size_t count,
                      struct error *err)
{
    struct diff_runs runs;
    struct input_guard reads = {.names = (const char *const *)folders, .count = count + 1};
    struct output_files outputs = {.check = input_guard_check, .data = &reads};
    int result = diff_runs_read(&runs, folders, count, err);
    if (result == 0)
        result = output_files_open_one(&outputs, 0, arguments->output,
                                       arguments->force || is_page(arguments->output), err);
    if (result == 0)
        result =
            report_page_write(&runs, arguments->baseline == NULL, outputs.files[0].file, err);
    if (result == 0)
        result = output_files_commit(&outputs, err);
    output_files_finish(&outputs);
    input_guard_finish(&reads);
    diff_runs_finish(&runs);
    return result;
}

static int carry_out(void *data, char **operands, struct error *err)
{
    const struct report_arguments *arguments = data;
    size_t count = 0, first = arguments->baseline != NULL;
    while (operands[count] != NULL)
        count++;
    if (count < 1 || count + first > DIFF_OTHERS + 1)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "expected 1 to %d folders of results, got %zu", DIFF_OTHERS + 1,
                         count + first);
    char **folders = calloc(count + 2, sizeof *folders);
    if (folders == NULL)
        return error_no_memory(err);
    folders[0] = (char *)(uintptr_t)arguments->baseline;
    for (size_t i = 0; i < count; i++)
        folders[first + i] = operands[i];
    int result = write_file(arguments, folders, count + first - 1, err);
    free(folders);
    if (result == 0 && strcmp(arguments->output, "-") != 0)
        printf("%s\n", arguments->output);
    return result;
}

int command_report(int argc, char **argv, struct error *err)
{
    struct report_arguments arguments = {0};
    return cli_run(&command, argc, argv, &arguments, carry_out, err);
}
