/* hearth diff: compares results. */
#include <string.h>

#include "tools/commands/command.h"
#include "tools/commands/diff/diff_check.h"
#include "tools/commands/diff/diff_tables.h"
#include "tools/run/notes.h"
#include "traces/base/process/terminal.h"

struct diff {
    bool check;
    struct diff_check strict;
    struct diff_limits limits;
    const char *format;
};

static int read_tolerance(void *data, const char *value, struct error *err)
{
    struct diff *diff = data;
    return diff_check_tolerance(&diff->strict, value, err);
}

static int read_ignore(void *data, const char *value, struct error *err)
{
    struct diff *diff = data;
    return diff_check_ignore(&diff->strict, value, err);
}

static const char *const formats[] = {"text", "csv", "json", NULL};

static const struct cli_option table[] = {
    {0, "kernels", "N", "show the N kernels with the most time; 0: all", CLI_WHOLE,
     CLI_AT(struct diff, limits.kernels), .least = 0, .most = 1e9, .initial = "20"},
    {0, "counters", "N", "show the N counters, and ratios, that changed most; 0: all",
     CLI_WHOLE, CLI_AT(struct diff, limits.counters), .least = 0, .most = 1e9, .initial = "12"},
    {0, "options", "N", "show the first N options that differ; 0: all", CLI_WHOLE,
     CLI_AT(struct diff, limits.options), .least = 0, .most = 1e9, .initial = "12"},
    {0, "format", "FORMAT", "text; csv: one table with all values; json", CLI_CHOICE,
     CLI_AT(struct diff, format), .choices = formats, .initial = "text"},
    {0, "check", NULL,
     "compare the kernels.csv of two results row by row instead: print each "
     "column that differs, in how many rows, and where most; exit code 1 if "
     "anything differs. The options below are for it",
     CLI_FLAG, CLI_AT(struct diff, check)},
    {0, "tolerance", "[NAME=]PERCENT",
     "ignore differences of up to PERCENT, in one column or in all; may be "
     "given several times, the last one for a column applies",
     CLI_READ, .read = read_tolerance, .otherwise = "0"},
    {0, "ignore", "NAME", "ignore a column; may be given several times", CLI_READ,
     .read = read_ignore},
    {0, "measured", NULL,
     "compare only the measured launches that both have, by their numbers: "
     "a sample with the full run. Steps, segments, the cycles in which "
     "launches start and end, the gaps before them and restored sectors "
     "are ignored",
     CLI_FLAG, CLI_AT(struct diff, strict.measured)},
    {'q', "quiet", NULL, "only the exit code", CLI_FLAG, CLI_AT(struct diff, strict.quiet)},
};

static const struct cli_command command = {
    "hearth diff",
    "BASE RESULTS... [OPTION]...\n--check RESULTS RESULTS [OPTION]...",
    "Compares results of hearth run with those in BASE: the speed-up of each kernel, of all\n"
    "launches and as geometric mean, the options that differ, and the counters that changed\n"
    "most. Launches are the same if number and kernel agree.",
    table,
    sizeof table / sizeof table[0],
};

static void print(void *data, const struct report_table *sheet, const char *more)
{
    bool *begun = data;
    printf("%s%s%s%s\n", *begun ? "\n" : "", terminal_begin(stdout, TERMINAL_HEADING),
           sheet->title, terminal_end(stdout));
    report_table_write_text(sheet, stdout);
    if (more[0] != '\0')
        puts(more);
    *begun = true;
}

/* Remarks on the runs: in text above the tables, else on standard error. */
static void print_remarks(const struct diff_runs *runs, bool text)
{
    char remark[DIFF_RUNS_REMARK];
    for (size_t i = 0; i <= runs->count; i++) {
        diff_runs_remark(runs, i, remark);
        if (remark[0] != '\0' && !text)
            notes_say("%s", remark);
        else if (remark[0] != '\0')
            printf("%s%s%s\n\n", terminal_begin(stdout, TERMINAL_WARNING), remark,
                   terminal_end(stdout));
    }
}

/* Fails if a run has nothing in common with the base. */
static int check_common(const struct diff_runs *runs, struct error *err)
{
    for (size_t i = 0; i < runs->count; i++) {
        const struct comparison *c = &runs->comparisons[i];
        if (c->launches == 0)
            return error_set(err, ERROR_TRACE, c->other->folder, 0, 0,
                             "no launch of it is in %s: %s", c->base->folder,
                             comparison_of_two_workloads(c) ? "they are of different workloads"
                                                            : "numbers and kernels differ");
    }
    return 0;
}

static int compare(const struct diff *diff, char **folders, size_t others, struct error *err)
{
    struct diff_runs runs;
    bool begun = false;
    const struct diff_sink sink = {print, &begun};
    int result = diff_runs_read(&runs, folders, others, err);
    if (result == 0)
        result = check_common(&runs, err);
    if (result == 0)
        print_remarks(&runs, strcmp(diff->format, "text") == 0);
    if (result == 0 && strcmp(diff->format, "csv") == 0)
        result = diff_tables_write_csv(&runs, stdout, err);
    else if (result == 0 && strcmp(diff->format, "json") == 0)
        result = diff_tables_write_json(&runs, stdout, err);
    else if (result == 0)
        result = diff_tables_make(&runs, &diff->limits, &sink, err);
    diff_runs_finish(&runs);
    return result;
}

static int carry_out(void *data, char **operands, struct error *err)
{
    const struct diff *diff = data;
    const struct diff_check *strict = &diff->strict;
    size_t count = 0;
    while (operands[count] != NULL)
        count++;
    if (diff->check && count != 2)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--check: expected two folders of results, got %zu", count);
    if (diff->check)
        return diff_check_run(strict, operands, err);
    if (strict->rule_count > 0 || strict->measured || strict->quiet)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--tolerance, --ignore, --measured and --quiet belong to --check");
    if (count < 2 || count > DIFF_OTHERS + 1)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "expected 2 to %d folders of results, got %zu", DIFF_OTHERS + 1,
                         count);
    return compare(diff, operands, count - 1, err);
}

int command_diff(int argc, char **argv, struct error *err)
{
    struct diff diff = {0};
    int code = cli_run(&command, argc, argv, &diff, carry_out, err);
    diff_check_finish(&diff.strict);
    return code;
}
