#include "tools/run/results/results_writer.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "tools/run/results/correction_table.h"
#include "tools/run/results/row_files.h"
#include "tools/run/split/segment_rows.h"
#include "traces/base/json.h"
#include "traces/base/process/host.h"

/* Writes the cost of warm-up, or of a correction. */
static void write_cost(const struct results *results, struct json *json)
{
    double warm = results->warm_seconds, measure = results->measure_seconds;
    json_number(json, "warm_seconds", warm, 3);
    json_number(json, "measure_seconds", measure, 3);
    json_number(json, "warm_share", warm + measure > 0 ? warm / (warm + measure) : 0, 4);
}

static void write_config(const struct results *results, const struct results_about *about,
                         FILE *out)
{
    sim_config_print(results->config, out);
}

static void write_plan(const struct results *results, const struct results_about *about,
                       FILE *out)
{
    plan_write(about->plan, about->skip, about->listed, out);
}

static void write_report(const struct results *results, const struct results_about *about,
                         FILE *out)
{
    fputs(results->report, out);
}

static void write_intervals(const struct results *results, const struct results_about *about,
                            FILE *out)
{
    intervals_write_head(out);
    struct rows_pass pass = {.rows = &results->rows};
    for (const struct row *row; (row = rows_next(&pass)) != NULL;)
        intervals_write(&row->intervals, row->step, row->launch, &row->result.peaks, out);
}

static void write_stacks(const struct results *results, const struct results_about *about,
                         FILE *out)
{
    stacks_write_head(out);
    struct rows_pass pass = {.rows = &results->rows};
    for (const struct row *row; (row = rows_next(&pass)) != NULL;)
        stacks_write(&row->stacks, row->step, row->launch, out);
}

static void write_parts(const struct results *results, const struct results_about *about,
                        FILE *out)
{
    row_parts_write_head(out);
    struct rows_pass pass = {.rows = &results->rows};
    for (const struct row *row; (row = rows_next(&pass)) != NULL;)
        row_parts_write(&row->parts, row->step, row->launch, out);
}

static void write_activity(const struct results *results, const struct results_about *about,
                           FILE *out)
{
    activity_table_write(&results->rows, about->energies, out);
}

static void write_corrections(const struct results *results, const struct results_about *about,
                              FILE *out)
{
    correction_table_write_head(out);
    struct rows_pass pass = {.rows = &results->rows};
    for (const struct row *row; (row = rows_next(&pass)) != NULL;)
        correction_table_write(row, about->correction, out);
}

static void write_moved(const struct identity_moved *moved, struct json *json)
{
    char text[3 * DIGEST_TEXT];
    snprintf(text, sizeof text, "%s %s %s", moved->plan, moved->root, moved->here);
    json_text(json, "moved", text);
}

static void write_pairs(const char *option, const char *const *values, size_t count,
                        struct json *json)
{
    for (size_t i = 0; i < count && values[i] != NULL; i++) {
        json_text(json, NULL, option);
        json_text(json, NULL, values[i]);
    }
}

