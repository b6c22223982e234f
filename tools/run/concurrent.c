/* Executes launches of different streams concurrently. */
#include <stdlib.h>

#include "tools/run/running.h"
#include "traces/base/process/host.h"

/* A launch that has begun. */
struct opened {
    struct trace_kernel *kernel; /* NULL: the launch has ended */
    size_t item;                 /* of the plan */
    uint64_t warps;
};

/* The launches that run concurrently. */
struct side_by_side {
    struct running *running;
    struct opened *opened; /* in the order of the plan, like their rows */
    size_t count;
    size_t first_row; /* of the first */
    size_t at, end;   /* items that have not begun */
    struct sim_result sum;
    struct error *error; /* of the segment */
};

static struct row *row_of(const struct side_by_side *side, size_t number)
{
    return &side->running->segment->rows.items[side->first_row + number];
}

bool running_overlaps(const struct plan_item *item)
{
    return item->kind == PLAN_LAUNCH && item->launch.mode != PLAN_FUNCTIONAL;
}

/* The first item after the next launches that may overlap. */
static size_t end_of_launches(const struct running *running)
{
    const struct execution *execution = running->execution;
    size_t end = running->segment->done;
    while (end < running->segment->end &&
           (execution->skip[end] || running_overlaps(&execution->plan->items[end])))
        end++;
    return end;
}

static int on_next(void *data, struct trace_kernel **kernel, struct error *err)
{
    struct side_by_side *side = data;
    const struct execution *execution = side->running->execution;
    while (side->at < side->end && execution->skip[side->at])
        side->at++;
    if (side->at == side->end)
        return 0;
    const struct plan_launch *launch = &execution->plan->items[side->at].launch;
    const struct trace_kernel_options options = {
        .memory_only = launch->mode != PLAN_DETAILED,
        .workload = execution->workload,
    };
    *kernel = trace_kernel_open(launch->path, &options, err);
    if (*kernel == NULL)
        return -1;
    side->opened[side->count++] = (struct opened){
        .kernel = *kernel, .item = side->at++, .warps = running_warps(side->running, launch)};
    side->running->progress.warps += side->opened[side->count - 1].warps;
    if (running_add_row(side->running, launch, trace_kernel_header(*kernel)) != NULL)
        return 1;
    trace_kernel_close(*kernel);
    side->count--;
    return -1;
}

static void add_result(struct sim_result *sum, const struct sim_result *result)
{
    if (sum->end_cycle == 0 || result->start_cycle < sum->start_cycle)
        sum->start_cycle = result->start_cycle;
    if (result->end_cycle > sum->end_cycle)
        sum->end_cycle = result->end_cycle;
    sim_counters_add(&sum->counters, &result->counters);
}

static void on_ended(void *data, struct trace_kernel *kernel, const struct sim_result *result)
{
    struct side_by_side *side = data;
    size_t number = 0;
    while (side->opened[number].kernel != kernel)
        number++;
    struct opened *opened = &side->opened[number];
    struct progress_launch ended;
    row_of(side, number)->result = *result;
    if (!row_keep(row_of(side, number), side->running->sim))
        error_no_memory(side->error);
    add_result(&side->sum, result);
    running_take_notes(&row_of(side, number)->notes, kernel);
    trace_kernel_close(kernel);
    opened->kernel = NULL;
    side->running->progress.warps -= opened->warps;
    progress_launch(&ended, side->running->execution->progress, opened->warps);
    progress_launched(&ended, result->counters.warp_insts);
}

static bool on_progress(void *data, const struct sim_progress *now)
{
    struct side_by_side *side = data;
    struct sim_progress rest = *now; /* without the launches that have ended */
    rest.warp_insts -= side->sum.counters.warp_insts;
    rest.blocks_done -= side->sum.counters.blocks;
    rest.blocks -= side->sum.counters.blocks;
    progress_show(&side->running->progress, &rest);
    return !running_must_stop(side->running, now);
}

/* Drops the first unfinished launch and all that follow it. */
static void keep_finished(struct side_by_side *side)
{
    struct segment *segment = side->running->segment;
    size_t kept = 0;
    while (kept < side->count && side->opened[kept].kernel == NULL)
        kept++;
    segment->done = kept < side->count ? side->opened[kept].item : side->at;
    while (segment->rows.count > side->first_row + kept)
        rows_drop(&segment->rows);
    for (size_t i = kept; i < side->count; i++)
        trace_kernel_close(side->opened[i].kernel);
    side->count = kept;
}

/* Divides the time of concurrent launches among them by their warp instructions. */
static void share_time(const struct side_by_side *side, double seconds)
{
    double insts = (double)side->sum.counters.warp_insts;
    for (size_t i = 0; i < side->count && insts > 0; i++) {
        struct row *row = row_of(side, i);
        row->seconds = seconds * (double)row->result.counters.warp_insts / insts;
    }
}

static void tell_rows(const struct side_by_side *side)
{
    const struct execution *execution = side->running->execution;
    for (size_t i = 0; execution->launched != NULL && i < side->count; i++)
        execution->launched(execution->data, row_of(side, i));
}

/* Returns true if all were simulated to their end. */
static bool simulate(struct side_by_side *side)
{
    struct running *running = side->running;
    struct execution *execution = running->execution;
    const struct sim_overlap overlap = {
        .next = on_next,
        .ended = on_ended,
        .progress = on_progress,
        .data = side,
        .flush_l1 = execution->flush & SIM_L1,
    };
    bool stopped;
    sim_flush(running->sim, execution->flush, false);
    progress_launch(&running->progress, execution->progress, 0);
    double began = host_seconds();
    int status = sim_run_overlapped(running->sim, &overlap, &stopped, side->error);
    progress_drop(&running->progress);
    keep_finished(side);
    share_time(side, host_seconds() - began);
    tell_rows(side);
    if (run_limits_any(&execution->limits))
        run_limits_launched(&execution->limits, &side->sum);
    return status == 0 && !stopped && side->error->kind == ERROR_NONE;
}

/* States can only be saved, and resumed from, when no launch runs: the rows are written
 * together. */
static void keep_all(const struct side_by_side *side)
{
    for (size_t i = 0; i < side->count; i++)
        running_add_to_journal(side->running, row_of(side, i), side->opened[i].item);
    running_save_state(side->running, side->end);
}

bool running_overlap(struct running *running)
{
    struct segment *segment = running->segment;
    struct side_by_side side = {
        .running = running,
        .first_row = segment->rows.count,
        .at = segment->done,
        .end = end_of_launches(running),
        .error = &segment->error,
    };
    side.opened = calloc(side.end - side.at + 1, sizeof *side.opened);
    if (side.opened == NULL) {
        error_no_memory(side.error);
        return false;
    }
    bool finished = simulate(&side);
    if (finished) {
        keep_all(&side);
        segment->done = side.end;
    }
    free(side.opened);
    return finished;
}
