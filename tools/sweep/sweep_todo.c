#include "tools/sweep/sweep_todo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/sweep/work/sweep_split.h"

static struct sweep_times *times_of(const struct sweep_todo *todo, uint32_t index)
{
    const struct sweep_job *job = &todo->jobs->items[index];
    return &todo->times[job->workload * SWEEP_KINDS + job->kind];
}

static void add_cost(struct sweep_todo *todo, uint32_t index)
{
    const struct sweep_jobs *jobs = todo->jobs;
    struct sweep_cost cost = sweep_folder_cost(jobs->store, jobs->items[index].digest);
    struct sweep_times *times = times_of(todo, index);
    times->seconds += cost.seconds;
    times->mib = cost.mib > times->mib ? cost.mib : times->mib;
    times->count++;
}

/* Takes the state of job INDEX into the counts. */
static void count(struct sweep_todo *todo, uint32_t index)
{
    if (todo->states[index] == SWEEP_DONE)
        todo->done++;
    else if (todo->states[index] == SWEEP_FAILED)
        todo->failed++;
    else
        todo->left++;
}

/* Marks the run in CELL, and what it needs, as needed if the run is not done. */
static void mark(const struct sweep_todo *todo, bool *needed, uint32_t job)
{
    while (job != SWEEP_NONE && todo->states[job] != SWEEP_DONE && !needed[job]) {
        needed[job] = true;
        job = todo->jobs->items[job].needs;
    }
}

static void forget(const struct sweep_job *job, const char *store)
{
    if (!sweep_folder_has(store, job->digest, "failed"))
        return;
    sweep_split_forget(store, job->digest);
    sweep_folder_forget(store, job->digest);
}

int sweep_todo_init(struct sweep_todo *todo, const struct sweep_jobs *jobs, bool retry,
                    struct error *err)
{
    *todo = (struct sweep_todo){.jobs = jobs};
    bool *needed = calloc(jobs->count + 1, sizeof *needed);
    todo->states = calloc(jobs->count + 1, sizeof *todo->states);
    todo->times = calloc(jobs->spec->workload_count * SWEEP_KINDS, sizeof *todo->times);
    bool good = needed != NULL && todo->states != NULL && todo->times != NULL;
    for (uint32_t i = 0; good && i < jobs->count; i++) {
        if (retry)
            forget(&jobs->items[i], jobs->store);
        todo->states[i] =
            (uint8_t)sweep_folder_state(jobs->store, jobs->items[i].digest, false);
        if (todo->states[i] == SWEEP_DONE)
            add_cost(todo, i);
    }
    for (size_t cell = 0; good && cell < jobs->cell_count; cell++)
        mark(todo, needed, jobs->cells[cell]);
    for (uint32_t i = 0; good && i < jobs->count; i++) {
        if (!needed[i])
            todo->states[i] = SWEEP_DONE;
        count(todo, i);
    }
    free(needed);
    return good ? 0 : error_no_memory(err);
}

void sweep_todo_finish(struct sweep_todo *todo)
{
    free(todo->states);
    free(todo->times);
}

int sweep_todo_write(const struct sweep_todo *todo, struct error *err)
{
    int result = 0;
    for (size_t i = 0; i < todo->jobs->count && result == 0; i++)
        if (todo->states[i] == SWEEP_WAITING)
            result = sweep_jobs_write(todo->jobs, &todo->jobs->items[i], err);
    return result;
}

enum sweep_state sweep_todo_look(struct sweep_todo *todo, uint32_t index)
{
    const struct sweep_jobs *jobs = todo->jobs;
    enum sweep_state state = sweep_folder_state(jobs->store, jobs->items[index].digest, false);
    todo->states[index] = (uint8_t)state;
    if (state == SWEEP_WAITING)
        return state;
    todo->left--;
    if (state == SWEEP_DONE)
        add_cost(todo, index);
    count(todo, index);
    return state;
}

int sweep_todo_fail(struct sweep_todo *todo, uint32_t index, const char *text,
                    struct error *err)
{
    const struct sweep_jobs *jobs = todo->jobs;
    char *folder = sweep_folder_path(jobs->store, jobs->items[index].digest, "");
    int result = folder == NULL
                     ? error_no_memory(err)
                     : sweep_folder_write_failed(folder, ERROR_SIMULATION, text, err);
    free(folder);
    sweep_todo_look(todo, index);
    return result;
}

/* Mean seconds of finished jobs like INDEX, else of all; negative: there are none. */
static double expected(const struct sweep_todo *todo, uint32_t index, double mean)
{
    const struct sweep_times *times = times_of(todo, index);
    return times->count > 0 ? times->seconds / (double)times->count : mean;
}

double sweep_todo_seconds(const struct sweep_todo *todo, unsigned processes,
                          const double *known)
{
    struct sweep_times all = {0};
    for (size_t i = 0; i < todo->jobs->spec->workload_count * SWEEP_KINDS; i++) {
        all.seconds += todo->times[i].seconds;
        all.count += todo->times[i].count;
    }
    if (all.count == 0)
        return -1;
    double left = 0;
    for (uint32_t i = 0; i < todo->jobs->count; i++)
        if (todo->states[i] == SWEEP_WAITING || todo->states[i] == SWEEP_RUNNING)
            left += known != NULL && !isnan(known[i])
                        ? known[i]
                        : expected(todo, i, all.seconds / (double)all.count);
    return left / (processes > 0 ? processes : 1);
}

double sweep_todo_mib(const struct sweep_todo *todo, uint32_t index)
{
    return times_of(todo, index)->mib;
}

const char *sweep_todo_time(double seconds, char text[static SWEEP_TODO_TEXT])
{
    unsigned long whole = seconds > 0 ? (unsigned long)(seconds + 0.5) : 0;
    if (seconds < 0)
        return "unknown";
    snprintf(text, SWEEP_TODO_TEXT, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60,
             whole % 60);
    return text;
}
