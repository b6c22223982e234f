/* hearth diff: comparisons for other programs. */
#include <math.h>

#include "tools/commands/diff/diff_tables.h"
#include "tools/report/report_table.h"
#include "traces/base/json.h"

#define VALUE  24
#define DIGITS 9

static const struct report_table_column columns[] = {
    {"run", "", ""},   {"kind", "", ""},     {"name", "", ""},
    {"unit", "", ""},  {"launches", "", ""}, {"base", "", ""},
    {"value", "", ""}, {"speedup", "", ""},  {"change", "", ""},
};

/* A row: numbers that are NaN stay empty. */
struct value_row {
    const char *run, *kind, *name, *unit;
    double launches, base, value, speedup, change;
};

static void add_significant(struct report_table *sheet, double value)
{
    char text[40] = "";
    if (isfinite(value))
        snprintf(text, sizeof text, "%.*g", DIGITS, value);
    report_table_text(sheet, text);
}

static void add_row(struct report_table *sheet, const struct value_row *row)
{
    const char *const texts[] = {row->run, row->kind, row->name, row->unit};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        report_table_text(sheet, texts[i]);
    report_table_number(sheet, row->launches, 0);
    add_significant(sheet, row->base);
    add_significant(sheet, row->value);
    add_significant(sheet, row->speedup);
    add_significant(sheet, row->change);
}

static void add_times(struct report_table *sheet, const char *run, const struct comparison *c)
{
    struct value_row row = {run,           "total",       "time",     "s", (double)c->launches,
                            c->seconds[0], c->seconds[1], c->speedup, NAN};
    add_row(sheet, &row);
    row = (struct value_row){run, "mean", "kernels", "", NAN, NAN, NAN, c->kernel_mean, NAN};
    add_row(sheet, &row);
    row.name = "launches";
    row.speedup = c->launch_mean;
    add_row(sheet, &row);
    for (size_t i = 0; i < c->kernel_count; i++) {
        const struct compared_kernel *kernel = &c->kernels[i];
        row = (struct value_row){run,
                                 "kernel",
                                 kernel->name,
                                 "s",
                                 (double)kernel->launches,
                                 kernel->seconds[0],
                                 kernel->seconds[1],
                                 kernel->speedup,
                                 NAN};
        add_row(sheet, &row);
    }
}

static void add_counters(struct report_table *sheet, const char *run,
                         const struct comparison *c)
{
    for (size_t i = 0; i < c->counter_count; i++) {
        const struct compared_counter *counter = &c->counters[i];
        const struct value_row row = {run,
                                      counter->ratio ? "ratio" : "counter",
                                      counter->name,
                                      counter->unit,
                                      NAN,
                                      counter->values[0],
                                      counter->values[1],
                                      NAN,
                                      counter->change};
        add_row(sheet, &row);
    }
}

int diff_tables_write_csv(const struct diff_runs *runs, FILE *out, struct error *err)
{
    struct report_table sheet = {.name = "diff", REPORT_TABLE_OF(columns)};
    for (size_t i = 0; i < runs->count; i++) {
        add_times(&sheet, runs->others[i].folder, &runs->comparisons[i]);
        add_counters(&sheet, runs->others[i].folder, &runs->comparisons[i]);
    }
    int result = sheet.failed ? error_no_memory(err) : 0;
    if (result == 0)
        report_table_write_csv(&sheet, out);
    report_table_finish(&sheet);
    return result;
}

/* ---- JSON ---- */

static void write_number(struct json *json, const char *key, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.*g", DIGITS, value);
    json_raw(json, key, isfinite(value) ? text : "null");
}

static void write_options(struct json *json, const struct comparison *c)
{
    char base[VALUE], other[VALUE];
    json_open(json, "options", '[');
    for (size_t i = 0; i < SIM_OPTION_COUNT; i++) {
        const struct sim_option_info *option = &sim_option_table[i];
        if (!comparison_option_differs(c, option))
            continue;
        json_open_line(json, NULL, '{');
        json_text(json, "name", option->name);
        json_text(json, "base", sim_config_value(c->base->config, option, base, VALUE));
        json_text(json, "value", sim_config_value(c->other->config, option, other, VALUE));
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void write_kernels(struct json *json, const struct comparison *c)
{
    json_open(json, "kernels", '[');
    for (size_t i = 0; i < c->kernel_count; i++) {
        const struct compared_kernel *kernel = &c->kernels[i];
        json_open_line(json, NULL, '{');
        json_text(json, "name", kernel->name);
        json_text(json, "title", kernel->brief);
        json_count(json, "launches", kernel->launches);
        write_number(json, "base_seconds", kernel->seconds[0]);
        write_number(json, "seconds", kernel->seconds[1]);
        write_number(json, "speedup", kernel->speedup);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void write_counters(struct json *json, const struct comparison *c, bool ratios)
{
    json_open(json, ratios ? "ratios" : "counters", '[');
    for (size_t i = 0; i < c->counter_count; i++) {
        const struct compared_counter *counter = &c->counters[i];
        if (counter->ratio != ratios)
            continue;
        json_open_line(json, NULL, '{');
        json_text(json, "name", counter->name);
        json_text(json, "unit", counter->unit);
        write_number(json, "base", counter->values[0]);
        write_number(json, "value", counter->values[1]);
        write_number(json, ratios ? "points" : "percent", counter->change);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void write_run(struct json *json, const struct comparison *c)
{
    json_open(json, NULL, '{');
    json_text(json, "folder", c->other->folder);
    json_bool(json, "partial", c->other->facts.partial);
    json_bool(json, "same_workload", !comparison_of_two_workloads(c));
    json_count(json, "launches", c->other->launch_count);
    json_count(json, "compared", c->launches);
    write_number(json, "base_seconds", c->seconds[0]);
    write_number(json, "seconds", c->seconds[1]);
    write_number(json, "speedup", c->speedup);
    write_number(json, "mean_speedup_kernels", c->kernel_mean);
    write_number(json, "mean_speedup_launches", c->launch_mean);
    write_options(json, c);
    write_kernels(json, c);
    write_counters(json, c, false);
    write_counters(json, c, true);
    json_close(json, '}');
}

int diff_tables_write_json(const struct diff_runs *runs, FILE *out, struct error *err)
{
    struct json json;
    json_init(&json, out);
    json_open(&json, NULL, '{');
    json_open_line(&json, "base", '{');
    json_text(&json, "folder", runs->base.folder);
    json_bool(&json, "partial", runs->base.facts.partial);
    json_count(&json, "launches", runs->base.launch_count);
    json_close(&json, '}');
    json_open(&json, "runs", '[');
    for (size_t i = 0; i < runs->count; i++)
        write_run(&json, &runs->comparisons[i]);
    json_close(&json, ']');
    json_close(&json, '}');
    return 0;
}
