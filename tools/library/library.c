/* What is declared in hearth.h, in terms of tools/run. */
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tools/library/inner.h"

_Static_assert(sizeof((struct value){0}.text) == HEARTH_TEXT, "texts of values fit");
_Static_assert(sizeof((struct hearth_error){0}.text) == ERROR_TEXT, "messages fit");

struct last_row {
    pthread_mutex_t mutex;
    bool any;
    size_t launch;
    struct row row;
};

struct hearth_results *inner_results_create(struct error *err)
{
    struct hearth_results *results = calloc(1, sizeof *results);
    if (results != NULL && (results->last = calloc(1, sizeof *results->last)) != NULL) {
        pthread_mutex_init(&results->last->mutex, NULL);
        return results;
    }
    free(results);
    error_no_memory(err);
    return NULL;
}

const char *hearth_version(void)
{
    return HEARTH_VERSION;
}

enum hearth_status inner_report(struct hearth_error *to, const struct error *err)
{
    const enum hearth_status status = (enum hearth_status)err->kind;
    if (to != NULL) {
        to->status = status;
        memcpy(to->text, err->text, sizeof to->text);
    }
    return status;
}

static void on_progress(void *data, const struct progress_now *now)
{
    const struct hearth_hooks *hooks = data;
    if (now == NULL || now->what != NULL)
        return;
    const struct hearth_progress progress = {now->done, now->launches, now->share, now->rate,
                                             now->left};
    hooks->progress(hooks->data, &progress);
}

struct run_request inner_request(const struct hearth_request *request)
{
    return (struct run_request){
        .target = request->target,
        .configs = request->configs,
        .config_count = request->config_count,
        .sets = request->sets,
        .set_count = request->set_count,
        .flush = request->flush,
        .warm = request->warm,
        .intra = request->intra,
        .launches = request->launches,
        .output = request->output,
        .resume = request->resume,
        .checkpoint = request->checkpoint,
        .jobs = request->jobs,
        .threads = request->threads,
        .intervals = request->intervals,
        .allow_outside = request->allow_outside,
    };
}

/* Runs REQUEST, or reads what it found complete. */
static void execute(const struct run_request *request, const struct hearth_hooks *hooks,
                    struct results *results, struct error *err)
{
    const bool told = hooks != NULL && hooks->progress != NULL;
    const struct run_hooks inner = {.data = (void *)hooks,
                                    .progress = told ? on_progress : NULL};
    run_execute(request, &inner, results, err);
    if (!results->complete)
        return;
    results_finish(results);
    results_read(results, request->output, err);
}

int inner_check_locale(struct error *err)
{
    const char *point = localeconv()->decimal_point;
    return strcmp(point, ".") == 0
               ? 0
               : error_set(err, ERROR_USAGE, NULL, 0, 0,
                           "the locale writes numbers with \"%s\": call setlocale(LC_NUMERIC, "
                           "\"C\") first",
                           point);
}

struct hearth_results *hearth_run(const struct hearth_request *request,
                                  const struct hearth_hooks *hooks, struct hearth_error *to)
{
    struct error err = {0};
    struct hearth_results *results = inner_results_create(&err);
    if (results != NULL && request->target == NULL)
        error_set(&err, ERROR_USAGE, NULL, 0, 0, "a workload or a plan is expected");
    else if (results != NULL && inner_check_locale(&err) == 0) {
        const struct run_request inner = inner_request(request);
        execute(&inner, hooks, &results->results, &err);
    }
    inner_report(to, &err);
    if (results != NULL && err.kind != ERROR_NONE && results->results.rows.count == 0) {
        hearth_results_destroy(results);
        return NULL;
    }
    return results;
}

struct hearth_results *hearth_read(const char *folder, struct hearth_error *to)
{
    struct error err = {0};
    struct hearth_results *results = inner_results_create(&err);
    if (results != NULL &&
        (inner_check_locale(&err) != 0 || results_read(&results->results, folder, &err) != 0)) {
        hearth_results_destroy(results);
        results = NULL;
    }
    inner_report(to, &err);
    return results;
}

void hearth_results_destroy(struct hearth_results *results)
{
    if (results == NULL)
        return;
    row_finish(&results->last->row);
    pthread_mutex_destroy(&results->last->mutex);
    free(results->last);
    results_finish(&results->results);
    free(results);
}

size_t hearth_launches(const struct hearth_results *results)
{
    return results->results.rows.count;
}

size_t hearth_columns(void)
{
    return row_column_count();
}

struct hearth_column hearth_column(size_t index)
{
    const struct row_column column = row_column(index);
    return (struct hearth_column){column.name, column.unit, column.description};
}

size_t hearth_find_column(const char *name)
{
    size_t i = 0;
    while (i < row_column_count() && strcmp(row_column(i).name, name) != 0)
        i++;
    return i;
}

static struct value value_at(const struct hearth_results *results, size_t launch, size_t column)
{
    struct last_row *last = results->last;
    pthread_mutex_lock(&last->mutex);
    if (!last->any || last->launch != launch) {
        row_finish(&last->row);
        last->any = rows_read(&results->results.rows, launch, &last->row);
        last->launch = launch;
    }
    struct value value = {.kind = VALUE_NONE};
    if (last->any)
        value = row_value(&last->row, column);
    pthread_mutex_unlock(&last->mutex);
    return value;
}

double hearth_number(const struct hearth_results *results, size_t launch, size_t column)
{
    const struct value value = value_at(results, launch, column);
    if (value.kind == VALUE_COUNT)
        return (double)value.count;
    return value.kind == VALUE_RATIO ? value.ratio : NAN;
}

const char *hearth_text(const struct hearth_results *results, size_t launch, size_t column,
                        char buffer[HEARTH_TEXT])
{
    const struct value value = value_at(results, launch, column);
    const char *text = value_text(&value, buffer);
    return text == value.text ? memcpy(buffer, value.text, HEARTH_TEXT) : text;
}

size_t hearth_notes(const struct hearth_results *results)
{
    return results->results.notes.count;
}

const char *hearth_note(const struct hearth_results *results, size_t index)
{
    return results->results.notes.items[index].text;
}
