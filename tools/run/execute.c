#include "tools/run/running_intra.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/plan/state_file.h"
#include "tools/run/traced.h"
#include "traces/base/files/paths.h"
#include "traces/base/process/heap.h"
#include "traces/base/process/host.h"
#include "traces/base/process/stop.h"

static int check_launch(const struct plan *plan, const struct plan_item *item,
                        const char *overlap, struct error *err)
{
    if (overlap != NULL && item->launch.step->prime_percent > 0)
        return error_set(err, ERROR_USAGE, plan->path, item->line, 0,
                         "prime=: launches that overlap (%s) have no first part that is their "
                         "own",
                         overlap);
    return 0;
}

/* A plan may come from a stranger: its lines must not choose any file of the user. States of
 * --warm have no line; their folder follows from the command line. */
static int check_place(const struct plan *plan, const struct plan_item *item, bool outside,
                       struct error *err)
{
    char *folder = item->line != 0 && !outside ? plan_own_folder(plan->path) : NULL;
    bool allowed =
        item->line == 0 || outside || (folder != NULL && paths_is_inside(folder, item->text));
    free(folder);
    return allowed ? 0
                   : error_set(err, ERROR_USAGE, item->text, 0, 0,
                               "is outside of the plan's folder, or a symbolic link: only "
                               "--allow-outside permits that");
}

static int check_restore(const struct plan *plan, const struct plan_item *item, bool outside,
                         struct error *err)
{
    struct error why = {0};
    if (check_place(plan, item, outside, &why) == 0)
        return 0;
    return error_set(err, why.kind, plan->path, item->line, 0, "!restore: %s", why.text);
}

static int check_save(const struct plan *plan, const struct plan_item *item, bool outside,
                      struct input_guard *reads, struct error *err)
{
    struct error why = {0};
    if (input_guard_check(reads, item->text, &why) == 0 &&
        check_place(plan, item, outside, &why) == 0 && state_file_check(item->text, &why) == 0)
        return 0;
    return error_set(err, why.kind, plan->path, item->line, 0, "!save: %s", why.text);
}

int execute_check(const struct plan *plan, const bool *skip, const char *overlap, bool outside,
                  struct input_guard *reads, struct error *err)
{
    int result = 0;
    for (size_t i = 0; i < plan->count && result == 0; i++) {
        const struct plan_item *item = &plan->items[i];
        if (!skip[i] && item->kind == PLAN_LAUNCH)
            result = check_launch(plan, item, overlap, err);
        else if (!skip[i] && item->kind == PLAN_RESTORE)
            result = check_restore(plan, item, outside, err);
        else if (!skip[i] && item->kind == PLAN_SAVE)
            result = check_save(plan, item, outside, reads, err);
    }
    return result;
}

/* The number of the launch in the workload, or the number in its own header if the workload's
 * list does not contain it. */
static uint64_t number_of(const struct execution *execution, const struct plan_launch *launch,
                          const struct trace_header *header)
{
    uint64_t number = launches_number(execution->launches, launch->name,
                                      execution->plan->written ? 0 : launch->position);
    return number == 0 && !execution->launches->by_position ? header->id : number;
}

bool running_begin_row(struct running *running, const struct plan_launch *launch,
                       const struct trace_header *header, struct row *row)
{
    struct segment *segment = running->segment;
    if (rows_begin(&segment->rows, row, header, running->label, &running->error) != 0)
        return false;
    row->launch = number_of(running->execution, launch, header);
    row->segments = segment->number;
    row->role = launch->role;
    row->mode = launch->mode;
    row->scale = launch->step->scale;
    return true;
}

/* Notes that SEGMENT ends the run: later segments stop. */
static void set_ended(struct execution *execution, const struct segment *segment)
{
    size_t seen = atomic_load(&execution->ended);
    while ((seen == 0 || segment->number < seen) &&
           !atomic_compare_exchange_weak(&execution->ended, &seen, segment->number))
        continue;
}

static bool is_behind_end(const struct running *running)
{
    size_t ended = atomic_load(&running->execution->ended);
    return ended != 0 && running->segment->number > ended;
}

bool running_must_stop(const struct running *running, const struct sim_progress *now)
{
    struct segment *segment = running->segment;
    if (stop_signal() != 0) {
        segments_stop(running->execution->segments, segment, stop_name());
        return true;
    }
    if (is_behind_end(running))
        return true;
    if (run_limits_any(&running->execution->limits))
        segments_stop(running->execution->segments, segment,
                      run_limits_reached(&running->execution->limits, now));
    if (segment->stopped != 0)
        set_ended(running->execution, segment);
    return segment->stopped != 0;
}

