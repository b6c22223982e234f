/* hearth calibrate: turns the rows that the calibration program measured into a configuration.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/calibrate/bundled_launches.h"
#include "tools/calibrate/stages.h"
#include "tools/cli/cli.h"
#include "tools/commands/command.h"
#include "tools/report/report_table.h"
#include "tools/run/input_guard.h"
#include "tools/run/values/value_lists.h"
#include "traces/base/files/output_file.h"
#include "traces/base/process/heap.h"
#include "traces/base/threads/host_cores.h"
#include "traces/base/visible.h"

struct calibrate {
    const char *card, *trace, *output;
    bool force, quiet;
    unsigned jobs;
    struct measured_rows rows;
    struct bundled_launches launches;
    struct trial_memory memory;
    struct trials trials;
    struct parameter *parameters;
    struct report_table sheet, unused, unseen;
};

#define AT(member) CLI_AT(struct calibrate, member)

static const struct cli_option table[] = {
    {0, "trace", "WORKLOAD", "the launches of the calibration program", CLI_TEXT, AT(trace),
     .otherwise = "those of an H100, which are compiled in"},
    {0, "from", "CONFIG",
     "bundled name or option file to start from: what no row says stays as it is there",
     CLI_TEXT, AT(card), .initial = "h100", .values = value_lists_cards},
    {'o', "output", "FILE", "the configuration", CLI_TEXT, AT(output), .required = true},
    {0, "jobs", "N", "rules that are worked out at the same time", CLI_WHOLE, AT(jobs), 1,
     STAGES_JOBS, .otherwise = "the usable cores"},
    {'f', "force", NULL, "replace a file that exists", CLI_FLAG, AT(force)},
    {'q', "quiet", NULL, "no table", CLI_FLAG, AT(quiet)},
};

static const struct cli_command command = {
    "hearth calibrate",
    "RESULTS.csv -o FILE [OPTION]...",
    "Turns rows that the calibration program (tracer/calibration) measured on a card\n"
    "into a configuration. Says which rows set which parameter, and what they do not\n"
    "show. The launches of the program's trace are simulated with different values until\n"
    "their cycles are nearest to the measured ones: some 150 simulations.",
    table,
    sizeof table / sizeof table[0],
    "one table of measured rows",
    1,
};

/* ---- the tables -------------------------------------------------------- */

static const struct report_table_column columns[] = {
    {"parameter", "", ""},      {"field", "", ""},
    {"before", "", ""},         {"after", "", ""},
    {"rows", "", ""},           {"column", "", ""},
    {"measured", "cycles", ""}, {"simulated", "cycles", ""},
    {"result", "", ""},
};

static const char *result_of(const struct parameter *parameter)
{
    switch (parameter->end) {
    case PARAMETER_OTHER_CORE:
    case PARAMETER_MISSING:
        return "not measured";
    case PARAMETER_AT_LIMIT:
        return "at its limit";
    case PARAMETER_NO_EFFECT:
        return "no effect";
    case PARAMETER_SET:
        break;
    }
    return strtod(parameter->before, NULL) == strtod(parameter->after, NULL) ? "as before"
                                                                             : "set";
}

static void fill_row(struct report_table *sheet, const struct parameter *parameter)
{
    const struct calibrate_rule *rule = parameter->rule;
    char labels[256];
    snprintf(labels, sizeof labels, "%s%s%s", rule->kind == CALIBRATE_SPAN ? "all" : rule->plus,
             rule->minus[0] != '\0' ? " - " : "", rule->minus);
    report_table_text(sheet, rule->option);
    if (rule->field < 0)
        report_table_text(sheet, "");
    else
        report_table_count(sheet, (uint64_t)rule->field + 1);
    report_table_text(sheet, parameter->before);
    report_table_text(sheet, parameter->after);
    report_table_text(sheet, labels);
    report_table_text(sheet, parameter->column != NULL ? parameter->column : "");
    report_table_number(sheet, parameter->measured, 1);
    report_table_number(sheet, parameter->simulated, 1);
    report_table_text(sheet, result_of(parameter));
}

static int uses(void *data, const char *label, size_t length)
{
    const char *wanted = data;
    return strncmp(wanted, label, length) == 0 && wanted[length] == '\0' ? -1 : 0;
}

