#include "tools/run/results/results.h"

#include <string.h>

#include "tools/run/host.h"
#include "tools/run/results/corrections.h"
#include "tools/run/results/stats.h"
#include "traces/base/json.h"

int results_init(struct results *results, const char *path, const char *mark, struct error *err)
{
    *results = (struct results){.started = host_seconds(), .cpu_started = host_cpu_seconds()};
    host_date(results->date, sizeof results->date);
    return output_folder_init(&results->folder, path, mark, err);
}

void results_finish(struct results *results)
{
    rows_finish(&results->rows);
    streams_finish(&results->streams);
    extrapolated_finish(&results->extrapolated);
    output_folder_finish(&results->folder);
    *results = (struct results){0};
}

/* Of launches that this process has simulated. */
static uint64_t own_warp_insts(const struct results *results)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < results->rows.count; i++)
        if (!results->rows.items[i].resumed)
            sum += results->rows.items[i].result.counters.warp_insts;
    return sum;
}

static size_t count_resumed(const struct results *results)
{
    size_t count = 0;
    for (size_t i = 0; i < results->rows.count; i++)
        count += results->rows.items[i].resumed;
    return count;
}

/* Seconds that launches of ROLE took, summed over jobs. */
static double seconds_of(const struct results *results, enum plan_role role)
{
    double sum = 0;
    for (size_t i = 0; i < results->rows.count; i++)
        if (results->rows.items[i].role == role)
            sum += results->rows.items[i].seconds;
    return sum;
}

/* What warm-up, or correction, cost: of launches that this process has simulated. */
static void write_cost(const struct results *results, struct json *json)
{
    double warm = seconds_of(results, PLAN_WARM) + results->warm_seconds;
    double measure = seconds_of(results, PLAN_MEASURE);
    json_number(json, "warm_seconds", warm, 3);
    json_number(json, "measure_seconds", measure, 3);
    json_number(json, "warm_share", warm + measure > 0 ? warm / (warm + measure) : 0, 4);
}

static double rate(uint64_t insts, double seconds)
{
    return seconds > 0 ? (double)insts / seconds / 1000 : 0;
}

struct results_speed results_speed(const struct results *results)
{
    uint64_t insts = own_warp_insts(results);
    double cpu = host_cpu_seconds() - results->cpu_started;
    double wall = host_seconds() - results->started;
    return (struct results_speed){cpu, wall, rate(insts, cpu), rate(insts, wall)};
}

static void write_csv(const struct results *results, const struct results_about *about,
                      FILE *out)
{
    char buffer[32];
    size_t columns = row_column_count();
    for (size_t c = 0; c < columns; c++)
        fprintf(out, "%s%s", row_column(c).name, c + 1 < columns ? "," : "\n");
    for (size_t i = 0; i < results->rows.count; i++)
        for (size_t c = 0; c < columns; c++) {
            struct value value = row_value(&results->rows.items[i], c);
            profile_csv_field(out, value_text(&value, buffer));
            putc(c + 1 < columns ? ',' : '\n', out);
        }
}

static void write_config(const struct results *results, const struct results_about *about,
                         FILE *out)
{
    sim_config_print(about->config, out);
}

static void write_plan(const struct results *results, const struct results_about *about,
                       FILE *out)
{
    plan_write(about->plan, about->skip, about->listed, out);
}

static void write_report(const struct results *results, const struct results_about *about,
                         FILE *out)
{
    fputs(about->report, out);
}

static void write_intervals(const struct results *results, const struct results_about *about,
                            FILE *out)
{
    intervals_write_head(out);
    for (size_t i = 0; i < results->rows.count; i++) {
        const struct row *row = &results->rows.items[i];
        intervals_write(&row->intervals, row->step, row->launch, &row->result.peaks, out);
    }
}

static void write_stacks(const struct results *results, const struct results_about *about,
                         FILE *out)
{
    stacks_write_head(out);
    for (size_t i = 0; i < results->rows.count; i++) {
        const struct row *row = &results->rows.items[i];
        stacks_write(&row->stacks, row->step, row->launch, out);
    }
}

static void write_corrections(const struct results *results, const struct results_about *about,
                              FILE *out)
{
    corrections_write_head(out);
    for (size_t i = 0; i < results->rows.count; i++)
        corrections_write(&results->rows.items[i], about->correction, out);
}