static bool on_progress(void *data, const struct sim_progress *now)
{
    struct running *running = data;
    progress_show(&running->progress, now);
    return !running_must_stop(running, now);
}

static void on_interval(void *data, const struct sim_interval *interval)
{
    struct running *running = data;
    bool good = !running->primes || prime_add(&running->prime, interval);
    if (running->execution->intervals != 0)
        good = good && intervals_add(&running->row->intervals, interval);
    if (!good)
        error_no_memory(&running->error);
}

static void on_event(void *data, const struct sim_event *event)
{
    const struct running *running = data;
    event_file_take(running->execution->events, event);
}

/* A line of warps.csv; a method inside the launch may watch, too. */
static void on_warp_ended(void *data, const struct sim_block *block)
{
    const struct running *running = data;
    if (running->inside.warp_ended != NULL)
        running->inside.warp_ended(running->inside.data, block);
    fprintf(running->execution->warps,
            "%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 "\n",
            running->row->launch, block->order, block->sm, block->begin, block->end);
}

/* Whether the launch is measured in detail, and its warps are to be written. */
static bool has_warps(const struct running *running)
{
    return running->execution->warps != NULL && running->row->role == PLAN_MEASURE &&
           running->row->mode == PLAN_DETAILED;
}

/* Whether the events of the launch are to be written. */
static bool has_events(const struct running *running)
{
    const struct event_file *events = running->execution->events;
    const struct row *row = running->row;
    return events != NULL && !events->written && row->launch == events->spec.launch &&
           row->role == PLAN_MEASURE && row->mode == PLAN_DETAILED;
}

void running_add_to_journal(const struct running *running, const struct row *row, size_t item)
{
    if (running->execution->journal != NULL)
        journal_add(running->execution->journal, row, item);
}

void running_save_state(struct running *running, size_t done)
{
    struct journal *journal = running->execution->journal;
    double now = host_seconds(), since = now - running->saved;
    if (journal == NULL || since < journal->period || since < running->saving)
        return;
    journal_save_state(journal, running->segment, done, running->sim);
    running->saved = host_seconds();
    running->saving = running->saved - now;
}

/* Rows after a projected launch begin where that would have ended. */
static void move_row(const struct running *running, struct row *row)
{
    row->result.start_cycle += running->shift;
    row->result.end_cycle += running->shift;
}

/* Writes the events of the launch, which has ended. */
static int write_events(const struct running *running, const struct trace_kernel *kernel,
                        struct error *err)
{
    struct event_file *events = running->execution->events;
    const struct row *row = running->row;
    char text[160];
    snprintf(text, sizeof text,
             "--trace-events: SM %" PRIu32 " did nothing in launch %" PRIu64
             " in these cycles; the launch took %" PRIu64,
             events->spec.range.sm, row->launch,
             row->result.end_cycle - row->result.start_cycle);
    if (events->count == 0)
        notes_add(&running->row->notes, text, 1);
    return event_file_write(events, kernel, err);
}

/* Simulates the launch and fills its row. */
static int run_kernel(struct running *running, const struct plan_launch *launch,
                      struct trace_kernel *kernel)
{
    struct execution *execution = running->execution;
    struct row *row = running->row;
    uint64_t intervals = execution->intervals;
    running->primes = launch->step->prime_percent > 0;
    struct sim_hooks hooks = {
        .progress = on_progress,
        .next = running->next,
        .interval_ended = on_interval,
        .interval = running->primes && intervals == 0 ? PRIME_INTERVAL : intervals,
        .data = running,
    };
    struct error *err = &running->error;
    bool events = has_events(running);
    if (events) {
        hooks.sm_event = on_event;
        hooks.events = execution->events->spec.range;
    }
    double began = host_seconds();
    if (!running_intra_begin(running, launch, kernel, &hooks))
        return -1;
    if (has_warps(running))
        hooks.warp_ended = on_warp_ended;
    bool functional = launch->mode == PLAN_FUNCTIONAL;
    int result = functional ? sim_functional(running->sim, kernel, &hooks, &row->result, err)
                            : sim_launch(running->sim, kernel, &hooks, &row->result, err);
    if (result == 0 && !functional && !row_keep(row, running->sim))
        error_no_memory(err);
    if (result == 0 && events && !row->result.stopped)
        result = write_events(running, kernel, err);
    if (result == 0 && running->primes)
        prime_apply(&running->prime, launch->step->prime_percent, row);
    prime_finish(&running->prime);
    if (result == 0 && running->intra == NULL)
        move_row(running, row);
    else if (result == 0 && !row->result.stopped && !running_intra_end(running, launch))
        result = -1;
    running_intra_finish(running);
    row->seconds = host_seconds() - began;
    return result;
}