static bool is_used(const struct calibration_row *row, const char *core)
{
    for (size_t i = 0; i < calibrate_rule_count; i++) {
        const struct calibrate_rule *rule = &calibrate_rules[i];
        void *label = (void *)row->label;
        if (!calibrate_applies(rule, core))
            continue;
        if (calibrate_each_label(rule->plus, uses, label) != 0 ||
            calibrate_each_label(rule->minus, uses, label) != 0 ||
            calibrate_each_label(rule->before, uses, label) != 0)
            return true;
    }
    return false;
}

static const struct report_table_column unused_columns[] = {
    {"mechanism without a parameter", "", ""},
    {"rows", "", "that set no parameter"},
};

/* Mechanisms of which no row sets anything. */
static void fill_unused(const struct measured_rows *rows, const char *core,
                        struct report_table *sheet)
{
    for (size_t i = 0; i < rows->count; i++) {
        const char *mechanism = rows->items[i].mechanism;
        uint64_t count = 0;
        bool first = true, used = false;
        for (size_t k = 0; k < rows->count; k++) {
            if (strcmp(rows->items[k].mechanism, mechanism) != 0)
                continue;
            first &= k >= i;
            used |= is_used(&rows->items[k], core);
            count++;
        }
        if (!first || used)
            continue;
        report_table_text(sheet, mechanism);
        report_table_count(sheet, count);
    }
}

static const struct report_table_column unseen_columns[] = {
    {"parameter that no row sets", "", ""},
    {"value", "", "which stays"},
    {"why", "", ""},
};

/* Parameters without a rule, and their values. */
static int fill_unseen(const struct trials *trials, struct report_table *sheet,
                       struct error *err)
{
    struct sim_config *config = trials_config(trials, err);
    char buffer[64];
    if (config == NULL)
        return -1;
    for (size_t i = 0; i < calibrate_unseen_count; i++) {
        const struct calibrate_unseen *unseen = &calibrate_unseen[i];
        report_table_text(sheet, unseen->option);
        report_table_text(sheet, sim_config_value(config, sim_option_find(unseen->option),
                                                  buffer, sizeof buffer));
        report_table_text(sheet, unseen->why);
    }
    sim_config_destroy(config);
    return 0;
}

static int fill(struct calibrate *calibrate, struct error *err)
{
    calibrate->sheet = (struct report_table){
        .name = "parameters", .title = "Parameters", REPORT_TABLE_OF(columns)};
    calibrate->unused = (struct report_table){
        .name = "unused", .title = "Unused", REPORT_TABLE_OF(unused_columns)};
    calibrate->unseen = (struct report_table){
        .name = "unseen", .title = "Unseen", REPORT_TABLE_OF(unseen_columns)};
    for (size_t i = 0; i < calibrate_rule_count; i++)
        if (calibrate->parameters[i].end != PARAMETER_OTHER_CORE)
            fill_row(&calibrate->sheet, &calibrate->parameters[i]);
    fill_unused(&calibrate->rows, calibrate->trials.core, &calibrate->unused);
    if (fill_unseen(&calibrate->trials, &calibrate->unseen, err) != 0)
        return -1;
    return calibrate->sheet.failed || calibrate->unused.failed || calibrate->unseen.failed
               ? error_no_memory(err)
               : 0;
}

/* ---- the file ---------------------------------------------------------- */

static void write_comments(const struct report_table *sheet, FILE *out)
{
    for (size_t row = 0; row < report_table_rows(sheet); row++) {
        fputs("#  ", out);
        for (size_t column = 0; column < sheet->width; column++) {
            const char *cell = report_table_cell(sheet, row, column);
            if (cell[0] != '\0')
                fprintf(out, " %s", cell);
        }
        putc('\n', out);
    }
}

static void write_config(const struct calibrate *calibrate, const struct sim_config *config,
                         FILE *out)
{
    fprintf(out,
            "# Card: calibrated by hearth calibrate\n# From: %s\n# Rows: ", calibrate->card);
    visible_print(calibrate->rows.path, out);
    fputs("\n#\n# Parameter, field, value before, value after, rows, column, cycles measured, "
          "cycles\n# simulated, result:\n",
          out);
    write_comments(&calibrate->sheet, out);
    if (report_table_rows(&calibrate->unused) > 0) {
        fputs("#\n# Mechanisms whose rows set nothing, and how many rows:\n", out);
        write_comments(&calibrate->unused, out);
    }
    fputs("#\n# Parameters that no row sets, their values, which stay, and why:\n", out);
    write_comments(&calibrate->unseen, out);
    putc('\n', out);
    sim_config_print(config, out);
}

