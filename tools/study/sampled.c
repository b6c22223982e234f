/* hearth study sampled: a workload in full against samples of it, by method and by warm-up. */
#define _GNU_SOURCE /* asprintf */
#include "tools/study/sampled.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/command.h"
#include "tools/host.h"
#include "tools/plan.h"
#include "tools/stop.h"
#include "tools/study/study.h"
#include "tools/trace.h"
#include "warmup/warmup.h"

#define METHODS  "sieve,pks,tbpoint,photon,stem,periodic,random"
#define POLICIES "none,memory:1,functional:auto,checkpoint"

enum { OPTION_METHODS = STUDY_OWN, OPTION_WARM, OPTION_SEED, OPTION_AGAINST };

static const struct cli_option table[] = {
    STUDY_COMMON,
    {OPTION_METHODS, "methods", "LIST",
     "methods of hearth sample, separated by commas\n"
     "(default: " METHODS ")"},
    {OPTION_WARM, "warm", "LIST",
     "policies of hearth run --warm, separated by commas\n"
     "(default: " POLICIES ")"},
    {OPTION_SEED, "seed", "N", "as of hearth sample"},
    {OPTION_AGAINST, "against", "CONFIG",
     "another card, beside -c: does the sample predict how much faster it is?\n"
     "may be given up to 4 times"},
};

static const struct cli_command command = {
    "hearth study sampled",
    "WORKLOAD -o DIR [OPTION]...",
    "Simulates a workload in full and samples of it, chosen by each method and warmed by\n"
    "each policy; extrapolates, compares, and parts the error into that of sampling and\n"
    "that of cold start. Writes tables (CSV, JSON), a chart (SVG, by gnuplot) and a page\n"
    "(index.html) to DIR.",
    table,
    sizeof table / sizeof table[0],
};

static int out_of_memory(struct error *err)
{
    return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
}

/* ---- options ----------------------------------------------------------- */

static int take(struct sampled *study, int id, const char *value, struct error *err)
{
    if (study_take(&study->options, &command, id, value))
        return 0;
    if (id == OPTION_METHODS)
        study->methods = value;
    else if (id == OPTION_WARM)
        study->policies = value;
    else if (id == OPTION_SEED)
        study->seed = value;
    else if (id == OPTION_AGAINST && study->config_count == SAMPLED_CONFIGS)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--against: more than %d",
                         SAMPLED_CONFIGS - 1);
    else if (id == OPTION_AGAINST)
        study->configs[study->config_count++] = value;
    else
        return -1;
    return 0;
}

static int check(const struct sampled *study, struct error *err)
{
    const struct study_options *options = &study->options;
    if (options->operand_count != 1)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "expected one workload, got %zu; see hearth study sampled --help",
                         options->operand_count);
    if (options->output == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-o DIR is missing; see hearth study sampled --help");
    if (options->launches != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--launches: a sample stands for all launches; cut the workload "
                         "(hearth trace cut) instead");
    return 0;
}

static int parse(struct sampled *study, int argc, char **argv, struct error *err)
{
    const char *value;
    int id;
    cli_begin();
    while (!study->options.shown && (id = cli_next(&command, argc, argv, &value, err)) >= 0)
        if (take(study, id, value, err) != 0)
            return -1;
    if (study->options.shown)
        return 0;
    study_take_operands(&study->options, argv);
    return check(study, err);
}

/* Cuts the list TEXT into NAMES, at most MOST. Returns how many, or -1. */
static long cut(char *text, const char **names, size_t most, const char *option,
                struct error *err)
{
    char *rest;
    size_t count = 0;
    for (char *name = strtok_r(text, ",", &rest); name != NULL;
         name = strtok_r(NULL, ",", &rest)) {
        if (count == most)
            return error_set(err, ERROR_USAGE, NULL, 0, 0, "%s: more than %zu", option, most);
        names[count++] = name;
    }
    if (count == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "%s: the list is empty", option);
    return (long)count;
}

