#include "tools/sweep/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/run/notes.h"
#include "tools/sweep/engines/sweep_engine.h"
#include "tools/sweep/sweep_record.h"
#include "tools/sweep/tables/sweep_tables.h"
#include "tools/sweep/tables/tidy_table.h"
#include "tools/sweep/work/sweep_split.h"
#include "traces/base/files/paths.h"
#include "traces/base/process/stop.h"

/* Absolute, as jobs change the working folder. NULL with ERR filled. */
static char *name_store(const struct sweep_request *request, struct error *err)
{
    char *below = paths_join(request->output, "store");
    char *store =
        below != NULL ? paths_absolute(request->store != NULL ? request->store : below) : NULL;
    free(below);
    if (store == NULL)
        error_no_memory(err);
    return store;
}

static void print_end(const struct sweep_request *request, const struct sweep_todo *todo)
{
    if (request->quiet)
        return;
    printf("jobs           %zu, of which %zu are done, %zu failed and %zu are left\n",
           todo->jobs->count, todo->done, todo->failed, todo->left);
    printf("tables         %s/launches.csv, jobs.csv, kernels.csv, configurations.csv%s\n",
           request->output, tidy_base_available() ? ", sweep.sqlite" : "");
    if (!tidy_base_available())
        notes_say("this program was built without SQLite: there is no sweep.sqlite");
}

/* How many cells have no results for good, which is said. */
static size_t count_failed(const struct sweep_request *request, const struct sweep_todo *todo)
{
    size_t failed = 0;
    for (size_t cell = 0; cell < todo->jobs->cell_count; cell++) {
        uint32_t job = todo->jobs->cells[cell];
        failed += job == SWEEP_NONE || todo->states[job] == SWEEP_FAILED;
    }
    if (failed > 0)
        notes_say("%zu of %zu runs failed; the column \"message\" of %s/jobs.csv says why",
                  failed, todo->jobs->cell_count, request->output);
    return failed;
}

static int execute(const struct sweep_request *request, struct sweep_todo *todo,
                   struct error *err)
{
    int result = sweep_todo_write(todo, err);
    stop_init();
    if (result == 0 && todo->left > 0)
        result = sweep_engine_find(request->engine)->run(request, todo, err);
    if (result > 0)
        error_set(err, ERROR_SIMULATION, NULL, 0, 0,
                  "stopped by %s: %zu of %zu jobs are left; the same command continues",
                  stop_name(), todo->left, todo->jobs->count);
    if (result == 0)
        result = sweep_tables_write(todo, request->output, err);
    if (result == 0)
        print_end(request, todo);
    return result == 0 && count_failed(request, todo) > 0 ? 1 : result;
}

static int run_jobs(const struct sweep_request *request, const struct sweep_jobs *jobs,
                    struct error *err)
{
    struct sweep_todo todo;
    int result = sweep_record_write(request, jobs, sweep_engine_processes(request), err);
    if (result != 0)
        return -1;
    result = sweep_todo_init(&todo, jobs, request->retry, err);
    if (result == 0)
        result = execute(request, &todo, err);
    sweep_todo_finish(&todo);
    return result;
}

int sweep_run(const struct sweep_request *request, struct error *err)
{
    struct sweep_spec spec;
    struct sweep_jobs jobs;
    char *store = NULL;
    int result = sweep_spec_init(&spec, request->spec, err);
    if (result == 0)
        result = paths_make_folder(request->output, err);
    if (result == 0 && (store = name_store(request, err)) == NULL)
        result = -1;
    if (result == 0) {
        result = sweep_jobs_init(&jobs, &spec, store, err);
        if (result == 0)
            result = run_jobs(request, &jobs, err);
        sweep_jobs_finish(&jobs);
    }
    sweep_spec_finish(&spec);
    free(store);
    return result;
}

/* ---- status ---- */

/* What --status looks at. */
struct status {
    size_t running, segments, done; /* jobs; segments of those that are not done */
    double *left;                   /* seconds of each job; NAN: unknown */
};

/* A run takes as long for the segments that are left as for those that are done. */
static void look_at(struct status *status, const struct sweep_todo *todo, size_t job)
{
    const char *store = todo->jobs->store, *digest = todo->jobs->items[job].digest;
    struct sweep_split_state split = sweep_split_look(store, digest);
    status->running +=
        split.working || sweep_folder_state(store, digest, true) == SWEEP_RUNNING;
    status->segments += split.count;
    status->done += split.done;
    if (split.done > 0)
        status->left[job] =
            split.seconds / (double)split.done * (double)(split.count - split.done);
}

static int look(struct status *status, const struct sweep_todo *todo, struct error *err)
{
    *status = (struct status){.left = calloc(todo->jobs->count + 1, sizeof *status->left)};
    if (status->left == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < todo->jobs->count; i++) {
        status->left[i] = NAN;
        if (todo->states[i] == SWEEP_WAITING)
            look_at(status, todo, i);
    }
    return 0;
}

static void print_status(const struct status *status, const struct sweep_record *record,
                         const struct sweep_todo *todo, const char *output)
{
    char text[SWEEP_TODO_TEXT];
    unsigned processes = status->running > 0 ? (unsigned)status->running : record->processes;
    printf("jobs           %zu\ndone           %zu\nfailed         %zu\n"
           "running        %zu\nwaiting        %zu\ntime left      %s\n",
           record->jobs.count, todo->done, todo->failed, status->running,
           todo->left - status->running,
           sweep_todo_time(sweep_todo_seconds(todo, processes, status->left), text));
    if (status->segments > 0)
        printf("segments       %zu of %zu done, of runs that are running or waiting\n",
               status->done, status->segments);
    if (record->jobless > 0)
        printf("without a job  %zu of %zu runs, which failed; the column \"message\" of "
               "%s/jobs.csv says why\n",
               record->jobless, record->runs, output);
}

int sweep_status(const char *output, struct error *err)
{
    struct sweep_record record;
    struct sweep_todo todo = {0};
    struct status status = {0};
    int result = sweep_record_read(&record, output, err);
    if (result == 0)
        result = sweep_todo_init(&todo, &record.jobs, false, err);
    if (result == 0)
        result = look(&status, &todo, err);
    if (result == 0)
        print_status(&status, &record, &todo, output);
    free(status.left);
    sweep_todo_finish(&todo);
    sweep_record_finish(&record);
    return result;
}