static int write_output(const struct calibrate *calibrate, struct error *err)
{
    struct output_file output = {0};
    struct sim_config *config = trials_config(&calibrate->trials, err);
    if (config == NULL)
        return -1;
    int result = output_file_open(&output, calibrate->output, NULL, calibrate->force, err);
    if (result == 0) {
        write_config(calibrate, config, output.file);
        result = output_file_commit(&output, err);
        output_file_finish(&output);
    }
    sim_config_destroy(config);
    return result;
}

/* ---- the command ------------------------------------------------------- */

static void tell(int round, int stage)
{
    fprintf(stderr, "round %d, stage %d of %d\n", round + 1, stage + 1, CALIBRATE_STAGES);
}

static void show(const struct calibrate *calibrate)
{
    report_table_write_text(&calibrate->sheet, stdout);
    if (report_table_rows(&calibrate->unused) > 0) {
        putchar('\n');
        report_table_write_text(&calibrate->unused, stdout);
    }
    putchar('\n');
    report_table_write_text(&calibrate->unseen, stdout);
    printf("\n%zu simulations; the configuration is in %s\n", calibrate->memory.count,
           calibrate->output);
}

/* Whether the configuration may be written: over none of what is read. */
static int check_output(const struct calibrate *calibrate, const char *rows, struct error *err)
{
    const char *const names[] = {rows, calibrate->trace, calibrate->card};
    struct input_guard reads = {.names = names, .count = sizeof names / sizeof *names};
    int result = output_file_check(calibrate->output, calibrate->force, err);
    if (result == 0)
        result = input_guard_check(&reads, calibrate->output, err);
    input_guard_finish(&reads);
    return result;
}

static int find(struct calibrate *calibrate, struct error *err)
{
    calibrate->trials.card = calibrate->card;
    calibrate->trials.trace =
        calibrate->trace != NULL ? calibrate->trace : calibrate->launches.path;
    calibrate->trials.trace_name =
        calibrate->trace != NULL ? calibrate->trace : "the bundled launches";
    calibrate->trials.rows = &calibrate->rows;
    calibrate->trials.memory = &calibrate->memory;
    if (trials_init(&calibrate->trials, err) != 0)
        return -1;
    calibrate->parameters = calloc(calibrate_rule_count, sizeof *calibrate->parameters);
    if (calibrate->parameters == NULL)
        return error_no_memory(err);
    return stages_find(calibrate->parameters, &calibrate->trials,
                       calibrate->jobs > 0 ? calibrate->jobs : host_cores_usable(),
                       !calibrate->quiet && isatty(STDERR_FILENO) ? tell : NULL, err);
}

static int carry_out(void *data, char **operands, struct error *err)
{
    struct calibrate *calibrate = data;
    heap_use_huge_pages();
    if (check_output(calibrate, operands[0], err) != 0 ||
        measured_rows_read(&calibrate->rows, operands[0], err) != 0 ||
        (calibrate->trace == NULL && bundled_launches_open(&calibrate->launches, err) != 0))
        return -1;
    int code = find(calibrate, err);
    if (code != 0)
        return code;
    if (fill(calibrate, err) != 0 || write_output(calibrate, err) != 0)
        return -1;
    if (!calibrate->quiet)
        show(calibrate);
    return 0;
}

int command_calibrate(int argc, char **argv, struct error *err)
{
    struct calibrate calibrate = {.launches.file = -1};
    trial_memory_init(&calibrate.memory);
    int code = cli_run(&command, argc, argv, &calibrate, carry_out, err);
    measured_rows_finish(&calibrate.rows);
    bundled_launches_close(&calibrate.launches);
    trials_finish(&calibrate.trials);
    trial_memory_finish(&calibrate.memory);
    free(calibrate.parameters);
    report_table_finish(&calibrate.sheet);
    report_table_finish(&calibrate.unused);
    report_table_finish(&calibrate.unseen);
    return code;
}
