/* The runs of hearth study sampled. */
#define _GNU_SOURCE /* asprintf */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/sample/sample_card.h"
#include "tools/run/sample/sample_plan.h"
#include "tools/run/sample/workload_profile.h"
#include "tools/study/sampled/sampled.h"
#include "traces/base/files/paths.h"
#include "traces/base/process/heap.h"
#include "traces/base/process/host.h"
#include "traces/base/process/stop.h"

/* ---- what runs say ----------------------------------------------------- */

/* Fills *VALUES from EXTRAPOLATION and finishes it. */
static int take_values(struct extrapolation *extrapolation, sampled_values *values,
                       struct error *err)
{
    size_t count = extrapolation_count();
    free(*values);
    *values = NULL;
    int result = extrapolation_estimate(extrapolation, err);
    if (result == 0 && (*values = malloc(count * sizeof **values)) == NULL)
        result = error_no_memory(err);
    for (size_t i = 0; i < count && *values != NULL; i++)
        (*values)[i] = extrapolation_has(extrapolation, i)
                           ? extrapolation_value(extrapolation, i)
                           : (struct sampling_estimate){0, NAN};
    extrapolation_finish(extrapolation);
    return result;
}

/* Extrapolates from LAUNCHES, those that PLAN measures, to the application. */
static int extrapolate(struct sampled_plan *plan, const struct extrapolation_launches *launches,
                       const struct sim_peaks *peaks, sampled_values *values, struct error *err)
{
    struct extrapolation extrapolation;
    if (extrapolation_init(&extrapolation, plan->plan, NULL, launches, peaks, err) != 0)
        return -1;
    const char *why = extrapolation_no_bar(&extrapolation);
    plan->all = (double)extrapolation.design.count >= extrapolation.design.launches;
    snprintf(plan->no_bar, sizeof plan->no_bar, "%s", why != NULL ? why : "");
    return take_values(&extrapolation, values, err);
}

/* Measured launches of a run. */
struct chosen {
    struct extrapolated_rows *rows;
    const size_t *which; /* of them; NULL: all */
};

/* The get() of struct extrapolation_launches: with corrected cycles if there are any. */
static int get_chosen(void *data, size_t i, struct extrapolation_launch *launch,
                      struct error *err)
{
    const struct chosen *chosen = data;
    size_t at = chosen->which != NULL ? chosen->which[i] : i;
    if (extrapolated_rows_get(chosen->rows, at, launch, err) != 0)
        return -1;
    double corrected = floor(launch->corrected + 0.5); /* as results show them */
    if (corrected > 0)
        launch->cycles = corrected;
    launch->corrected = 0;
    return 0;
}

/* ---- runs -------------------------------------------------------------- */

/* Fills RESULTS, which the caller finishes, and MEASURES. */
static int run_one(struct sampled *study, const struct study_run *run, struct results *results,
                   struct run_measures *measures, struct error *err)
{
    int code = study_stopped(&study->count, err);
    if (code != 0)
        return code;
    study_run_tell(&study->options, run, &study->count);
    code = study_run_execute(&study->options, run, &study->count, results, err);
    study->count.done += code == 0;
    return code == 0 ? run_measures_init(measures, results, err) : code;
}

static const char *base_name(const char *path)
{
    const char *last = strrchr(path, '/');
    return last != NULL ? last + 1 : path;
}

/* Names a run WHAT@CARD; with the card's number if cards in different folders have the same
 * name. */
static void name_run(const struct sampled *study, char name[512], const char *what, size_t c)
{
    const char *config = study->configs[c];
    int used = snprintf(name, 512, "%s", what);
    if (config == NULL)
        return;
    used += snprintf(name + used, 512 - (size_t)used, "@%.128s", base_name(config));
    for (size_t i = 1; i < c; i++)
        if (strcmp(base_name(study->configs[i]), base_name(config)) == 0) {
            snprintf(name + used, 512 - (size_t)used, "-%zu", c);
            break;
        }
}