static int read_lists(struct sampled *study, struct error *err)
{
    const char *methods[SAMPLED_METHODS];
    struct warmup ignored;
    study->method_names = strdup(study->methods);
    study->policy_names = strdup(study->policies);
    if (study->method_names == NULL || study->policy_names == NULL)
        return out_of_memory(err);
    long count = cut(study->method_names, methods, SAMPLED_METHODS, "--methods", err);
    long policies =
        count < 0 ? -1
                  : cut(study->policy_names, study->policy, SAMPLED_POLICIES, "--warm", err);
    if (policies < 0)
        return -1;
    study->plan_count = (size_t)count;
    study->policy_count = (size_t)policies;
    for (long i = 0; i < count; i++)
        study->plans[i].method = methods[i];
    for (long i = 0; i < policies; i++)
        if (warmup_parse(&ignored, study->policy[i], err) != 0)
            return -1;
    return 0;
}

/* ---- runs -------------------------------------------------------------- */

/* The sum over COUNT launches of SERIES: those in ROWS (NULL: the first ones), each times its
 * SCALES (NULL: 1). */
static struct sampled_total sum(const struct series *series, const size_t *rows,
                                const double *scales, size_t count)
{
    struct sampled_total total = {0};
    for (size_t i = 0; i < count; i++) {
        size_t at = rows != NULL ? rows[i] : i;
        double scale = scales != NULL ? scales[i] : 1;
        total.cycles += scale * series->cycles[at];
        total.warp_insts += scale * series_number(series, at, SERIES_WARP_INSTS);
        total.thread_insts += scale * series->insts[at];
        total.l2_reads += scale * series_number(series, at, SERIES_L2_READS);
        total.l2_hits += scale * series_number(series, at, SERIES_L2_READ_HITS);
        total.dram += scale * (series_number(series, at, SERIES_DRAM_READS) +
                               series_number(series, at, SERIES_DRAM_WRITES));
    }
    return total;
}

static int stopped(const struct sampled *study, struct error *err)
{
    if (stop_signal() == 0)
        return 0;
    error_set(err, ERROR_SIMULATION, NULL, 0, 0,
              "stopped after %zu of %zu runs; the same command goes on", study->count.done,
              study->count.all);
    return 128 + stop_signal();
}

static int run_piece(struct sampled *study, const struct piece *piece, struct series *series,
                     struct error *err)
{
    int code = stopped(study, err);
    return code != 0 ? code : piece_run(&study->options, piece, &study->count, series, err);
}

/* The cores' clock of a run's config.out; NaN if it does not say. */
static double read_clock(const char *folder, const char *name)
{
    char path[FILES_PATH], line[4096];
    double clock = NAN;
    snprintf(path, sizeof path, "%s/runs/%s/config.out", folder, name);
    FILE *in = fopen(path, "r");
    while (in != NULL && fgets(line, sizeof line, in) != NULL)
        if (sscanf(line, " -gpgpu_clock_domains %lf", &clock) == 1)
            break;
    if (in != NULL)
        fclose(in);
    return clock;
}

static void name_piece(char name[128], const char *what, const char *config)
{
    const char *last = config != NULL ? strrchr(config, '/') : NULL;
    snprintf(name, 128, "%s%s%s", what, config != NULL ? "@" : "",
             last != NULL     ? last + 1
             : config != NULL ? config
                              : "");
}

static int run_full(struct sampled *study, size_t c, struct error *err)
{
    char name[128];
    name_piece(name, "full", study->configs[c]);
    const struct piece piece = {.name = name, .config = study->configs[c]};
    int code = run_piece(study, &piece, &study->full[c], err);
    study->totals[c] = sum(&study->full[c], NULL, NULL, study->full[c].count);
    study->clock[c] = read_clock(study->options.output, name);
    return code;
}

/* DIR/profile.csv, with the full run's cycles. */
static int profile(struct sampled *study, char path[FILES_PATH], struct error *err)
{
    char results[FILES_PATH];
    snprintf(path, FILES_PATH, "%s/profile.csv", study->options.output);
    snprintf(results, sizeof results, "%s/runs/full", study->options.output);
    const char *line[] = {
        "profile", study->options.operands[0], "-q", "-f", "-o", path, "--cycles", results,
        NULL};
    if (!study->options.quiet)
        fprintf(stderr, "hearth: profile\n");
    return trace_profile(8, (char **)line, err);
}

