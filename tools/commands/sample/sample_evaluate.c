#define _GNU_SOURCE /* strdup */
#include "tools/commands/sample/sample_evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands/sample/sample_estimate.h"
#include "tools/commands/sample/sample_row.h"
#include "tools/run/sample/workload_profile.h"

/* What is tried: the current value of everything. */
struct trial {
    const struct sample_arguments *arguments;
    FILE *csv;
    const struct sample_source *source;
    const char *profile;
    const struct sampling_method *method;
    struct sampling_options options;
    double *judge; /* of each row: the cycles of --judge; NULL: those of the profile */
    bool all;
    bool several;   /* of several methods, those that cannot be used are not an error */
    bool headed;    /* the header of the table has been written */
    uint64_t taken; /* options that one of the methods takes */
    struct error *err;
};

static void write_row(struct trial *trial, const struct sample_row *row)
{
    if (trial->csv == NULL) {
        sample_row_text(row, stdout);
        return;
    }
    if (!trial->headed)
        sample_row_csv_header(trial->csv);
    trial->headed = true;
    sample_row_csv(row, trial->csv);
}

static int try_one(struct trial *trial)
{
    struct error lack = {0};
    struct sampling_options options = trial->options;
    struct sample_row row = {.profile = trial->profile,
                             .launches = trial->source->profile->count,
                             .method = trial->method,
                             .options = &options};
    if (sample_options_card(&options, trial->method, trial->arguments, trial->err) != 0)
        return -1;
    struct sampling *selection =
        sampling_select(trial->source->profile, trial->method, &options, &lack);
    row.selection = selection;
    const char *card = trial->arguments->estimate;
    int rc = selection == NULL ? -1 : 0;
    if (rc == 0 && card != NULL)
        rc = sample_estimate(selection, card, trial->err);
    if (rc == 0)
        rc = sampling_evaluate(selection, &options, trial->judge, &row.evaluation, trial->err);
    if (selection == NULL && trial->several && lack.kind != ERROR_SIMULATION &&
        !lack.no_memory) {
        row.note = lack.text;
        rc = 0;
    } else if (selection == NULL) {
        error_pass(trial->err, &lack);
    }
    if (rc == 0)
        write_row(trial, &row);
    sampling_destroy(selection);
    return rc;
}

/* Calls WHAT for each value of LIST, which is separated by commas. */
static int for_each(struct trial *trial, const char *list, int index,
                    int (*what)(struct trial *trial, int index, const char *value))
{
    char *copy = strdup(list), *rest = copy;
    int rc = copy != NULL ? 0 : error_no_memory(trial->err);
    while (rc == 0 && rest != NULL)
        rc = what(trial, index, strsep(&rest, ","));
    free(copy);
    return rc;
}

static int try_options(struct trial *trial, int index);

static int set_seed(struct trial *trial, int index, const char *value)
{
    if (sample_options_seed(&trial->options, value, trial->err) != 0)
        return -1;
    return try_one(trial);
}

static int set_option(struct trial *trial, int index, const char *value)
{
    if (sampling_option_set(&trial->options, (enum sampling_option_id)index, value,
                            trial->err) != 0)
        return -1;
    return try_options(trial, index + 1);
}

/* Tries the values of the options from number INDEX on; skips options that do not belong to
 * the method. */
static int try_options(struct trial *trial, int index)
{
    const struct sample_arguments *arguments = trial->arguments;
    while (index < SAMPLING_OPTIONS && (arguments->values[index] == NULL ||
                                        !(trial->method->options & SAMPLING_BIT(index))))
        index++;
    if (index < SAMPLING_OPTIONS)
        return for_each(trial, arguments->values[index], index, set_option);
    return arguments->seeds != NULL ? for_each(trial, arguments->seeds, 0, set_seed)
                                    : try_one(trial);
}

static int try_method(struct trial *trial, const struct sampling_method *method)
{
    trial->method = method;
    sampling_options_init(&trial->options);
    trial->options.bbv = trial->source->bbv;
    trial->options.bbv_name = trial->source->bbv_name;
    return try_options(trial, 0);
}

static int find_method(struct trial *trial, int index, const char *name)
{
    const struct sampling_method *method = sampling_find_method(name, trial->err);
    return method != NULL ? try_method(trial, method) : -1;
}

static int try_methods(struct trial *trial)
{
    const struct sampling_method *method;
    if (!trial->all)
        return for_each(trial, trial->arguments->methods, 0, find_method);
    for (size_t i = 0; (method = sampling_method(i)) != NULL; i++)
        if (try_method(trial, method) != 0)
            return -1;
    return 0;
}

/* ---- what was asked for, before anything is tried ---------------------- */