static int run_full(struct sampled *study, size_t c, struct error *err)
{
    char name[512];
    struct extrapolation all;
    struct sampled_full *full = &study->full[c];
    name_run(study, name, "full", c);
    const struct study_run run = {.name = name, .config = study->configs[c]};
    int code = run_one(study, &run, &full->results, &full->measures, err);
    if (code != 0)
        return code;
    const struct sim_peaks peaks = sim_peaks_of(full->results.config);
    if (extrapolated_rows_init(&full->rows, &full->results.rows, full->results.config, err) !=
        0)
        return -1;
    struct chosen chosen = {&full->rows, NULL};
    const struct extrapolation_launches launches = {full->rows.count, get_chosen, &chosen};
    code = extrapolation_init_all(&all, &launches, &peaks, err);
    return code != 0 ? code : take_values(&all, &full->values, err);
}

/* Copies the cycles of the full run, whose launches have the same order, to PROFILE. */
static void fill_cycles(struct profile *profile, const struct run_measures *full)
{
    for (size_t i = 0, at = 0; i < profile->count && at < full->count; i++) {
        struct profile_row *row = &profile->rows[i];
        row->line = (long)i + 2; /* in the file that is written */
        if (row->launch != full->launches[at].launch)
            continue;
        row->cycles = full->launches[at++].simulated;
        row->known |= PROFILE_BIT(PROFILE_CYCLES);
    }
}

/* Writes the profile of the workload to FILES, the last of which is DIR/profile.csv at
 * PATH. */
static int write_profile(struct sampled *study, const char *path, struct output_files *files,
                         struct error *err)
{
    static const char *const suffixes[] = {".bbv.csv", ".blocks.csv", ""};
    struct sample_source *source = &study->source;
    for (int i = 0; i < 3; i++)
        if (output_files_open(files, i, path, suffixes[i], true, err) != 0)
            return -1;
    const struct profile_companions companions = {
        .bbv = files->files[0].file, .blocks = files->files[1].file, .every = 1};
    source->profile =
        workload_profile(source->workload, &source->launches, NULL, &companions, err);
    if (source->profile == NULL)
        return stop_signal() != 0 ? stop_code() : -1;
    free(source->profile->path);
    source->profile->path = strdup(path);
    if (source->profile->path == NULL)
        return error_no_memory(err);
    fill_cycles(source->profile, &study->full[0].measures);
    if (profile_write(source->profile, files->files[2].file, path, err) != 0)
        return -1;
    return output_files_commit(files, err);
}

static int profile(struct sampled *study, struct error *err)
{
    char path[STUDY_FILES_PATH];
    struct output_files files = {.check = input_guard_check, .data = &study->options.reads};
    snprintf(path, sizeof path, "%s/profile.csv", study->options.output);
    if (!study->options.quiet)
        fprintf(stderr, "hearth: profile\n");
    study->source.workload =
        launches_open(&study->source.launches, study->options.operands[0], err);
    int code = study->source.workload != NULL ? write_profile(study, path, &files, err) : -1;
    output_files_finish(&files);
    return code;
}

/* Finds which launches of FULL those of MEASURES are. Both mostly have the workload's
 * order. */
static int find_rows(struct sampled_plan *plan, const struct run_measures *measures,
                     const struct run_measures *full, struct error *err)
{
    size_t at = 0;
    for (size_t i = 0; i < plan->count; i++) {
        uint64_t number = measures->launches[i].launch;
        size_t looked = 0;
        while (looked < full->count && full->launches[at].launch != number) {
            at = (at + 1) % full->count;
            looked++;
        }
        if (looked == full->count)
            return error_set(err, ERROR_SIMULATION, plan->path, 0, 0,
                             "the full run has no launch %" PRIu64, number);
        plan->rows[i] = at;
        plan->warp_insts += full->launches[at].warp_insts;
    }
    return 0;
}

