/* hearth study sampled: compares the full run of a workload with samples of it, by method and
 * by warm-up. */
#include "tools/study/sampled/sampled.h"

#include <stdlib.h>
#include <string.h>

#include "sampling/intra/intra.h"
#include "tools/study/study.h"
#include "warmup/warmup.h"

#define METHODS  "sieve,pks,tbpoint,photon,stem,periodic,random"
#define POLICIES "none,memory:1,functional:auto,checkpoint,nsl"

static int read_against(void *data, const char *value, struct error *err)
{
    struct sampled *study = data;
    if (study->config_count == SAMPLED_CONFIGS)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--against: more than %d",
                         SAMPLED_CONFIGS - 1);
    study->configs[study->config_count++] = value;
    return 0;
}

#define AT(member) CLI_AT(struct sampled, member)

static const struct cli_option table[] = {
    STUDY_COMMON(struct sampled, options),
    {0, "methods", "LIST",
     "methods of hearth sample, separated by commas; options of one after "
     "colons: sieve:representative=random:draws=2",
     CLI_TEXT, AT(methods), .initial = METHODS, .values = value_lists_methods},
    {0, "warm", "LIST", "policies of hearth run --warm, separated by commas", CLI_TEXT,
     AT(policies), .initial = POLICIES, .values = warmup_describe},
    STUDY_STATES(struct sampled, options,
                 "; those of cards of --against in FOLDER.1, FOLDER.2 ..."),
    {0, "intra", "LIST",
     "methods of hearth run --intra, separated by commas; each sample is also simulated with "
     "each of them inside its launches",
     CLI_TEXT, AT(inside), .values = intra_describe},
    {0, "tracing", NULL, "also say what the tracer has to record for each sample and policy",
     CLI_FLAG, AT(tracing)},
    {0, "seed", "N", "as in hearth sample", CLI_WHOLE, AT(seed)},
    {0, "against", "CONFIG",
     "another card, in addition to -c: does the sample predict how much faster it is? "
     "may be given up to 4 times",
     CLI_READ, .read = read_against, .values = value_lists_cards},
};

static const struct cli_command command = {
    "hearth study sampled",
    "WORKLOAD -o DIR [OPTION]...",
    "Simulates a workload in full and samples of it, chosen by each method and warmed by\n"
    "each policy; extrapolates, compares, and splits the error into that of sampling and\n"
    "that of cold start. With --intra, also with methods that sample inside launches.\n"
    "Writes tables (CSV, JSON), a chart (SVG) and a page\n"
    "(index.html) to DIR.",
    table,
    sizeof table / sizeof table[0],
};

static int check(const struct sampled *study, struct error *err)
{
    const struct study_options *options = &study->options;
    if (options->operand_count != 1)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "expected one workload, got %zu; see hearth study sampled --help",
                         options->operand_count);
    return study_check_output(options, "sampled", err);
}

/* Reads the methods inside launches. */
static int read_inside(struct sampled *study, struct error *err)
{
    struct intra_spec ignored;
    study->intra_count = 1;
    if (study->inside == NULL)
        return 0;
    study->inside_names = strdup(study->inside);
    if (study->inside_names == NULL)
        return error_no_memory(err);
    long count =
        study_cut(study->inside_names, study->intra + 1, SAMPLED_INSIDE - 1, "--intra", err);
    for (long i = 1; i <= count; i++)
        if (intra_parse(&ignored, study->intra[i], err) != 0)
            return -1;
    study->intra_count += count > 0 ? (size_t)count : 0;
    return count < 0 ? -1 : 0;
}

/* Every policy with every method inside launches. */
static void add_variants(struct sampled *study, const char *const *policies, size_t count)
{
    for (size_t p = 0; p < count; p++) {
        size_t whole = study->variant_count;
        for (size_t i = 0; i < study->intra_count; i++) {
            struct sampled_variant *variant = &study->variants[study->variant_count++];
            *variant = (struct sampled_variant){
                .policy = policies[p], .intra = study->intra[i], .inside = i, .whole = whole};
            snprintf(variant->name, sizeof variant->name, "%.47s%s%.47s", policies[p],
                     i > 0 ? " " : "", i > 0 ? study->intra[i] : "");
        }
    }
}