static void write_moved(const struct identity_moved *moved, struct json *json)
{
    char text[3 * DIGEST_TEXT];
    snprintf(text, sizeof text, "%s %s %s", moved->plan, moved->root, moved->here);
    json_text(json, "moved", text);
}

static void write_run(const struct results *results, const struct results_about *about,
                      FILE *out)
{
    struct json json;
    char host[256];
    struct results_speed speed = results_speed(results);
    host_name(host, sizeof host);
    json_init(&json, out);
    json_open(&json, NULL, '{');
    json_text(&json, "version", HEARTH_VERSION);
    json_open_line(&json, "command", '[');
    for (const char *const *argument = about->arguments; *argument != NULL; argument++)
        json_text(&json, NULL, *argument);
    json_close(&json, ']');
    json_text(&json, "plan", about->plan->path);
    json_text(&json, "workload", about->plan->workload);
    json_text(&json, "host", host);
    json_text(&json, "date", results->date);
    json_text(&json, "stop_reason", about->stop_reason);
    json_bool(&json, "partial", about->partial);
    json_count(&json, "launches", results->rows.count);
    json_count(&json, "intervals", about->intervals);
    if (about->identity != NULL)
        write_moved(&about->identity->moved, &json);
    json_count(&json, "resumed_launches", count_resumed(results));
    json_count(&json, "jobs", about->jobs);
    json_count(&json, "threads", about->threads);
    json_number(&json, "wall_seconds", speed.wall_seconds, 3);
    json_number(&json, "cpu_seconds", speed.cpu_seconds, 3);
    write_cost(results, &json);
    json_number(&json, "kwips", speed.cpu, 3);
    json_number(&json, "kwips_wall", speed.wall, 3);
    json_number(&json, "peak_rss_mib", host_peak_mib(), 1);
    json_close(&json, '}');
}

/* The files of the folder; the last one marks it finished. */
static const struct file {
    const char *name;
    void (*write)(const struct results *results, const struct results_about *about, FILE *out);
} files[] = {
    {"kernels.csv", write_csv},
    {"stats.json", stats_write_json},
    {"stats.txt", stats_write_text},
    {"config.out", write_config},
    {"plan.out", write_plan},
    {"deadlock.txt", write_report},
    {"intervals.csv", write_intervals},
    {"schedulers.csv", write_stacks},
    {"correction.csv", write_corrections},
    {"run.json", write_run},
};

int results_check(const char *path, struct input_guard *reads, struct error *err)
{
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char name[4096];
        if (snprintf(name, sizeof name, "%s/%s", path, files[i].name) < (int)sizeof name &&
            input_guard_check(reads, name, err) != 0)
            return -1;
    }
    return 0;
}

static bool is_wanted(const struct file *file, const struct results_about *about)
{
    if (file->write == write_report)
        return about->report != NULL && about->report[0] != '\0';
    if (file->write == write_stacks)
        return about->config->options.hearth_cpi_stack;
    if (file->write == write_corrections)
        return about->correction != NULL;
    return file->write != write_intervals || about->intervals != 0;
}

int results_write(struct results *results, const struct results_about *about, struct error *err)
{
    static const char *const stale[] = {"deadlock.txt", "intervals.csv", "schedulers.csv",
                                        "correction.csv", NULL};
    size_t count = sizeof files / sizeof files[0];
    streams_finish(&results->streams);
    if (!streams_init(&results->streams, results->rows.items, results->rows.count))
        return error_no_memory(err);
    if (extrapolated_init(&results->extrapolated, &results->rows, about->plan, about->skip,
                          about->config, err) != 0)
        return -1;
    results->extrapolated.of.design.whole &= !about->part;
    for (size_t i = 0; i < count; i++) {
        if (!is_wanted(&files[i], about))
            continue;
        FILE *out = output_folder_open(&results->folder, files[i].name, err);
        if (out == NULL)
            return -1;
        files[i].write(results, about, out);
        if (output_folder_close(&results->folder, out, err) < 0)
            return -1;
    }
    return output_folder_commit(&results->folder, files[count - 1].name, stale, err);
}
