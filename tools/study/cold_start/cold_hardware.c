#include "tools/study/cold_start/cold_hardware.h"
#include "tools/report/kernel_title.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/page.h"
#include "tools/report/scatter.h"
#include "tools/study/cold_start/unknown_reads.h"
#include "tools/study/correlate/cold_pairs.h"
#include "tools/study/placements.h"
#include "tools/study/study_files.h"
#include "tools/study/study_page.h"
#include "tools/study/study_run.h"
#include "tools/study/thresholds.h"
#include "traces/base/bytes.h"
#include "traces/base/process/heap.h"
#include "traces/base/process/stop.h"

#define ROWS 200 /* of a table in the page */

/* ---- runs -------------------------------------------------------------- */

/* One workload: its results warm and cold, and the measured launches that they are. */
struct program_runs {
    struct results warm, cold;
    struct pairing warm_pairs, cold_pairs;
    struct unknown_reads reads;
};

static int take_programs(struct cold_hardware *hardware, char **workloads, struct error *err)
{
    size_t count = 0;
    while (workloads[count] != NULL)
        count++;
    hardware->programs = calloc(count + 1, sizeof *hardware->programs);
    if (hardware->programs == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        char *name = measured_program_name(workloads[i]);
        if (name == NULL)
            return error_no_memory(err);
        hardware->programs[hardware->program_count++] = name;
        for (size_t k = 0; k < i; k++)
            if (strcmp(hardware->programs[k], name) == 0)
                return error_set(err, ERROR_USAGE, NULL, 0, 0, "%s and %s have the same name",
                                 workloads[k], workloads[i]);
    }
    return 0;
}

static int simulate(const struct study_options *options, const char *name, bool cold,
                    struct study_run_count *count, struct results *results, struct error *err)
{
    char folder[256];
    int code = study_stopped(count, err);
    if (code != 0)
        return code;
    snprintf(folder, sizeof folder, "%s%s", name, cold ? ".cold" : ""); /* names have no dot */
    const struct study_run run = {.name = folder, .flush = cold ? "all" : NULL};
    return placements_execute(options, &run, count, results, err);
}

static double cycles_of(const struct row *row)
{
    return (double)(row->result.end_cycle - row->result.start_cycle);
}

/* Copies what the tables need of the launches of program INDEX. */
static int keep(struct cold_hardware *hardware, size_t index, const struct program_runs *runs,
                struct error *err)
{
    struct cold_pair pair;
    struct cold_pairs pairs = {.warm = &runs->warm_pairs, .cold = &runs->cold_pairs};
    size_t before = hardware->count;
    while (cold_pairs_next(&pairs, &pair)) {
        if (!array_room(&hardware->launches, hardware->count, sizeof *hardware->launches))
            return error_no_memory(err);
        hardware->launches[hardware->count++] = (struct cold_launch){
            .program = index,
            .measured = pair.measured,
            .thread_insts = (double)pair.warm->result.counters.thread_insts,
            .warm = cycles_of(pair.warm),
            .cold = cycles_of(pair.cold),
            .unknown = unknown_reads_of(&runs->reads, pair.warm->launch),
        };
    }
    if (hardware->count > before)
        return 0;
    return error_set(err, ERROR_USAGE, hardware->measured.path, 0, 0,
                     "no launch of %s matches: a row's app must be the name of the workload, "
                     "its kernel that of the trace, and it needs cycles both warm and cold",
                     hardware->programs[index]);
}

static int run_program(struct cold_hardware *hardware, size_t index,
                       const struct study_options *options, const struct ranges *chosen,
                       struct study_run_count *count, struct error *err)
{
    const char *name = hardware->programs[index];
    const struct measured *measured = &hardware->measured;
    struct program_runs runs = {0};
    int code = simulate(options, name, false, count, &runs.warm, err);
    if (code == 0)
        code = simulate(options, name, true, count, &runs.cold, err);
    if (code == 0)
        code = unknown_reads_init(&runs.reads, options->operands[0], err);
    if (code == 0)
        code = pairing_init(&runs.warm_pairs, measured, name, chosen, &runs.warm.rows, err);
    if (code == 0)
        code = pairing_init(&runs.cold_pairs, measured, name, chosen, &runs.cold.rows, err);
    if (code == 0)
        code = keep(hardware, index, &runs, err);
    pairing_finish(&runs.warm_pairs);
    pairing_finish(&runs.cold_pairs);
    unknown_reads_finish(&runs.reads);
    results_finish(&runs.warm);
    results_finish(&runs.cold);
    return code;
}