/* Options that depend on the card are those of the study's own. */
static int apply_card(const struct sampled *study, const struct sampling_method *method,
                      struct sampling_options *options, struct error *why)
{
    const struct run_request card = {.configs = study->options.configs,
                                     .config_count = study->options.config_count,
                                     .sets = study->options.sets,
                                     .set_count = study->options.set_count};
    return sample_card_apply(options, method, &card, why);
}

/* Chooses launches and makes their plan. NULL with WHY filled. */
static struct plan *make_plan(const struct sampled *study, const struct sampled_plan *plan,
                              struct error *why)
{
    struct plan *made = NULL;
    struct sampling_options options = plan->method.options;
    char bbv[STUDY_FILES_PATH];
    snprintf(bbv, sizeof bbv, "%s/profile.bbv.csv", study->options.output);
    options.seed = study->seed;
    options.bbv_name = bbv;
    options.bbv = fopen(bbv, "r");
    struct sampling *selection = NULL;
    if (apply_card(study, plan->method.method, &options, why) == 0)
        selection = sampling_select(study->source.profile, plan->method.method, &options, why);
    if (selection != NULL)
        made = sample_plan_make(selection, &options, &study->source, plan->path, why);
    sampling_destroy(selection);
    if (options.bbv != NULL)
        fclose(options.bbv);
    return made;
}

static int write_plan(struct sampled *study, const struct sampled_plan *plan, struct error *err)
{
    char name[256];
    snprintf(name, sizeof name, "plans/%s.plan", plan->method.text);
    FILE *out = study_files_open(&study->files, name, err);
    if (out == NULL)
        return -1;
    plan_write(plan->plan, NULL, plan->plan->digest, out);
    return study_files_close(&study->files, err);
}

/* Counts the launches that the plan measures, and allocates their arrays. */
static int count_measured(struct sampled_plan *plan, struct error *err)
{
    for (size_t i = 0; i < plan->plan->count; i++) {
        const struct plan_item *item = &plan->plan->items[i];
        plan->count += item->kind == PLAN_LAUNCH && item->launch.role == PLAN_MEASURE;
    }
    plan->rows = calloc(plan->count + 1, sizeof *plan->rows);
    return plan->rows != NULL ? 0 : error_no_memory(err);
}

/* Chooses launches. A method that cannot be used on this profile is left out, with a note. */
static int choose(struct sampled *study, struct sampled_plan *plan, struct error *err)
{
    const struct study_options *options = &study->options;
    if (asprintf(&plan->path, "%s/plans/%s.plan", options->output, plan->method.text) < 0) {
        plan->path = NULL;
        return error_no_memory(err);
    }
    double begun = host_cpu_seconds();
    plan->plan = make_plan(study, plan, &plan->error);
    plan->seconds = host_cpu_seconds() - begun;
    if (plan->plan != NULL)
        return write_plan(study, plan, err) == 0 ? count_measured(plan, err) : -1;
    free(plan->path);
    plan->path = NULL;
    /* The profile lacks something, or a launch has a 0 that the method cannot use. */
    if ((plan->error.kind != ERROR_USAGE && plan->error.kind != ERROR_TRACE) ||
        plan->error.no_memory)
        return error_pass(err, &plan->error);
    if (!options->quiet)
        notes_say("%s is left out: %s", plan->method.text, plan->error.text);
    return 0;
}

static int extrapolate_cell(struct sampled_plan *plan, struct sampled_cell *cell,
                            const char *name, const struct results *results, struct error *err)
{
    const struct sim_peaks peaks = sim_peaks_of(results->config);
    struct extrapolated_rows rows;
    if (extrapolated_rows_init(&rows, &results->rows, results->config, err) != 0)
        return -1;
    struct chosen chosen = {&rows, NULL};
    const struct extrapolation_launches launches = {rows.count, get_chosen, &chosen};
    int rc;
    if (rows.count != plan->count)
        rc = error_set(err, ERROR_SIMULATION, NULL, 0, 0,
                       "run %s measured %zu launches, its plan has %zu", name, rows.count,
                       plan->count);
    else
        rc = extrapolate(plan, &launches, &peaks, &cell->values, err);
    extrapolated_rows_finish(&rows);
    return rc;
}

