/* hearth activity: what happened in the parts of the GPU, and the energy of it. */
#include <math.h>
#include <string.h>

#include "tools/commands/command.h"
#include "tools/report/report_table.h"
#include "tools/run/activity/activity_table.h"
#include "tools/run/run.h"
#include "traces/base/files/output_file.h"

struct activity_command {
    const char *energies; /* path of a table; NULL: the bundled one */
    const char *output;   /* NULL: none */
    const char *format;
    bool quiet;
};

static int show_energies(char **operands, struct error *err)
{
    (void)operands, (void)err;
    fputs(energies_published_text, stdout);
    return 0;
}

static const char *const formats[] = {"text", "csv", "json", NULL};

#define AT(member) CLI_AT(struct activity_command, member)

static const struct cli_option table[] = {
    {0, "energies", "FILE",
     "energies of events, a CSV with the columns event, picojoules and source, instead of "
     "the bundled published figures",
     CLI_TEXT, AT(energies)},
    {0, "print-energies", NULL, "print the bundled table, with its sources", CLI_SHOW,
     .show = show_energies},
    {'o', "output", "FILE", "write the events of each launch to FILE, as activity.csv is",
     CLI_TEXT, AT(output)},
    {0, "format", "FORMAT", "of the table that is printed", CLI_CHOICE, AT(format),
     .choices = formats, .initial = "text"},
    {'q', "quiet", NULL, "no table", CLI_FLAG, AT(quiet)},
};

static const struct cli_command command = {
    "hearth activity",
    "RESULTS [OPTION]...",
    "Sums up what happened in each part of the GPU in the measured launches of a run that\n"
    "counted it (hearth run has an option for that), and the energy that a table gives it.\n"
    "The bundled energies are published figures of several processes, not validated for any\n"
    "card: they serve to compare configurations, not to predict watts.",
    table,
    sizeof table / sizeof table[0],
    "one folder of results",
    1,
};

static int write_events(const struct rows *rows, const struct energies *energies,
                        const char *path, struct error *err)
{
    struct output_file output = {0};
    if (output_file_open(&output, path, NULL, true, err) != 0)
        return -1;
    activity_table_write(rows, energies, output.file);
    int result = output_file_commit(&output, err);
    output_file_finish(&output);
    return result;
}

static void add_line(struct report_table *sheet, const struct activity_component *component,
                     double total)
{
    bool any = component->known != 0;
    report_table_text(sheet, component->name);
    report_table_number(sheet, any ? 1e-6 * component->picojoules : NAN, 3);
    report_table_number(sheet, any ? report_table_percent(component->picojoules, total) : NAN,
                        1);
    report_table_count(sheet, component->unknown);
}

static void print_table(const struct report_table *sheet, const char *format)
{
    struct json json;
    if (strcmp(format, "text") == 0) {
        report_table_write_text(sheet, stdout);
    } else if (strcmp(format, "csv") == 0) {
        report_table_write_csv(sheet, stdout);
    } else {
        json_init(&json, stdout);
        json_open(&json, NULL, '{');
        report_table_write_json(sheet, &json);
        json_close(&json, '}');
    }
}

static int print_components(const struct rows *rows, const struct energies *energies,
                            const char *format, struct error *err)
{
    static const struct report_table_column columns[] = {
        {"component", "", "", false},
        {"energy_uJ", "", "of the events that the energy table has", false},
        {"share_percent", "", "of all that energy", false},
        {"without", "", "kinds of events that happened and have no energy", false},
    };
    struct report_table sheet = {
        .name = "activity", .title = "Energy of components", REPORT_TABLE_OF(columns)};
    struct activity_component components[ACTIVITY_EVENTS], all = {.name = "all"};
    int count = activity_table_components(rows, energies, components);
    for (int i = 0; i < count; i++) {
        all.picojoules += components[i].picojoules;
        all.known += components[i].known;
        all.unknown += components[i].unknown;
    }
    for (int i = 0; i < count; i++)
        if (components[i].known + components[i].unknown != 0)
            add_line(&sheet, &components[i], all.picojoules);
    add_line(&sheet, &all, all.picojoules);
    bool failed = sheet.failed;
    if (!failed)
        print_table(&sheet, format);
    report_table_finish(&sheet);
    return failed ? error_no_memory(err) : 0;
}

static int show(const struct activity_command *work, const struct results *results,
                const char *folder, struct error *err)
{
    struct energies energies;
    if (!results->config->options.hearth_activity)
        return error_set(err, ERROR_USAGE, folder, 0, 0,
                         "the run did not count what SMs issue; repeat it with --activity");
    if ((work->energies != NULL ? energies_read(&energies, work->energies, err)
                                : energies_published(&energies, err)) != 0)
        return -1;
    if (work->output != NULL && write_events(&results->rows, &energies, work->output, err) != 0)
        return -1;
    return work->quiet ? 0 : print_components(&results->rows, &energies, work->format, err);
}

static int run(void *data, char **operands, struct error *err)
{
    struct results results;
    int code = results_read(&results, operands[0], err);
    if (code == 0)
        code = show(data, &results, operands[0], err);
    results_finish(&results);
    return code;
}

int command_activity(int argc, char **argv, struct error *err)
{
    struct activity_command work = {0};
    return cli_run(&command, argc, argv, &work, run, err);
}