/* Stores the row of the launch, which has ended, and tells of it. */
static bool keep(struct running *running, struct trace_kernel *kernel)
{
    struct execution *execution = running->execution;
    struct segment *segment = running->segment;
    struct row *row = running->row;
    traced_notes(&row->notes, running->sim, kernel, &row->result.counters);
    if (rows_add(&segment->rows, row, &running->error) != 0)
        return false;
    progress_launched(&running->progress, row->result.counters.warp_insts);
    if (run_limits_any(&execution->limits))
        run_limits_launched(&execution->limits, &row->result);
    running_add_to_journal(running, row, segment->done);
    running_save_state(running, segment->done + 1);
    if (execution->launched != NULL)
        execution->launched(execution->data, row);
    return true;
}

/* Returns true if the launch was simulated to its end; otherwise it has no result. */
static bool simulate(struct running *running, const struct plan_launch *launch,
                     struct trace_kernel *kernel)
{
    struct row row;
    if (!running_begin_row(running, launch, trace_kernel_header(kernel), &row))
        return false;
    running->row = &row;
    sim_flush_start(running->sim);
    int result = run_kernel(running, launch, kernel);
    bool kept = result == 0 && !row.result.stopped && running->error.kind == ERROR_NONE;
    if (kept) { /* before the state of the run is saved */
        sim_flush_end(running->sim);
        kept = keep(running, kernel);
    }
    row_finish(&row);
    running->row = NULL;
    return kept;
}

uint64_t running_warps(const struct running *running, const struct plan_launch *launch)
{
    const struct launch_header *known =
        launches_find(running->execution->launches, launch->name);
    return known != NULL ? known->warps : 0;
}

struct trace_kernel *running_open(struct running *running, const struct plan_launch *launch,
                                  struct trace_kernel_options options)
{
    struct error *err = &running->error;
    char *path = trace_workload_path(running->execution->plan->names, launch->name);
    if (path == NULL) {
        error_no_memory(err);
        return NULL;
    }
    struct trace_kernel *kernel = traced_open(path, running->execution->workload, running->sim,
                                              launch->mode, options, err);
    free(path);
    return kernel;
}

/* The first launch of the segment after the one that is about to run, if threads may read it
 * ahead; NULL otherwise. */
static const struct plan_launch *launch_after(struct running *running, size_t *item)
{
    const struct execution *execution = running->execution;
    const struct plan_item *items = execution->plan->items;
    size_t end = segment_end(running->segment), i = running->segment->done + 1;
    while (i < end && (execution->skip[i] || items[i].kind != PLAN_LAUNCH))
        i++;
    *item = i;
    if (i >= end || items[i].launch.mode != PLAN_DETAILED ||
        items[i].launch.step->intra != NULL || !sim_reads_ahead(running->sim))
        return NULL;
    return &items[i].launch;
}

/* Opens it. An error is one of that launch, whose turn will come. */
static void open_next(struct running *running)
{
    const struct plan_launch *next = launch_after(running, &running->next_item);
    struct error later = {0}, now = running->error;
    if (next == NULL)
        return;
    running->error = later;
    running->next = running_open(running, next, traced_options(next->mode));
    running->error = now;
}

/* The trace of LAUNCH, which is about to run. NULL with `error` filled. */
static struct trace_kernel *take_kernel(struct running *running,
                                        const struct plan_launch *launch)
{
    struct trace_kernel *kernel = running->next;
    running->next = NULL;
    if (kernel != NULL && running->next_item == running->segment->done)
        return kernel;
    sim_forget_next(running->sim);
    trace_kernel_close(kernel);
    return running_open(running, launch, traced_options(launch->mode));
}

static void drop_next(struct running *running)
{
    sim_forget_next(running->sim);
    trace_kernel_close(running->next);
    running->next = NULL;
}

static bool run_launch(struct running *running, const struct plan_launch *launch)
{
    progress_launch(&running->progress, running->execution->progress,
                    running_warps(running, launch));
    struct trace_kernel *kernel = take_kernel(running, launch);
    if (kernel != NULL && launch->mode == PLAN_DETAILED)
        open_next(running);
    bool finished = kernel != NULL && simulate(running, launch, kernel);
    trace_kernel_close(kernel);
    if (!finished)
        progress_drop(&running->progress);
    return finished;
}

