#include "tools/execute.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

#include "tools/stop.h"

static int missing(const struct plan *plan, const struct plan_item *item, const char *what,
                   struct error *err)
{
    return error_set(err, ERROR_USAGE, plan->path, item->line, 0,
                     "%s cannot be carried out by this version", what);
}

static int check_item(const struct plan *plan, const struct plan_item *item, struct error *err)
{
    if (item->kind == PLAN_RESTORE)
        return missing(plan, item, "!restore", err);
    if (item->kind == PLAN_SAVE)
        return missing(plan, item, "!save", err);
    if (item->kind != PLAN_LAUNCH)
        return 0;
    if (item->launch.mode == PLAN_MEMORY)
        return missing(plan, item, "warm-up of kind memory", err);
    if (item->launch.mode == PLAN_FUNCTIONAL)
        return missing(plan, item, "warm-up of kind functional", err);
    if (item->launch.prime != NULL)
        return missing(plan, item, "prime=", err);
    if (item->launch.stop != NULL)
        return missing(plan, item, "stop=", err);
    return 0;
}

int execute_check(const struct plan *plan, const bool *skip, struct error *err)
{
    for (size_t i = 0; i < plan->count; i++)
        if (!skip[i] && check_item(plan, &plan->items[i], err) < 0)
            return -1;
    return 0;
}

static void on_opcode(void *data, const char *opcode, uint64_t count)
{
    char text[128];
    snprintf(text, sizeof text, "opcode %s is in no table, classed by its name", opcode);
    notes_add(data, text, count);
}

/* Notes of the reader on a trace that was read to its end. */
static void take_notes(struct execution *execution, const struct trace_kernel *kernel)
{
    const char *note = trace_kernel_note(kernel);
    if (note != NULL)
        notes_add(execution->notes, note, 1);
    trace_kernel_unknown_opcodes(kernel, on_opcode, execution->notes);
}

static void begin_segment(struct execution *execution, const char *name)
{
    execution->segments++;
    execution->segment = name;
    execution->first = true;
}

/* The number of the launch in the workload, or what its own header says where
 * the workload's list does not hold it. */
static uint64_t number_of(const struct execution *execution, const struct plan_launch *launch,
                          const struct trace_header *header)
{
    uint64_t number = launches_number(execution->launches, launch->name,
                                      execution->plan->written ? 0 : launch->position);
    return number == 0 && !execution->launches->by_position ? header->id : number;
}

/* Adds the row of a launch that is about to run. */
static struct row *add_row(struct execution *execution, const struct plan_launch *launch,
                           const struct trace_header *header, struct error *err)
{
    char number[24];
    snprintf(number, sizeof number, "%zu", execution->segments);
    struct row *row =
        results_add(execution->results, header,
                    execution->segment != NULL ? execution->segment : number, err);
    if (row == NULL)
        return NULL;
    row->step = ++execution->step;
    row->launch = number_of(execution, launch, header);
    row->segments = execution->segments;
    row->role = launch->role;
    row->mode = launch->mode;
    row->scale = launch->scale;
    return row;
}

/* What asks to stop: a signal or a limit; NULL: nothing. */
static const char *reason_to_stop(const struct execution *execution,
                                  const struct sim_progress *now)
{
    if (stop_signal() != 0)
        return stop_signal() == SIGINT ? "SIGINT" : "SIGTERM";
    return limits_reached(&execution->limits, now);
}

static bool on_progress(void *data, const struct sim_progress *now)
{
    struct execution *execution = data;
    progress_show(execution->progress, now);
    execution->stop_reason = reason_to_stop(execution, now);
    return execution->stop_reason == NULL;
}

static int simulate(struct execution *execution, const struct plan_launch *launch,
                    struct trace_kernel *kernel, struct error *err)
{
    const struct sim_hooks hooks = {.progress = on_progress, .data = execution};
    struct row *row = add_row(execution, launch, trace_kernel_header(kernel), err);
    if (row == NULL)
        return -1;
    if (execution->flush != 0 && !execution->first)
        sim_flush(execution->sim, execution->flush, false);
    execution->first = false;
    int result = sim_launch(execution->sim, kernel, &hooks, &row->result, err);
    if (result == 0 && !row->result.stopped) {
        progress_launched(execution->progress, row->result.counters.warp_insts);
        limits_launched(&execution->limits, &row->result);
        take_notes(execution, kernel);
        return 0;
    }
    results_drop(execution->results); /* unfinished: not a result */
    return result;
}

static int run_launch(struct execution *execution, const struct plan_launch *launch,
                      struct error *err)
{
    const struct launch *known = launches_find(execution->launches, launch->name);
    progress_launch(execution->progress, known != NULL ? known->warps : 0);
    struct trace_kernel *kernel = trace_kernel_open(launch->path, NULL, err);
    if (kernel == NULL)
        return -1;
    int result = simulate(execution, launch, kernel, err);
    trace_kernel_close(kernel);
    return result;
}

static int run_item(struct execution *execution, const struct plan_item *item,
                    struct error *err)
{
    if (item->kind == PLAN_SEGMENT) {
        sim_reset(execution->sim);
        begin_segment(execution, item->text);
        return 0;
    }
    if (execution->segments == 0)
        begin_segment(execution, NULL);
    if (item->kind == PLAN_LAUNCH)
        return run_launch(execution, &item->launch, err);
    if (item->kind == PLAN_FLUSH)
        sim_flush(execution->sim, item->flush.levels, item->flush.drop);
    else if (item->kind == PLAN_COPY && !item->copy.to_host)
        sim_copy(execution->sim, item->copy.address, item->copy.bytes);
    return 0;
}

/* Whether the item that left RESULT and now ROWS more rows was carried out to
 * its end: a launch that was stopped leaves none. */
static bool finished(const struct plan_item *item, int result, size_t rows)
{
    return result == 0 && (item->kind != PLAN_LAUNCH || rows > 0);
}

int execute(struct execution *execution, struct error *err)
{
    _Static_assert(PLAN_L1 == (int)SIM_L1 && PLAN_L2 == (int)SIM_L2, "levels are handed on");
    int result = 0;
    const struct plan *plan = execution->plan;
    execution->stop_reason = NULL;
    for (execution->done = 0; execution->done < plan->count; execution->done++) {
        const struct plan_item *item = &plan->items[execution->done];
        size_t rows = execution->results->count;
        if (execution->skip[execution->done])
            continue;
        if (execution->stop_reason == NULL)
            execution->stop_reason = reason_to_stop(execution, NULL);
        if (execution->stop_reason != NULL)
            break;
        result = run_item(execution, item, err);
        if (result < 0)
            execution->stop_reason = "error";
        if (!finished(item, result, execution->results->count - rows))
            break;
    }
    if (execution->stop_reason == NULL)
        execution->stop_reason = "end";
    progress_clear(execution->progress);
    return result;
}
