/* hearth study correlate: compares simulated cycles and counters with those that hardware
 * measured. */
#define _GNU_SOURCE /* asprintf */
#include "tools/study/correlate/correlate.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/config.h"
#include "tools/study/placements.h"
#include "tools/study/study.h"
#include "traces/base/files/paths.h"
#include "traces/base/process/heap.h"

#define AT(member) CLI_AT(struct correlate, member)

static const struct cli_option table[] = {
    STUDY_COMMON(struct correlate, options),
    STUDY_LAUNCHES(struct correlate, options),
    STUDY_PLACEMENTS(struct correlate, options),
    {0, "hardware", "CSV",
     "what was measured: a row for each launch with kernel, cycles and, for several programs, "
     "app; or Nsight Compute's raw page as CSV",
     CLI_TEXT, AT(hardware), .required = true},
    {0, "counters", "CSV",
     "measured counters, by Nsight Compute's names, with the columns app and launch; otherwise "
     "those in --hardware are compared",
     CLI_TEXT, AT(counters_path)},
    {0, "metric", "COLUMN", "measured cycles to compare with", CLI_TEXT, AT(metric),
     .otherwise = "sm_cycles or sm__cycles_active.max, with --with-launch gpc_cycles or "
                  "gpc__cycles_elapsed.max"},
    {0, "with-launch", NULL,
     "compare cycles with the launch latency of the configuration, otherwise without", CLI_FLAG,
     AT(with_launch)},
    {0, "no-cold", NULL,
     "do not also simulate with caches flushed before each launch where --hardware has such "
     "cycles (cold_ and the metric's name)",
     CLI_FLAG, AT(no_cold)},
    {0, "calibration", NULL,
     "the rows isolate one mechanism each (columns label, mechanism, parameters, work): also "
     "errors by mechanism, and slopes",
     CLI_FLAG, AT(calibration)},
};

static const struct cli_command command = {
    "hearth study correlate",
    "RESULTS|WORKLOAD... --hardware CSV -o DIR [OPTION]...",
    "Compares simulated launches with measured ones. Each operand is a workload, which is\n"
    "simulated, or a folder of results. Its file name up to the first dot is the name of\n"
    "its program in the measured table. Writes tables (CSV, JSON) and a page (index.html)\n"
    "to DIR.",
    table,
    sizeof table / sizeof table[0],
};

/* ---- programs ---------------------------------------------------------- */

static int take_operands(struct correlate *correlate, char **operands, struct error *err)
{
    size_t count = 0;
    while (operands[count] != NULL)
        count++;
    if (count == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "expected a workload or a folder of results; see hearth study "
                         "correlate --help");
    correlate->programs = calloc(count, sizeof *correlate->programs);
    if (correlate->programs == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        struct correlate_program *program = &correlate->programs[correlate->program_count++];
        program->path = operands[i];
        program->name = measured_program_name(operands[i]);
        if (program->name == NULL)
            return error_no_memory(err);
        for (size_t k = 0; k < i; k++)
            if (strcmp(correlate->programs[k].name, program->name) == 0)
                return error_set(err, ERROR_USAGE, NULL, 0, 0, "%s and %s have the same name",
                                 correlate->programs[k].path, program->path);
    }
    return 0;
}

/* ---- simulating -------------------------------------------------------- */

static bool is_results(const char *path)
{
    char rows[PATH_MAX]; /* no memory that could run out: the answer would be wrong */
    return snprintf(rows, sizeof rows, "%s/kernels.csv", path) < PATH_MAX &&
           access(rows, F_OK) == 0;
}

/* Results that are read have one placement. */
static int check_placements(const struct correlate *correlate, struct error *err)
{
    for (size_t i = 0; i < correlate->program_count; i++)
        if (correlate->options.placements > 1 && is_results(correlate->programs[i].path))
            return error_set(err, ERROR_USAGE, correlate->programs[i].path, 0, 0,
                             "--placements needs a workload, and this is a folder of results");
    return 0;
}

static double latency_of(const struct sim_config *config)
{
    return (double)config->options.gpgpu_kernel_launch_latency;
}

/* The launch latency that the configuration has before the study sets it to 0. */
static int find_latency(const struct study_options *options, double *latency, struct error *err)
{
    const struct run_request request = {.configs = options->configs,
                                        .config_count = options->config_count,
                                        .sets = options->sets,
                                        .set_count = options->set_count};
    struct sim_config *config = run_config(&request, NULL, err);
    if (config == NULL)
        return -1;
    *latency = latency_of(config);
    sim_config_destroy(config);
    return 0;
}

/* A run of PROGRAM. What cannot be simulated to its end counts as far as it went. */
static int simulate(struct correlate *correlate, const struct correlate_program *program,
                    bool cold, struct results *results, struct error *err)
{
    char name[256];
    struct study_options options = correlate->options;
    snprintf(name, sizeof name, "%s%s", program->name,
             cold ? ".cold" : ""); /* names have no dot */
    options.operands[0] = program->path;
    const struct study_run run = {
        .name = name, .flush = cold ? "all" : NULL, .sets = {"hearth_cpi_stack=1"}};
    int code = study_stopped(&correlate->count, err);
    if (code != 0)
        return code;
    code = placements_execute(&options, &run, &correlate->count, results, err);
    if (code == -1 && err->kind == ERROR_SIMULATION && !err->no_memory) {
        notes_say("%s: %s", program->name, err->text);
        *err = (struct error){0};
        code = 0;
    }
    return code;
}

static bool wants_cold(const struct correlate *correlate)
{
    return correlate->measured.cold_metric != NULL && !correlate->no_cold;
}