/* The command line as it was given, or an equivalent one. */
static void write_command(const struct run_request *request, struct json *json)
{
    json_open_line(json, "command", '[');
    for (const char *const *word = request->command; word != NULL && *word != NULL; word++)
        json_text(json, NULL, *word);
    if (request->command == NULL) {
        json_text(json, NULL, "run");
        json_text(json, NULL, request->plan != NULL ? request->plan->path : request->target);
        write_pairs("-o", &request->output, 1, json);
        write_pairs("-c", request->configs, request->config_count, json);
        write_pairs("--set", request->sets, request->set_count, json);
        write_pairs("--warm", &request->warm, 1, json);
        write_pairs("--intra", &request->intra, 1, json);
        write_pairs("--intra-profile", &request->intra_profile, 1, json);
        write_pairs("--flush", &request->flush, 1, json);
        write_pairs("--launches", &request->launches, 1, json);
        write_pairs("--join", &request->join, 1, json);
        if (request->allow_outside)
            json_text(json, NULL, "--allow-outside");
    }
    json_close(json, ']');
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
    write_command(about->request, &json);
    json_text(&json, "plan", about->plan->path);
    json_text(&json, "workload", about->plan->workload);
    json_text(&json, "host", host);
    json_text(&json, "date", about->date);
    json_text(&json, "stop_reason", results->stop_reason);
    json_bool(&json, "partial", results_partial(results));
    json_count(&json, "launches", results->rows.count);
    json_count(&json, "intervals", about->request->intervals);
    if (about->identity != NULL)
        write_moved(&about->identity->moved, &json);
    json_count(&json, "resumed_launches", results->resumed);
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

/* The files of the folder besides those of row_files.h; the last one marks it as finished. */
static const struct file {
    const char *name;
    void (*write)(const struct results *results, const struct results_about *about, FILE *out);
} files[] = {
    {"config.out", write_config},
    {"plan.out", write_plan},
    {"deadlock.txt", write_report},
    {"intervals.csv", write_intervals},
    {"schedulers.csv", write_stacks},
    {"parts.csv", write_parts},
    {"activity.csv", write_activity},
    {"correction.csv", write_corrections},
    {"events.json", NULL}, /* written during the run */
    {"warps.csv", NULL},   /* likewise */
    {"run.json", write_run},
};

static bool is_own(const char *name)
{
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (strcmp(name, files[i].name) == 0)
            return true;
    for (size_t i = 0; i < ROW_FILES; i++)
        if (strcmp(name, row_files_names[i]) == 0)
            return true;
    return false;
}

/* Results go into a folder of their own, so that they are never among somebody's traces: PATH
 * does not exist, is empty, or holds earlier results. Those end with run.json, or are rows of
 * segments; without these, a
 * single file that only has the name of one of theirs is somebody's. */
static int check_folder(const char *path, struct error *err)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    bool empty = true, complete = false;
    int own = 0;
    if (folder == NULL && errno == ENOMEM)
        return error_no_memory_for(err, ERROR_OUTPUT, path);
    if (folder == NULL)
        return 0; /* whether it can be made is found later */
    while ((entry = readdir(folder)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            empty = false;
            own += is_own(entry->d_name);
            complete |= strcmp(entry->d_name, "run.json") == 0 ||
                        strcmp(entry->d_name, SEGMENT_ROWS) == 0;
        }
    closedir(folder);
    if (empty || complete || own > 1)
        return 0;
    return error_set(
        err, ERROR_OUTPUT, path, 0, 0,
        "the folder holds other files and no results; name one of their own with -o");
}

/* Whether the file NAME in the folder PATH may be replaced. */
static int check_file(const char *path, const char *name, struct input_guard *reads,
                      struct error *err)
{
    char file[4096];
    return snprintf(file, sizeof file, "%s/%s", path, name) < (int)sizeof file
               ? input_guard_check(reads, file, err)
               : 0;
}

int results_writer_check(const char *path, struct input_guard *reads, struct error *err)
{
    int result = check_folder(path, err);
    for (size_t i = 0; i < ROW_FILES && result == 0; i++)
        result = check_file(path, row_files_names[i], reads, err);
    for (size_t i = 0; i < sizeof files / sizeof files[0] && result == 0; i++)
        result = check_file(path, files[i].name, reads, err);
    return result;
}

static bool is_wanted(const struct file *file, const struct results *results,
                      const struct results_about *about)
{
    if (file->write == NULL)
        return false;
    if (file->write == write_report)
        return results->report != NULL && results->report[0] != '\0';
    if (file->write == write_stacks)
        return results->config->options.hearth_cpi_stack;
    if (file->write == write_parts)
        return results->config->options.hearth_parts;
    if (file->write == write_activity)
        return results->config->options.hearth_activity;
    if (file->write == write_corrections)
        return about->correction != NULL;
    return file->write != write_intervals || about->request->intervals != 0;
}

static int write_files(struct output_folder *folder, const struct results *results,
                       const struct results_about *about, struct error *err)
{
    static const char *const stale[] = {"deadlock.txt", "intervals.csv", "schedulers.csv",
                                        "parts.csv",    "activity.csv",  "correction.csv",
                                        "events.json",  "warps.csv",     NULL};
    size_t count = sizeof files / sizeof files[0];
    if (row_files_write(folder, results, about, err) < 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (!is_wanted(&files[i], results, about))
            continue;
        FILE *out = output_folder_open(folder, files[i].name, err);
        if (out == NULL)
            return -1;
        files[i].write(results, about, out);
        if (output_folder_close(folder, out, err) < 0)
            return -1;
    }
    if (row_store_check(results->store, err) < 0)
        return -1;
    return output_folder_commit(folder, files[count - 1].name, stale, err);
}

int results_writer_write(struct output_folder *folder, const struct results *results,
                         const struct results_about *about, struct error *err)
{
    struct streams streams;
    struct energies energies;
    struct results_about with = *about;
    if (!streams_init(&streams, &results->rows))
        return error_no_memory(err);
    with.streams = &streams;
    with.energies = &energies;
    int result = energies_published(&energies, err);
    if (result == 0)
        result = write_files(folder, results, &with, err);
    streams_finish(&streams);
    return result;
}