static int run_all(struct cold_hardware *hardware, const struct study_options *options,
                   char **workloads, struct error *err)
{
    struct ranges chosen = {0};
    struct study_options own = *options;
    struct study_run_count count = {.all = 2 * hardware->program_count * options->placements};
    int code = options->launches == NULL
                   ? 0
                   : ranges_init(&chosen, options->launches, "--launches", NULL, 0, err);
    stop_init();
    heap_use_huge_pages();
    for (size_t i = 0; i < hardware->program_count && code == 0; i++) {
        own.operands[0] = workloads[i];
        code = study_check_workload(&own, err);
        if (code == 0)
            code = run_program(hardware, i, &own, &chosen, &count, err);
    }
    ranges_finish(&chosen);
    return code;
}

/* ---- files ------------------------------------------------------------- */

/* Cold over warm cycles. */
static double measured_cost(const struct cold_launch *launch)
{
    return launch->measured->cold / launch->measured->cycles;
}

static double simulated_cost(const struct cold_launch *launch)
{
    return launch->cold / launch->warm;
}

static int write_scatter(const struct cold_hardware *hardware, FILE *page)
{
    struct scatter_point *points = calloc(hardware->count + 1, sizeof *points);
    char(*labels)[256] = calloc(hardware->count + 1, sizeof *labels);
    bool good = points != NULL && labels != NULL;
    for (size_t i = 0; i < hardware->count && good; i++) {
        const struct cold_launch *launch = &hardware->launches[i];
        points[i] = (struct scatter_point){
            .x = measured_cost(launch),
            .y = simulated_cost(launch),
            .group = hardware->programs[launch->program],
            .label = labels[i],
        };
        kernel_title_copy(launch->measured->kernel, false, labels[i], sizeof labels[i]);
    }
    if (good)
        scatter_write(&(struct scatter){.title = "Cold over warm cycles of each launch",
                                        .x_label = "measured",
                                        .y_label = "simulated",
                                        .points = points,
                                        .count = hardware->count},
                      page);
    free(points);
    free(labels);
    return good ? 0 : -1;
}

static double difference(const struct cold_launch *launch)
{
    return fabs(simulated_cost(launch) - measured_cost(launch));
}

static void conclude(const struct cold_hardware *hardware, struct study_conclusion *conclusion)
{
    double measured[2] = {0}, simulated[2] = {0}, far = 0;
    const struct cold_launch *worst = hardware->launches;
    size_t size = sizeof conclusion->sentences[0];
    if (hardware->count == 0)
        return;
    for (size_t i = 0; i < hardware->count; i++) {
        const struct cold_launch *launch = &hardware->launches[i];
        measured[0] += launch->measured->cycles;
        measured[1] += launch->measured->cold;
        simulated[0] += launch->warm;
        simulated[1] += launch->cold;
        far += difference(launch) / (double)hardware->count;
        worst = difference(launch) > difference(worst) ? launch : worst;
    }
    snprintf(conclusion->sentences[0], size,
             "Cold caches change the total of %zu launches by %+.1f %% on hardware, and by "
             "%+.1f %% in simulation.",
             hardware->count, report_table_percent(measured[1] - measured[0], measured[0]),
             report_table_percent(simulated[1] - simulated[0], simulated[0]));
    snprintf(conclusion->sentences[1], size,
             "Launch by launch, the two changes are %.1f points apart in the mean.", 100 * far);
    snprintf(conclusion->sentences[2], size,
             "Farthest is launch %llu of %.100s: %.2f times its warm cycles are measured, %.2f "
             "times simulated.",
             (unsigned long long)worst->measured->launch, hardware->programs[worst->program],
             measured_cost(worst), simulated_cost(worst));
}

