#include "tools/run/running_intra.h"

#include "tools/run/traced.h"

static enum sim_block_choice on_block(void *data, const struct sim_block *block,
                                      uint64_t *cycles)
{
    const struct running *running = data;
    return running->inside.block_begins(running->inside.data, block, cycles);
}

static void on_ended(void *data, const struct sim_block *block)
{
    const struct running *running = data;
    running->inside.block_ended(running->inside.data, block);
}

static void on_warp(void *data, const struct sim_block *block)
{
    const struct running *running = data;
    running->inside.warp_ended(running->inside.data, block);
}

static void on_basic(void *data, const struct sim_basic_block *basic)
{
    const struct running *running = data;
    running->inside.basic_block_ended(running->inside.data, basic);
}

static void on_results(void *data, uint8_t type, uint64_t count, uint64_t cycles)
{
    const struct running *running = data;
    running->inside.results_came(running->inside.data, type, count, cycles);
}

static void on_interval(void *data, const struct sim_interval *interval)
{
    const struct running *running = data;
    running->inside.interval_ended(running->inside.data, interval);
}

/* Gives the method the launch's blocks from the profile. */
static bool take_profile(struct running *running)
{
    if (running->profile == NULL)
        running->profile =
            block_profile_open(running->execution->intra_profile, &running->error);
    return running->profile != NULL &&
           intra_take_profile(running->intra, running->profile, running->row->launch,
                              &running->error) == 0;
}

/* Lets the method read LAUNCH before it runs. */
static bool read_ahead(struct running *running, const struct plan_launch *launch)
{
    if (!intra_wants_ahead(running->intra))
        return true;
    if (running->execution->intra_profile != NULL && intra_takes_profile(running->intra))
        return take_profile(running);
    struct trace_kernel *ahead =
        running_open(running, launch, (struct trace_kernel_options){0});
    bool good = ahead != NULL && intra_read_ahead(running->intra, ahead, &running->error) == 0;
    trace_kernel_close(ahead);
    return good;
}

/* Hands the hooks that the method wants on: HOOKS' data is the struct running. */
static void hand_on(const struct sim_hooks *inside, struct sim_hooks *hooks)
{
    hooks->block_begins = inside->block_begins != NULL ? on_block : NULL;
    hooks->block_ended = inside->block_ended != NULL ? on_ended : NULL;
    hooks->warp_ended = inside->warp_ended != NULL ? on_warp : NULL;
    hooks->basic_block_ended = inside->basic_block_ended != NULL ? on_basic : NULL;
    hooks->results_came = inside->results_came != NULL ? on_results : NULL;
    if (inside->interval_ended == NULL)
        return;
    hooks->interval_ended = on_interval;
    hooks->interval = inside->interval;
}

/* Adds the launch of ROW, which an earlier process has finished. */
static bool remember(struct running *running, const struct plan_launch *launch,
                     const struct row *row)
{
    struct intra_spec spec;
    if (launch->step->intra == NULL || row->intra == NULL)
        return true;
    if (intra_parse(&spec, launch->step->intra, &running->error) != 0)
        return false;
    if (!intra_compares(&spec))
        return true;
    struct trace_kernel *ahead =
        running_open(running, launch, (struct trace_kernel_options){0});
    bool good = ahead != NULL && intra_remember(&spec, running->sim, ahead, running->history,
                                                &row->result, &running->error) == 0;
    trace_kernel_close(ahead);
    return good;
}

/* What methods know of earlier launches: after a resumption, it is made again. */
static bool have_history(struct running *running)
{
    const struct execution *execution = running->execution;
    const struct segment *segment = running->segment;
    struct rows_pass pass = {.rows = &segment->rows};
    if (running->history != NULL)
        return true;
    running->history = intra_history_create();
    if (running->history == NULL)
        return error_no_memory(&running->error) == 0;
    for (size_t i = segment->begin; i < segment->done; i++) {
        if (execution->skip[i] || execution->plan->items[i].kind != PLAN_LAUNCH)
            continue;
        const struct row *row = rows_next(&pass);
        if (row != NULL && remember(running, &execution->plan->items[i].launch, row))
            continue;
        rows_leave(&pass);
        return false;
    }
    rows_leave(&pass);
    return true;
}

bool running_intra_begin(struct running *running, const struct plan_launch *launch,
                         const struct trace_kernel *kernel, struct sim_hooks *hooks)
{
    if (launch->step->intra == NULL)
        return true;
    if (intra_parse(&running->intra_spec, launch->step->intra, &running->error) != 0)
        return false;
    if (intra_compares(&running->intra_spec) && !have_history(running))
        return false;
    running->intra = intra_begin(&running->intra_spec, running->sim, kernel, running->history,
                                 &running->error);
    if (running->intra == NULL || !read_ahead(running, launch))
        return false;
    running->inside = (struct sim_hooks){.data = running->intra};
    intra_hook(running->intra, &running->inside);
    hand_on(&running->inside, hooks);
    return true;
}

static enum sim_block_choice on_warm_block(void *data, const struct sim_block *block,
                                           uint64_t *cycles)
{
    const struct running *running = data;
    return intra_warm_block(running->intra, block, cycles);
}

static bool on_warm_progress(void *data, const struct sim_progress *now)
{
    const struct running *running = data;
    (void)now;
    return !running_must_stop(running, NULL);
}

/* Lets the blocks from the first one that was left out on go through the caches. */
static bool warm(struct running *running, const struct plan_launch *launch)
{
    const struct sim_hooks hooks = {
        .progress = on_warm_progress, .block_begins = on_warm_block, .data = running};
    struct plan_launch rest = *launch;
    struct sim_result result = {0};
    rest.mode = PLAN_FUNCTIONAL;
    struct trace_kernel *kernel = running_open(running, &rest, traced_options(rest.mode));
    bool good = kernel != NULL &&
                sim_functional(running->sim, kernel, &hooks, &result, &running->error) == 0;
    trace_kernel_close(kernel);
    return good && !result.stopped;
}

bool running_intra_end(struct running *running, const struct plan_launch *launch)
{
    struct row *row = running->row;
    if (running->intra == NULL)
        return true;
    row->intra = intra_name(&running->intra_spec);
    row->result.start_cycle += running->shift;
    row->result.end_cycle += running->shift;
    if (intra_end(running->intra, &row->result, &row->outcome, &running->error) != 0)
        return false;
    uint64_t cycles = row->result.end_cycle - row->result.start_cycle;
    running->shift += cycles - row->outcome.cycles;
    return !intra_warms(&running->intra_spec) || !intra_skipped(running->intra) ||
           warm(running, launch);
}

void running_intra_finish(struct running *running)
{
    intra_destroy(running->intra);
    running->intra = NULL;
    running->inside = (struct sim_hooks){0};
}
