/* Executes launches of different streams concurrently. */
#include <stdlib.h>

#include "tools/run/running.h"
#include "tools/run/traced.h"
#include "traces/base/process/host.h"

/* A launch that has begun. */
struct opened {
    struct trace_kernel *kernel; /* NULL: the launch has ended */
    size_t item;                 /* of the plan */
    uint64_t warps;
    struct row *row; /* owned; NULL once it is in `rows` */
};

/* The launches that run concurrently. */
struct side_by_side {
    struct running *running;
    struct opened *opened; /* in the order of the plan */
    size_t count;
    struct rows rows; /* of the first launches, which have all ended */
    size_t at, end;   /* items that have not begun */
    bool followers;   /* only launches that follow each other */
    uint64_t last;    /* kernel id of the last one that has begun */
    uint64_t stream;
    struct sim_result sum;
    struct error *error; /* of the segment */
};

bool running_overlaps(const struct plan_item *item)
{
    return item->kind == PLAN_LAUNCH && item->launch.mode != PLAN_FUNCTIONAL;
}

/* The first item after the next launches that may overlap; of followers, the last ones may turn
 * out not to be. */
static size_t end_of_launches(const struct running *running)
{
    const struct execution *execution = running->execution;
    size_t end = running->segment->done;
    while (end < segment_end(running->segment) &&
           (execution->skip[end] || running_overlaps(&execution->plan->items[end])))
        end++;
    return end;
}

/* Begins the row of the launch in ITEM and counts it among those that run. */
static bool open_launch(struct side_by_side *side, struct trace_kernel *kernel, size_t item)
{
    struct running *running = side->running;
    const struct plan_launch *launch = &running->execution->plan->items[item].launch;
    struct row *row = malloc(sizeof *row);
    if (row == NULL) {
        error_no_memory(side->error);
        return false;
    }
    if (!running_begin_row(running, launch, trace_kernel_header(kernel), row)) {
        free(row);
        return false;
    }
    side->opened[side->count++] = (struct opened){
        .kernel = kernel, .item = item, .warps = running_warps(running, launch), .row = row};
    running->progress.warps += side->opened[side->count - 1].warps;
    return true;
}

/* Whether KERNEL may run beside the launch with kernel id ID of STREAM. */
static bool may_follow(const struct trace_kernel *kernel, uint64_t id, uint64_t stream)
{
    const struct trace_header *header = trace_kernel_header(kernel);
    return trace_kernel_programmatic(kernel) == 1 && header->id == id + 1 &&
           header->stream == stream;
}

/* Opens the trace of the next launch, in item AT. */
static struct trace_kernel *open_at(const struct side_by_side *side)
{
    const struct execution *execution = side->running->execution;
    return running_open(side->running, &execution->plan->items[side->at].launch,
                        (struct trace_kernel_options){0});
}

/* Whether KERNEL, the next one, is for these launches. */
static bool belongs(struct side_by_side *side, const struct trace_kernel *kernel)
{
    const struct trace_header *header = trace_kernel_header(kernel);
    if (side->followers && side->count != 0 && !may_follow(kernel, side->last, side->stream))
        return false;
    side->last = header->id;
    side->stream = header->stream;
    return true;
}