/* The measured launches of the plan. */
static int read_plan(struct sampled_plan *plan, struct error *err)
{
    struct plan *read = plan_open(plan->path, err);
    if (read == NULL)
        return -1;
    plan->rows = calloc(read->count + 1, sizeof *plan->rows);
    plan->scales = calloc(read->count + 1, sizeof *plan->scales);
    bool good = plan->rows != NULL && plan->scales != NULL;
    for (size_t i = 0; i < read->count && good; i++) {
        const struct plan_item *item = &read->items[i];
        if (item->kind != PLAN_LAUNCH || item->launch.role != PLAN_MEASURE)
            continue;
        plan->scales[plan->count++] = item->launch.scale;
    }
    plan_destroy(read);
    return good ? 0 : out_of_memory(err);
}

/* Finds which launches of FULL those of SERIES are. Both come in the workload's order, mostly.
 */
static int find_rows(struct sampled_plan *plan, const struct series *series,
                     const struct series *full, struct error *err)
{
    size_t at = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const char *number = series_text(series, i, SERIES_LAUNCH);
        size_t looked = 0;
        while (looked < full->count &&
               strcmp(series_text(full, at, SERIES_LAUNCH), number) != 0) {
            at = (at + 1) % full->count;
            looked++;
        }
        if (looked == full->count)
            return error_set(err, ERROR_SIMULATION, plan->path, 0, 0,
                             "the full run has no launch %s", number);
        plan->rows[i] = at;
        plan->warp_insts += series_number(full, at, SERIES_WARP_INSTS);
    }
    return 0;
}

/* A method that cannot be used on this profile says why, and is left out. */
static int choose(struct sampled *study, struct sampled_plan *plan, const char *csv,
                  struct error *err)
{
    const struct study_options *options = &study->options;
    if (asprintf(&plan->path, "%s/plans/%s.plan", options->output, plan->method) < 0) {
        plan->path = NULL;
        return out_of_memory(err);
    }
    const char *line[16] = {"sample",   csv,          "--workload", options->operands[0],
                            "--method", plan->method, "-q",         "-f",
                            "-o",       plan->path};
    int count = 10;
    if (study->seed != NULL) {
        line[count++] = "--seed";
        line[count++] = study->seed;
    }
    double begun = host_cpu_seconds();
    int code = command_sample(count, (char **)line, &plan->error);
    plan->seconds = host_cpu_seconds() - begun;
    if (code == 0)
        return read_plan(plan, err);
    free(plan->path);
    plan->path = NULL;
    if (code > 0 || plan->error.kind != ERROR_USAGE)
        return code > 0 ? code
                        : error_set(err, plan->error.kind, NULL, 0, 0, "%s", plan->error.text);
    if (!options->quiet)
        fprintf(stderr, "hearth: note: %s is left out: %s\n", plan->method, plan->error.text);
    return 0;
}

static int run_cell(struct sampled *study, struct sampled_plan *plan, size_t c, size_t p,
                    struct error *err)
{
    char what[96], name[128];
    struct sampled_cell *cell = &plan->cells[c][p];
    snprintf(what, sizeof what, "%s-%s", plan->method, study->policy[p]);
    name_piece(name, what, study->configs[c]);
    const struct piece piece = {.name = name,
                                .target = plan->path,
                                .policy = study->policy[p],
                                .config = study->configs[c],
                                .redone = true};
    int code = run_piece(study, &piece, &cell->series, err);
    if (code != 0)
        return code;
    if (cell->series.count != plan->count)
        return error_set(err, ERROR_SIMULATION, study->options.output, 0, 0,
                         "run %s measured %zu launches, its plan has %zu", name,
                         cell->series.count, plan->count);
    cell->total = sum(&cell->series, NULL, plan->scales, plan->count);
    return 0;
}