static int write_page(const struct cold_hardware *hardware, const struct study_options *options,
                      struct study_files *files,
                      const struct report_table sheets[COLD_HARDWARE_SHEETS], struct error *err)
{
    FILE *page = study_files_open(files, "index.html", err);
    if (page == NULL)
        return -1;
    struct study_conclusion conclusion = {0};
    conclude(hardware, &conclusion);
    study_page_begin(page, "Cold start against hardware", &conclusion, options, NULL);
    page_paragraph(page,
                   "Measured: %s, columns %s and %s. Simulated: cycles without launch latency, "
                   "each launch after all earlier ones, and after a flush of L1 and L2. The "
                   "thesis is " THRESHOLDS_THESIS ".",
                   hardware->measured.path, hardware->measured.metric,
                   hardware->measured.cold_metric);
    int result = write_scatter(hardware, page) == 0 ? 0 : error_no_memory(err);
    for (size_t i = 0; i < COLD_HARDWARE_SHEETS; i++)
        study_files_show_sheet(&sheets[i], NULL, ROWS, page);
    page_end(page);
    return result == 0 ? study_files_close(files, err) : -1;
}

static int write_json(const struct cold_hardware *hardware, const struct study_options *options,
                      struct study_files *files,
                      const struct report_table sheets[COLD_HARDWARE_SHEETS], struct error *err)
{
    struct json json;
    FILE *out = study_files_open(files, "study.json", err);
    if (out == NULL)
        return -1;
    json_init(&json, out);
    json_open(&json, NULL, '{');
    json_text(&json, "study", "cold-start against hardware");
    json_text(&json, "hardware", hardware->measured.path);
    json_text(&json, "metric", hardware->measured.metric);
    json_count(&json, "placements", options->placements);
    for (size_t i = 0; i < COLD_HARDWARE_SHEETS; i++)
        report_table_write_json(&sheets[i], &json);
    json_close(&json, '}');
    putc('\n', out);
    return study_files_close(files, err);
}

static int report(const struct cold_hardware *hardware, const struct study_options *options,
                  struct study_files *files, struct error *err)
{
    struct report_table sheets[COLD_HARDWARE_SHEETS] = {0};
    int result = cold_hardware_fill(hardware, sheets) == 0 ? 0 : error_no_memory(err);
    for (size_t i = 0; i < COLD_HARDWARE_SHEETS && result == 0; i++)
        result = study_files_sheet(files, &sheets[i], err);
    if (result == 0)
        result = write_json(hardware, options, files, sheets, err);
    if (result == 0)
        result = write_page(hardware, options, files, sheets, err);
    if (result == 0 && !options->quiet) {
        report_table_write_text(&sheets[COLD_HARDWARE_CORRELATION], stdout);
        putchar('\n');
        report_table_write_text(&sheets[COLD_HARDWARE_THRESHOLDS], stdout);
        study_files_tell(files);
    }
    for (size_t i = 0; i < COLD_HARDWARE_SHEETS; i++)
        report_table_finish(&sheets[i]);
    return result;
}

/* ---- all --------------------------------------------------------------- */

static int read_hardware(struct cold_hardware *hardware, const char *path, const char *metric,
                         struct error *err)
{
    struct measured *measured = &hardware->measured;
    if (measured_read(measured, path, metric, false, err) != 0)
        return -1;
    if (measured->cold_metric == NULL)
        return error_set(err, ERROR_TRACE, path, 1, 0,
                         "there is no column cold_%s, the cycles with flushed caches",
                         measured->metric);
    if (hardware->program_count > 1 && !measured->has_programs)
        return error_set(err, ERROR_USAGE, path, 1, 0,
                         "there is no column app, which tells several programs apart");
    return 0;
}

static void finish(struct cold_hardware *hardware)
{
    for (size_t i = 0; i < hardware->program_count; i++)
        free(hardware->programs[i]);
    free(hardware->programs);
    free(hardware->launches);
    measured_finish(&hardware->measured);
}

int study_cold_hardware(struct study_options *options, char **workloads, const char *path,
                        const char *metric, struct error *err)
{
    struct study_files files = {0};
    struct cold_hardware hardware = {0};
    const char *const reads[] = {path};
    struct input_guard guard = {.names = reads, .count = 1};
    int code = take_programs(&hardware, workloads, err);
    if (code == 0)
        code = read_hardware(&hardware, path, metric, err);
    if (code == 0)
        code = study_files_init(&files, options->output, &guard, err);
    if (code == 0)
        code = run_all(&hardware, options, workloads, err);
    if (code == 0)
        code = report(&hardware, options, &files, err);
    study_files_finish(&files);
    input_guard_finish(&guard);
    finish(&hardware);
    return code;
}