static int on_next(void *data, struct trace_kernel **kernel, struct error *err)
{
    struct side_by_side *side = data;
    const struct execution *execution = side->running->execution;
    while (side->at < side->end && execution->skip[side->at])
        side->at++;
    if (side->at == side->end)
        return 0;
    *kernel = open_at(side);
    if (*kernel == NULL)
        return -1;
    if (!belongs(side, *kernel)) {
        trace_kernel_close(*kernel);
        side->end = side->at;
        return 0;
    }
    if (open_launch(side, *kernel, side->at)) {
        side->at++;
        return 1;
    }
    trace_kernel_close(*kernel);
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

static void drop_row(struct opened *opened)
{
    if (opened->row != NULL)
        row_finish(opened->row);
    free(opened->row);
    opened->row = NULL;
}

/* Stores the rows of launches that have ended, as have all before them. */
static void keep_first(struct side_by_side *side)
{
    while (side->rows.count < side->count && side->opened[side->rows.count].kernel == NULL &&
           side->error->kind == ERROR_NONE) {
        struct opened *opened = &side->opened[side->rows.count];
        if (rows_add(&side->rows, opened->row, side->error) == 0)
            drop_row(opened);
    }
}

static void on_ended(void *data, struct trace_kernel *kernel, const struct sim_result *result)
{
    struct side_by_side *side = data;
    struct opened *opened = &side->opened[side->rows.count];
    while (opened->kernel != kernel)
        opened++;
    struct progress_launch ended;
    opened->row->result = *result;
    if (!row_keep(opened->row, side->running->sim))
        error_no_memory(side->error);
    add_result(&side->sum, result);
    traced_notes(&opened->row->notes, side->running->sim, kernel, &result->counters);
    trace_kernel_close(kernel);
    opened->kernel = NULL;
    side->running->progress.warps -= opened->warps;
    progress_launch(&ended, side->running->execution->progress, opened->warps);
    progress_launched(&ended, result->counters.warp_insts);
    keep_first(side);
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
static void drop_unfinished(struct side_by_side *side)
{
    size_t kept = side->rows.count;
    side->running->segment->done = kept < side->count ? side->opened[kept].item : side->at;
    for (size_t i = kept; i < side->count; i++) {
        trace_kernel_close(side->opened[i].kernel);
        drop_row(&side->opened[i]);
    }
    side->count = kept;
}

/* Hands the row of launch NUMBER over to the segment. Launches share SECONDS, the time of all,
 * by their warp instructions. JOURNAL: states can only be saved, and resumed from, when no
 * launch runs, so the journal gets all rows or none. Returns false with the segment's error
 * filled. */
static bool hand_over(const struct side_by_side *side, size_t number, double seconds,
                      bool journal)
{
    const struct running *running = side->running;
    const struct execution *execution = running->execution;
    double insts = (double)side->sum.counters.warp_insts;
    struct row row;
    if (!rows_read(&side->rows, number, &row))
        return row_store_check(side->rows.store, side->error) == 0;
    if (insts > 0)
        row.seconds = seconds * (double)row.result.counters.warp_insts / insts;
    bool added = rows_add(&running->segment->rows, &row, side->error) == 0;
    if (added && execution->launched != NULL)
        execution->launched(execution->data, &row);
    if (added && journal)
        running_add_to_journal(running, &row, side->opened[number].item);
    row_finish(&row);
    return added;
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
        .flush_l1 = execution->flush_l1,
    };
    bool stopped;
    sim_flush_start(running->sim);
    progress_launch(&running->progress, execution->progress, 0);
    double began = host_seconds();
    int status = sim_run_overlapped(running->sim, &overlap, &stopped, side->error);
    progress_drop(&running->progress);
    drop_unfinished(side);
    bool finished = status == 0 && !stopped && side->error->kind == ERROR_NONE;
    double seconds = host_seconds() - began;
    size_t handed = 0;
    while (handed < side->count && hand_over(side, handed, seconds, finished))
        handed++;
    if (handed < side->count)
        running->segment->done = side->opened[handed].item;
    if (run_limits_any(&execution->limits))
        run_limits_launched(&execution->limits, &side->sum);
    return finished && handed == side->count;
}

/* The first item from AT on that is not skipped; NULL: END comes before. */
static const struct plan_item *next_item(const struct execution *execution, size_t at,
                                         size_t end)
{
    while (at < end && execution->skip[at])
        at++;
    return at < end ? &execution->plan->items[at] : NULL;
}

/* Opens the trace of the launch in ITEM, and fills HEADER from it as far as numbers go. Returns
 * whether that is possible; what is wrong is told when the launch's turn comes. */
static bool look_at(struct running *running, const struct plan_item *item,
                    struct trace_header *header, bool *programmatic)
{
    struct error now = running->error;
    struct trace_kernel *kernel =
        running_open(running, &item->launch, (struct trace_kernel_options){0});
    running->error = now;
    if (kernel == NULL)
        return false;
    *header = *trace_kernel_header(kernel);
    *programmatic = trace_kernel_programmatic(kernel) == 1;
    trace_kernel_close(kernel);
    return true;
}

bool running_is_followed(struct running *running)
{
    const struct execution *execution = running->execution;
    const struct segment *segment = running->segment;
    const struct plan_item *item = &execution->plan->items[segment->done];
    const struct plan_item *next =
        next_item(execution, segment->done + 1, segment_end(segment));
    struct trace_header first, second;
    bool programmatic;
    if (next == NULL || item->kind != PLAN_LAUNCH || item->launch.mode != PLAN_DETAILED ||
        next->kind != PLAN_LAUNCH || next->launch.mode != PLAN_DETAILED)
        return false;
    return look_at(running, next, &second, &programmatic) && programmatic &&
           look_at(running, item, &first, &programmatic) && second.id == first.id + 1 &&
           second.stream == first.stream;
}

bool running_overlap(struct running *running)
{
    struct segment *segment = running->segment;
    struct side_by_side side = {
        .followers = !running->execution->overlap,
        .running = running,
        .rows.store = segment->rows.store,
        .at = segment->done,
        .end = end_of_launches(running),
        .error = &running->error,
    };
    side.opened = calloc(side.end - side.at + 1, sizeof *side.opened);
    if (side.opened == NULL) {
        error_no_memory(side.error);
        return false;
    }
    bool finished = simulate(&side);
    if (finished) {
        running_save_state(running, side.end);
        segment->done = side.end;
    }
    rows_finish(&side.rows);
    free(side.opened);
    return finished;
}