static int run_plan(struct sampled *study, struct sampled_plan *plan, struct error *err)
{
    int code = 0;
    for (size_t c = 0; c < study->config_count && code == 0; c++)
        for (size_t p = 0; p < study->policy_count && code == 0; p++)
            code = run_cell(study, plan, c, p, err);
    if (code == 0)
        code = find_rows(plan, &plan->cells[0][0].series, &study->full[0], err);
    for (size_t c = 0; c < study->config_count && code == 0; c++)
        plan->warm[c] = sum(&study->full[c], plan->rows, plan->scales, plan->count);
    return code;
}

/* A study without any sample is none. */
static int check_any(const struct sampled *study, struct error *err)
{
    for (size_t m = 0; m < study->plan_count; m++)
        if (study->plans[m].path != NULL)
            return 0;
    const struct error *why = &study->plans[0].error;
    return error_set(err, why->kind, NULL, 0, 0, "%s", why->text);
}

static int make_plans_folder(const struct sampled *study, struct error *err)
{
    char path[FILES_PATH];
    snprintf(path, sizeof path, "%s/plans", study->options.output);
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return 0;
    return error_set(err, ERROR_OUTPUT, path, 0, 0, "cannot make the folder: %s",
                     strerror(errno));
}

static int run_all(struct sampled *study, struct error *err)
{
    char csv[FILES_PATH];
    int code = 0;
    study->count.all = study->config_count * (1 + study->plan_count * study->policy_count);
    stop_init();
    for (size_t c = 0; c < study->config_count && code == 0; c++)
        code = run_full(study, c, err);
    if (code == 0)
        code = stopped(study, err);
    if (code == 0)
        code = profile(study, csv, err);
    for (size_t m = 0; m < study->plan_count && code == 0; m++) {
        struct sampled_plan *plan = &study->plans[m];
        code = choose(study, plan, csv, err);
        if (code == 0 && plan->path != NULL)
            code = run_plan(study, plan, err);
    }
    return code != 0 ? code : check_any(study, err);
}

/* ---- all --------------------------------------------------------------- */

static int report(struct sampled *study, struct error *err)
{
    struct sheet sheets[SAMPLED_SHEETS];
    sampled_make_sheets(study, sheets);
    int code = sampled_write(study, sheets, err);
    if (code == 0 && !study->options.quiet) {
        sheet_write_text(&sheets[SAMPLED_RESULTS], stdout);
        if (study->config_count > 1) {
            putchar('\n');
            sheet_write_text(&sheets[SAMPLED_SPEEDUPS], stdout);
        }
        files_tell(&study->files);
    }
    for (size_t i = 0; i < SAMPLED_SHEETS; i++)
        sheet_finish(&sheets[i]);
    return code;
}

static int carry_out(struct sampled *study, struct error *err)
{
    if (read_lists(study, err) != 0 ||
        files_init(&study->files, study->options.output, err) != 0 ||
        make_plans_folder(study, err) != 0)
        return -1;
    int code = run_all(study, err);
    return code != 0 ? code : report(study, err);
}

static void finish(struct sampled *study)
{
    for (size_t m = 0; m < study->plan_count; m++) {
        struct sampled_plan *plan = &study->plans[m];
        for (size_t c = 0; c < SAMPLED_CONFIGS; c++)
            for (size_t p = 0; p < SAMPLED_POLICIES; p++)
                series_finish(&plan->cells[c][p].series);
        free(plan->path);
        free(plan->rows);
        free(plan->scales);
    }
    for (size_t c = 0; c < SAMPLED_CONFIGS; c++)
        series_finish(&study->full[c]);
    files_finish(&study->files);
    free(study->method_names);
    free(study->policy_names);
    study_options_finish(&study->options);
}

int study_sampled(int argc, char **argv, struct error *err)
{
    struct sampled *study = calloc(1, sizeof *study);
    if (study == NULL)
        return out_of_memory(err);
    study->methods = METHODS;
    study->policies = POLICIES;
    study->config_count = 1;
    int code = study_options_init(&study->options, argc, err);
    if (code == 0)
        code = parse(study, argc, argv, err);
    if (code == 0 && !study->options.shown)
        code = carry_out(study, err);
    finish(study);
    free(study);
    return code;
}