static int fill_program(struct correlate *correlate, struct correlate_program *program,
                        double latency, struct error *err)
{
    int code;
    if (is_results(program->path)) {
        code = results_read(&program->results, program->path, err);
        if (code == 0 && !correlate->with_launch)
            program->extra = -latency_of(program->results.config);
    } else {
        code = simulate(correlate, program, false, &program->results, err);
        if (code == 0 && wants_cold(correlate))
            code = simulate(correlate, program, true, &program->cold, err);
        program->extra = correlate->with_launch ? latency : 0;
    }
    if (code != 0)
        return code;
    if (pairing_init(&program->pairs, &correlate->measured, program->name, &correlate->chosen,
                     &program->results.rows, err) != 0)
        return -1;
    return pairing_init(&program->cold_pairs, &correlate->measured, program->name,
                        &correlate->chosen, &program->cold.rows, err);
}

static int check_matches(const struct correlate_program *program, const char *hardware,
                         struct error *err)
{
    if (program->pairs.matched > 0)
        return 0;
    return error_set(err, ERROR_USAGE, hardware, 0, 0,
                     "no launch of %s matches: a row's app must be the name of the workload, "
                     "and its kernel that of the trace",
                     program->name);
}

/* ---- the study --------------------------------------------------------- */

static int fill(struct correlate *correlate, struct report_table sheets[CORRELATE_SHEETS],
                struct error *err)
{
    if (correlate_fill_errors(correlate, sheets, err) != 0 ||
        correlate_fill_counters(correlate, &sheets[CORRELATE_COUNTERS], err) != 0)
        return -1;
    if (wants_cold(correlate) && correlate_fill_cold(correlate, sheets, err) != 0)
        return -1;
    return correlate->calibration ? correlate_fill_calibration(correlate, sheets, err) : 0;
}

static int write_all(struct correlate *correlate, struct error *err)
{
    struct report_table sheets[CORRELATE_SHEETS] = {0};
    int result = fill(correlate, sheets, err);
    if (result == 0)
        result = correlate_write(correlate, sheets, err);
    if (result == 0 && !correlate->options.quiet) {
        report_table_write_text(&sheets[CORRELATE_PROGRAMS], stdout);
        putchar('\n');
        if (correlate->calibration)
            report_table_write_text(&sheets[CORRELATE_MECHANISMS], stdout);
        report_table_write_text(&sheets[CORRELATE_SUMMARY], stdout);
        study_files_tell(&correlate->files);
    }
    for (size_t i = 0; i < CORRELATE_SHEETS; i++)
        report_table_finish(&sheets[i]);
    return result;
}

static int read_hardware(struct correlate *correlate, struct error *err)
{
    const struct measured *measured = &correlate->measured;
    if (measured_read(&correlate->measured, correlate->hardware, correlate->metric,
                      correlate->with_launch, err) != 0 ||
        (correlate->calibration && correlate_check_calibration(measured, err) != 0))
        return -1;
    if (correlate->program_count > 1 && !measured->has_programs)
        return error_set(err, ERROR_USAGE, correlate->hardware, 1, 0,
                         "there is no column app, which tells several programs apart");
    if (measured->unusable > 0)
        notes_say("%s: %zu launches without a number of cycles are left out",
                  correlate->hardware, measured->unusable);
    if (correlate->counters_path == NULL)
        return 0;
    if (csv_table_read(&correlate->counters, correlate->counters_path, err) != 0)
        return -1;
    if (csv_table_find(&correlate->counters, "launch") == correlate->counters.columns)
        return error_set(err, ERROR_TRACE, correlate->counters_path, 1, 0,
                         "there is no column launch");
    return 0;
}

static int carry_out(void *data, char **operands, struct error *err)
{
    struct correlate *correlate = data;
    const struct study_options *options = &correlate->options;
    double latency = 0;
    heap_use_huge_pages();
    if (study_check_output(options, "correlate", err) != 0 ||
        take_operands(correlate, operands, err) != 0 || check_placements(correlate, err) != 0 ||
        read_hardware(correlate, err) != 0 ||
        (options->launches != NULL &&
         ranges_init(&correlate->chosen, options->launches, "--launches", NULL, 0, err) != 0) ||
        find_latency(options, &latency, err) != 0 ||
        study_files_init(&correlate->files, options->output, NULL, err) != 0)
        return -1;
    for (size_t i = 0; i < correlate->program_count; i++)
        if (!is_results(correlate->programs[i].path))
            correlate->count.all +=
                (wants_cold(correlate) ? 2 : 1) * correlate->options.placements;
    for (size_t i = 0; i < correlate->program_count; i++) {
        int code = fill_program(correlate, &correlate->programs[i], latency, err);
        if (code == 0)
            code = check_matches(&correlate->programs[i], correlate->hardware, err);
        if (code != 0)
            return code;
    }
    return write_all(correlate, err);
}

static void finish(struct correlate *correlate)
{
    for (size_t i = 0; i < correlate->program_count; i++) {
        struct correlate_program *program = &correlate->programs[i];
        free(program->name);
        results_finish(&program->results);
        results_finish(&program->cold);
        pairing_finish(&program->pairs);
        pairing_finish(&program->cold_pairs);
    }
    free(correlate->programs);
    ranges_finish(&correlate->chosen);
    measured_finish(&correlate->measured);
    csv_table_finish(&correlate->counters);
    study_files_finish(&correlate->files);
    study_options_finish(&correlate->options);
}

int study_correlate(int argc, char **argv, struct error *err)
{
    struct correlate correlate = {0};
    int code = study_take_command(&correlate.options, argc, argv) == 0
                   ? cli_run(&command, argc, argv, &correlate, carry_out, err)
                   : error_no_memory(err);
    finish(&correlate);
    return code;
}