static int run_cell(struct sampled *study, struct sampled_plan *plan, size_t c, size_t p,
                    struct error *err)
{
    char what[256], name[512];
    struct sampled_cell *cell = &plan->cells[c][p];
    struct results results = {0};
    const struct sampled_variant *variant = &study->variants[p];
    snprintf(what, sizeof what, "%s-%s%s%s", plan->method.text, variant->policy,
             variant->inside > 0 ? "-" : "", variant->inside > 0 ? variant->intra : "");
    name_run(study, name, what, c);
    const struct study_run run = {.name = name,
                                  .plan = plan->plan,
                                  .policy = variant->policy,
                                  .intra = variant->intra,
                                  .config = study->configs[c],
                                  .card = c,
                                  .redone = true};
    int code = run_one(study, &run, &results, &cell->measures, err);
    if (code == 0)
        code = extrapolate_cell(plan, cell, name, &results, err);
    if (code == 0 && c == 0)
        code = sampled_tracing_of(study, &run, &results, &cell->tracing, err);
    results_finish(&results);
    return code;
}

/* Extrapolates as if no launch of the sample had started cold. */
static int extrapolate_full(struct sampled *study, struct sampled_plan *plan, size_t c,
                            struct error *err)
{
    struct sampled_full *full = &study->full[c];
    const struct sim_peaks peaks = sim_peaks_of(full->results.config);
    struct chosen chosen = {&full->rows, plan->rows};
    const struct extrapolation_launches launches = {plan->count, get_chosen, &chosen};
    return extrapolate(plan, &launches, &peaks, &plan->warm[c], err);
}

static int run_plan(struct sampled *study, struct sampled_plan *plan, struct error *err)
{
    int code = 0;
    for (size_t c = 0; c < study->config_count && code == 0; c++)
        for (size_t p = 0; p < study->variant_count && code == 0; p++)
            code = run_cell(study, plan, c, p, err);
    if (code == 0)
        code = find_rows(plan, &plan->cells[0][0].measures, &study->full[0].measures, err);
    for (size_t c = 0; c < study->config_count && code == 0; c++)
        code = extrapolate_full(study, plan, c, err);
    return code;
}

/* A study needs at least one sample. */
static int check_any(const struct sampled *study, struct error *err)
{
    for (size_t m = 0; m < study->plan_count; m++)
        if (study->plans[m].path != NULL)
            return 0;
    return error_pass(err, &study->plans[0].error);
}

static int make_plans_folder(const struct sampled *study, struct error *err)
{
    char path[STUDY_FILES_PATH];
    snprintf(path, sizeof path, "%s/plans", study->options.output);
    return paths_make_folder(path, err);
}

int sampled_run(struct sampled *study, struct error *err)
{
    int code = make_plans_folder(study, err);
    study->count.all = study->config_count * (1 + study->plan_count * study->variant_count);
    stop_init();
    heap_use_huge_pages();
    for (size_t c = 0; c < study->config_count && code == 0; c++)
        code = run_full(study, c, err);
    if (code == 0)
        code = study_stopped(&study->count, err);
    if (code == 0)
        code = profile(study, err);
    if (code == 0)
        code = sampled_tracing_measure(study, err);
    for (size_t m = 0; m < study->plan_count && code == 0; m++) {
        struct sampled_plan *plan = &study->plans[m];
        code = choose(study, plan, err);
        if (code == 0 && plan->path != NULL)
            code = run_plan(study, plan, err);
    }
    return code != 0 ? code : check_any(study, err);
}