static int read_lists(struct sampled *study, struct error *err)
{
    const char *methods[SAMPLED_METHODS], *policy[SAMPLED_POLICIES];
    struct warmup ignored;
    study->method_names = strdup(study->methods);
    study->policy_names = strdup(study->policies);
    if (study->method_names == NULL || study->policy_names == NULL)
        return error_no_memory(err);
    long count = study_cut(study->method_names, methods, SAMPLED_METHODS, "--methods", err);
    long policies =
        count < 0 ? -1
                  : study_cut(study->policy_names, policy, SAMPLED_POLICIES, "--warm", err);
    if (policies < 0 || read_inside(study, err) != 0)
        return -1;
    if ((size_t)policies * study->intra_count > SAMPLED_VARIANTS)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--warm and --intra: %zu combinations; at most %d",
                         (size_t)policies * study->intra_count, SAMPLED_VARIANTS);
    study->plan_count = (size_t)count;
    add_variants(study, policy, (size_t)policies);
    for (long i = 0; i < count; i++)
        if (method_spec_init(&study->plans[i].method, methods[i], err) != 0)
            return -1;
    for (long i = 0; i < policies; i++)
        if (warmup_parse(&ignored, policy[i], err) != 0)
            return -1;
    return study_check_states(&study->options, policy, (size_t)policies, err);
}

/* ---- all --------------------------------------------------------------- */

static int report(struct sampled *study, struct error *err)
{
    struct report_table sheets[SAMPLED_SHEETS];
    sampled_make_sheets(study, sheets);
    int code = sampled_write(study, sheets, err);
    if (code == 0 && !study->options.quiet) {
        report_table_write_text(&sheets[SAMPLED_RESULTS], stdout);
        if (study->tracing) {
            putchar('\n');
            report_table_write_text(&sheets[SAMPLED_TRACING], stdout);
        }
        if (study->config_count > 1) {
            putchar('\n');
            report_table_write_text(&sheets[SAMPLED_SPEEDUPS], stdout);
        }
        study_files_tell(&study->files);
    }
    for (size_t i = 0; i < SAMPLED_SHEETS; i++)
        report_table_finish(&sheets[i]);
    return code;
}

static int carry_out(void *data, char **operands, struct error *err)
{
    struct sampled *study = data;
    study_take_operands(&study->options, operands);
    if (check(study, err) != 0 || read_lists(study, err) != 0 ||
        study_check_workload(&study->options, err) != 0 ||
        study_files_init(&study->files, study->options.output, &study->options.reads, err) != 0)
        return -1;
    int code = sampled_run(study, err);
    return code != 0 ? code : report(study, err);
}

static void finish_plan(struct sampled_plan *plan)
{
    for (size_t c = 0; c < SAMPLED_CONFIGS; c++) {
        for (size_t p = 0; p < SAMPLED_VARIANTS; p++) {
            run_measures_finish(&plan->cells[c][p].measures);
            free(plan->cells[c][p].values);
        }
        free(plan->warm[c]);
    }
    plan_destroy(plan->plan);
    free(plan->path);
    free(plan->rows);
}

static void finish(struct sampled *study)
{
    for (size_t m = 0; m < study->plan_count; m++)
        finish_plan(&study->plans[m]);
    for (size_t c = 0; c < SAMPLED_CONFIGS; c++) {
        run_measures_finish(&study->full[c].measures);
        extrapolated_rows_finish(&study->full[c].rows);
        results_finish(&study->full[c].results);
        free(study->full[c].values);
    }
    sampled_tracing_finish(study);
    sample_source_finish(&study->source);
    study_files_finish(&study->files);
    free(study->method_names);
    free(study->policy_names);
    free(study->inside_names);
    study_options_finish(&study->options);
}

int study_sampled(int argc, char **argv, struct error *err)
{
    struct sampled *study = calloc(1, sizeof *study);
    if (study == NULL)
        return error_no_memory(err);
    study->config_count = 1;
    int code = study_take_command(&study->options, argc, argv) == 0
                   ? cli_run(&command, argc, argv, study, carry_out, err)
                   : error_no_memory(err);
    finish(study);
    free(study);
    return code;
}