static int check_method(struct trial *trial, int index, const char *name)
{
    const struct sampling_method *method = sampling_find_method(name, trial->err);
    trial->taken |= method != NULL ? method->options : 0;
    return method != NULL ? 0 : -1;
}

static int check_option(struct trial *trial, int index, const char *value)
{
    return sampling_option_set(&trial->options, (enum sampling_option_id)index, value,
                               trial->err);
}

static int check_seed(struct trial *trial, int index, const char *value)
{
    return sample_options_seed(&trial->options, value, trial->err);
}

/* Checks that all methods exist, that values are valid, and that each option belongs to one of
 * the methods. */
static int check_lists(struct trial *trial)
{
    const struct sample_arguments *arguments = trial->arguments;
    if (!trial->all && for_each(trial, arguments->methods, 0, check_method) != 0)
        return -1;
    for (int i = 0; i < SAMPLING_OPTIONS; i++) {
        if (arguments->values[i] == NULL)
            continue;
        if (!trial->all && !(trial->taken & SAMPLING_BIT(i)))
            return error_set(trial->err, ERROR_USAGE, NULL, 0, 0, "--%s is no option of %s",
                             sampling_option((enum sampling_option_id)i)->name,
                             arguments->methods);
        if (for_each(trial, arguments->values[i], i, check_option) != 0)
            return -1;
    }
    return arguments->seeds != NULL ? for_each(trial, arguments->seeds, 0, check_seed) : 0;
}

/* Moves the cycles of the rows of PROFILE to CYCLES, or back; NaN: not known. */
static void move_cycles(struct profile *profile, double *cycles, bool back)
{
    for (size_t i = 0; i < profile->count; i++) {
        struct profile_row *row = &profile->rows[i];
        bool known = back ? !isnan(cycles[i]) : row->known & PROFILE_BIT(PROFILE_CYCLES);
        if (back)
            row->cycles = cycles[i];
        else
            cycles[i] = known ? row->cycles : NAN;
        row->known &= ~PROFILE_BIT(PROFILE_CYCLES);
        row->known |= back && known ? PROFILE_BIT(PROFILE_CYCLES) : 0;
    }
}

/* RESULTS have filled in the cycles of every launch. */
static int check_judged(const struct profile *profile, const char *results, struct error *err)
{
    for (size_t i = 0; i < profile->count; i++)
        if (!profile_knows(&profile->rows[i], PROFILE_CYCLES))
            return error_set(err, ERROR_USAGE, results, 0, 0,
                             "--judge: no cycles of launch %lu, which %s has",
                             (unsigned long)profile->rows[i].launch, profile->path);
    return 0;
}

/* Reads the cycles of --judge; the profile keeps its own. */
static int read_judge(struct trial *trial, struct sample_source *source)
{
    const char *results = trial->arguments->judge;
    struct profile *profile = source->profile;
    if (results == NULL)
        return 0;
    double *own = malloc((profile->count + 1) * sizeof *own);
    trial->judge = malloc((profile->count + 1) * sizeof *trial->judge);
    if (own == NULL || trial->judge == NULL) {
        free(own);
        return error_no_memory(trial->err);
    }
    move_cycles(profile, own, false);
    int rc = workload_profile_cycles(profile, results, true, trial->err);
    if (rc == 0)
        rc = check_judged(profile, results, trial->err);
    move_cycles(profile, trial->judge, false);
    move_cycles(profile, own, true);
    free(own);
    return rc;
}

static int try_source(struct trial *trial, const char *path)
{
    struct sample_source source;
    struct sample_request request = trial->arguments->request;
    request.source = path;
    request.needs_bbv = true;
    int rc = sample_source_init(&source, &request, trial->err);
    trial->source = &source;
    trial->profile = path;
    if (rc == 0)
        rc = read_judge(trial, &source);
    if (rc == 0 && trial->csv == NULL) {
        printf("%s%s: %zu launches of %zu kernels\n",
               path == trial->arguments->sources[0] ? "" : "\n", path, source.profile->count,
               source.profile->kernel_count);
        sample_row_text_header(stdout);
    }
    if (rc == 0)
        rc = try_methods(trial);
    free(trial->judge);
    trial->judge = NULL;
    sample_source_finish(&source);
    return rc;
}

int sample_evaluate(const struct sample_arguments *arguments, FILE *csv, struct error *err)
{
    struct trial trial = {.arguments = arguments,
                          .csv = csv,
                          .all = strcmp(arguments->methods, "all") == 0,
                          .several = strcmp(arguments->methods, "all") == 0 ||
                                     strchr(arguments->methods, ',') != NULL,
                          .err = err};
    if (check_lists(&trial) != 0)
        return -1;
    for (char **path = arguments->sources; *path != NULL; path++)
        if (try_source(&trial, *path) != 0)
            return -1;
    return 0;
}