/* Returns true if the item was executed to its end. */
static bool run_item(struct running *running, const struct plan_item *item)
{
    if (item->kind == PLAN_LAUNCH)
        return run_launch(running, &item->launch);
    if (item->kind == PLAN_SAVE)
        return state_file_save(running->sim, NULL, item->text, &running->error) == 0;
    if (item->kind == PLAN_RESTORE)
        return state_file_restore(running->sim, item->text, &running->error) == 0;
    if (item->kind == PLAN_FLUSH)
        sim_flush(running->sim, item->flush.levels, item->flush.drop);
    else if (item->kind == PLAN_COPY && !item->copy.to_host)
        sim_copy(running->sim, item->copy.address, item->copy.bytes, item->copy.on_device);
    return true;
}

/* An error ends the segment and all later ones. */
static void fail(struct running *running)
{
    const char *report = sim_report(running->sim);
    segments_fail(running->execution->segments, running->segment, &running->error,
                  report[0] != '\0' ? report : NULL);
    set_ended(running->execution, running->segment);
}

/* Executes the first item that is not done. Returns false if it was not executed to its
 * end. */
static bool run_next(struct running *running)
{
    const struct execution *execution = running->execution;
    struct segment *segment = running->segment;
    const struct plan_item *item = &execution->plan->items[segment->done];
    if (!execution->skip[segment->done]) {
        if (running_must_stop(running, NULL))
            return false;
        if ((execution->overlap && running_overlaps(item)) ||
            (execution->followers && running_is_followed(running)))
            return running_overlap(running);
        if (!run_item(running, item))
            return false;
    }
    segment->done++;
    return true;
}

/* Counts launches that an earlier process finished. */
static void pass_resumed(struct running *running)
{
    struct execution *execution = running->execution;
    const struct segment *segment = running->segment;
    uint64_t warps = 0;
    struct rows_pass pass = {.rows = &segment->rows};
    for (const struct row *row; (row = rows_next(&pass)) != NULL;) {
        warps += launches_warps(row->grid, row->block);
        if (row->intra != NULL)
            running->shift +=
                row->result.end_cycle - row->result.start_cycle - row->outcome.cycles;
        if (execution->launched != NULL)
            execution->launched(execution->data, row);
        if (run_limits_any(&execution->limits))
            run_limits_launched(&execution->limits, &row->result);
    }
    progress_pass(execution->progress, segment->rows.count, warps);
}

/* After this many segments the heap is looked at, which takes as long as a short launch. */
#define RESETS 64

static void reset(const struct segment *segment, struct sim *sim)
{
    sim_reset(sim);
    if (segment->number % RESETS == 0)
        heap_give_back();
}

/* The first launch of the segment if it is replayed for a later one, with no state before it;
 * NULL otherwise. */
static const struct plan_launch *first_replayed(const struct running *running)
{
    const struct plan_item *items = running->execution->plan->items;
    size_t i = running->segment->begin, end = segment_end(running->segment);
    while (i < end && items[i].kind != PLAN_LAUNCH && items[i].kind != PLAN_RESTORE)
        i++;
    return i < end && items[i].kind == PLAN_LAUNCH && items[i].launch.role == PLAN_WARM
               ? &items[i].launch
               : NULL;
}

/* Launches that are not replayed have left their parameters, too: those before the first one
 * that is, as far back as there are places. */
static void leave_parameters(const struct running *running)
{
    const struct launches *launches = running->execution->launches;
    const struct plan_launch *launch = first_replayed(running);
    const struct launch_header *known =
        launch != NULL ? launches_find(launches, launch->name) : NULL;
    size_t before = known != NULL ? launches_position(launches, known) - 1 : 0;
    size_t places = sim_parameter_places(running->sim);
    for (size_t i = before > places ? before - places : 0; i < before; i++)
        sim_leave_parameters(running->sim, launches->items[i].id);
}

void execute(struct execution *execution, struct segment *segment, struct sim *sim, bool used)
{
    _Static_assert(PLAN_L1 == (int)SIM_L1 && PLAN_L2 == (int)SIM_L2, "levels are handed on");
    struct running running = {
        .execution = execution, .segment = segment, .sim = sim, .saved = host_seconds()};
    running.label = segments_label(segment, execution->plan);
    if (segment->done == segment_end(segment)) {
        pass_resumed(&running);
        return;
    }
    if (running_must_stop(&running, NULL))
        return;
    if (segment->rows.count > 0)
        journal_load_state(execution->journal, segment, sim);
    else if (used)
        reset(segment, sim);
    if (segment->rows.count == 0)
        leave_parameters(&running);
    pass_resumed(&running);
    while (segment->done < segment_end(segment) && run_next(&running))
        continue;
    drop_next(&running);
    intra_history_destroy(running.history);
    block_profile_close(running.profile);
    if (running.error.kind != ERROR_NONE)
        fail(&running);
    else if (segment->done == segment_end(segment) && execution->journal != NULL)
        journal_drop_state(execution->journal, segment);
}
