/* Launches of different streams that run at once. */
#include "sim/concurrent.h"
#include "sim/functional/compact_caches.h"
#include <stdlib.h>

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- the window ---- */

static struct dispatch_launch *launch_of(struct concurrent_launch *member)
{
    return &member->blocks;
}

static uint64_t stream_of(const struct concurrent_launch *member)
{
    return member->blocks.sm.header->stream;
}

/* Adds one more launch to the window. Returns 1, 0 if there are no more, or -1 with ERR. */
static int add_member(struct concurrent *group, struct error *err)
{
    struct trace_kernel *kernel;
    int got = group->calls->next(group->calls->data, &kernel, err);
    if (got <= 0)
        return got;
    struct concurrent_launch *member = calloc(1, sizeof *member);
    if (member == NULL)
        return error_no_memory(err);
    *group->tail = member;
    group->tail = &member->next;
    group->count++;
    member->kernel = kernel;
    member->follows =
        sim_overlaps_followers(group->sim->config) && trace_kernel_programmatic(kernel) == 1;
    if (!dispatch_launch_init(&member->blocks, &group->sim->engine, kernel, NULL, 0))
        return error_no_memory(err);
    return sim_occupancy(group->sim, kernel, &member->occupancy, err) == 0 ? 1 : -1;
}

static int fill_window(struct concurrent *group, struct error *err)
{
    while (group->more && group->count < group->slots) {
        int got = add_member(group, err);
        if (got < 0)
            return -1;
        group->more = got > 0;
    }
    return 0;
}

static void free_member(struct concurrent_launch *member)
{
    dispatch_launch_finish(&member->blocks);
    free(member);
}

static void drop_member(struct concurrent *group, struct concurrent_launch *member)
{
    struct concurrent_launch **link = &group->members;
    while (*link != member)
        link = &(*link)->next;
    *link = member->next;
    if (group->tail == &member->next)
        group->tail = link;
    group->count--;
    free_member(member);
}

/* The last earlier launch in the window that belongs to the stream of MEMBER; NULL: none. */
static const struct concurrent_launch *before(const struct concurrent *group,
                                              const struct concurrent_launch *member)
{
    const struct concurrent_launch *last = NULL;
    for (const struct concurrent_launch *m = group->members; m != member; m = m->next)
        if (stream_of(m) == stream_of(member))
            last = m;
    return last;
}

/* Whether all blocks of MEMBER have let the next launch begin, which is then after *LAST. */
static bool has_let_go(const struct concurrent *group, const struct concurrent_launch *member,
                       uint64_t *last)
{
    const struct dispatch_launch *blocks = &member->blocks;
    *last = blocks->start;
    return member->state == CONCURRENT_RUNS &&
           dispatch_let_go(&group->dispatch, blocks, last) == blocks->blocks;
}

/* Whether MEMBER, which waits, may start: at *CYCLE, or later where the launch before it has
 * let it start later. */
static bool may_start(const struct concurrent *group, const struct concurrent_launch *member,
                      uint64_t *cycle)
{
    const struct concurrent_launch *previous = before(group, member);
    uint64_t last;
    if (previous == NULL)
        return true;
    if (!member->follows || !has_let_go(group, previous, &last))
        return false;
    if (last + 1 > *cycle)
        *cycle = last + 1;
    return true;
}

static bool slot_used(const struct concurrent *group, uint32_t slot)
{
    for (const struct concurrent_launch *m = group->members; m != NULL; m = m->next)
        if (m->state != CONCURRENT_WAITS && m->blocks.sm.slot == slot)
            return true;
    return false;
}

/* Whether a launch that has started has blocks left to hand out. */
static bool hands_out(const struct concurrent *group)
{
    for (const struct concurrent_launch *m = group->members; m != NULL; m = m->next)
        if (m->state != CONCURRENT_WAITS && m->blocks.given < m->blocks.blocks)
            return true;
    return false;
}

/* MEMBER's blocks begin in the order in which they would alone, if no others are before them.
 */
static void start_member(struct concurrent *group, struct concurrent_launch *member,
                         uint64_t cycle)
{
    struct sim *sim = group->sim;
    uint32_t slot = 0;
    while (slot_used(group, slot))
        slot++;
    member->blocks.sm.slot = slot;
    if (!hands_out(group))
        sim_begin_order(sim, member->blocks.blocks, 0);
    bool beside = before(group, member) != NULL;
    uint64_t latency = beside ? sim->config->options.hearth_programmatic_latency : 0;
    member->blocks.sm.waits_until = beside ? UINT64_MAX : 0;
    member->blocks.start = cycle;
    member->first = cycle + (latency != 0 ? latency : launch_latency(sim, launch_of(member)));
    member->state = CONCURRENT_STARTED;
    group->blocks += member->blocks.blocks;
    launch_describe(sim, &member->blocks, &member->occupancy,
                    sim->engine.spec.sm.warps / member->occupancy.block_warps, member->first);
}

/* Starts the launches that may start at CYCLE, and those that others have let start. There is
 * a slot for each of the window. */
static void start_members(struct concurrent *group, uint64_t cycle)
{
    for (struct concurrent_launch *m = group->members; m != NULL; m = m->next) {
        uint64_t from = cycle;
        if (m->state == CONCURRENT_WAITS && may_start(group, m, &from))
            start_member(group, m, from);
    }
}

/* Starts launches that others have let start since the last step. */
static void start_followers(struct concurrent *group)
{
    for (struct concurrent_launch *m = group->members; m != NULL; m = m->next) {
        uint64_t from = 0;
        if (m->state == CONCURRENT_WAITS && m->follows && before(group, m) != NULL &&
            may_start(group, m, &from))
            start_member(group, m, from);
    }
}

/* ---- ends ---- */

static bool keep_going(const void *data)
{
    const struct concurrent *group = data;
    const struct sim_overlap *calls = group->calls;
    const struct engine *engine = &group->sim->engine;
    if (calls->progress == NULL)
        return true;
    struct sim_progress progress = {
        .cycle = engine->window_end - group->start,
        .warp_insts = engine_insts(engine) - group->insts_before,
        .blocks_done = group->blocks_ended,
        .blocks = group->blocks,
    };
    uint64_t unused = 0;
    for (const struct concurrent_launch *m = group->members; m != NULL; m = m->next)
        if (m->state == CONCURRENT_RUNS)
            progress.blocks_done += dispatch_ended(&group->dispatch, &m->blocks, &unused);
    return calls->progress(calls->data, &progress);
}

/* The launch of the stream of MEMBER that has begun to run beside it; NULL: none. */
static struct concurrent_launch *follower(const struct concurrent_launch *member)
{
    for (struct concurrent_launch *m = member->next; m != NULL; m = m->next)
        if (stream_of(m) == stream_of(member))
            return m->state != CONCURRENT_WAITS ? m : NULL;
    return NULL;
}

/* Whether MEMBER, which has ended, can leave the window, which is then in *LEFT or later: where
 * another one waits for its end, what it has sent must have arrived. Launches of a stream leave
 * in their order. */
static bool may_leave(const struct concurrent *group, const struct concurrent_launch *member,
                      uint64_t *left)
{
    uint64_t landed = 0;
    if (before(group, member) != NULL ||
        (follower(member) != NULL &&
         !engine_has_landed(&group->sim->engine, member->blocks.sm.slot, &landed)))
        return false;
    *left = later(*left, later(landed + 1, member->leaves_from));
    return true;
}

/* The launch that ended first, the cycle after its end, and the one in which what follows may
 * start; NULL if none has ended. */
static struct concurrent_launch *first_ended(const struct concurrent *group, uint64_t *end,
                                             uint64_t *left)
{
    struct concurrent_launch *first = NULL;
    uint64_t last;
    for (struct concurrent_launch *m = group->members; m != NULL; m = m->next) {
        if (!concurrent_has_ended(group, m, &last))
            continue;
        uint64_t ended = later(last + 1, m->ends_from), leaves = ended;
        if ((first == NULL || ended < *end) && may_leave(group, m, &leaves)) {
            first = m;
            *end = ended;
            *left = leaves;
        }
    }
    return first;
}

/* MEMBER has ended and leaves the window: the launch that has begun beside it need not wait for
 * it any more. */
static void tell_follower(const struct concurrent *group,
                          const struct concurrent_launch *member, uint64_t end, uint64_t left)
{
    struct concurrent_launch *next = follower(member);
    if (next == NULL)
        return;
    next->ends_from = end;
    next->leaves_from = left;
    next->blocks.sm.waits_until = left - 1 + group->sim->config->options.hearth_programmatic;
}

static void tell_member(struct concurrent *group, struct concurrent_launch *member,
                        uint64_t end)
{
    struct sim_result result;
    concurrent_count(group, member, end, &result);
    group->sim->now = later(group->sim->now, end);
    group->calls->ended(group->calls->data, member->kernel, &result);
}

/* What the launches have sent, the last of which has ended, arrives, and counts for that one.
 * Returns 1, 0 when the caller wants to stop, or -1 with ERR. */
static int settle(struct concurrent *group, uint64_t end, struct error *err)
{
    struct sim *sim = group->sim;
    uint64_t settled = group->now;
    int goes_on = sim_end_stores(sim, &settled, &group->patience, keep_going, group, err);
    if (goes_on <= 0)
        return goes_on;
    if (settled == group->now) /* the last stores were not on their way */
        settled = later(sim->now, end);
    group->settled = sim_end_posted(sim, settled);
    return 1;
}

/* Reports the launches that have ended, in order of time, and starts those that may now start.
 * Returns 1, 0 when the caller wants to stop, or -1 with ERR. */
static int end_members(struct concurrent *group, struct error *err)
{
    uint64_t end = 0, left = 0;
    int goes_on = 1;
    start_followers(group);
    struct concurrent_launch *member = first_ended(group, &end, &left);
    if (member != NULL)
        concurrent_end_idle(group);
    for (; member != NULL; member = first_ended(group, &end, &left)) {
        if (sim_check_end(member->kernel, err) != 0)
            return -1;
        /* The last launch also gets counts of earlier ones: find out whether this is the last.
         */
        if (group->count == 1 && fill_window(group, err) != 0)
            return -1;
        if (group->count == 1 && (goes_on = settle(group, end, err)) <= 0)
            return goes_on;
        tell_follower(group, member, end, left);
        tell_member(group, member, end);
        if (member->blocks.last_given > group->last_given)
            group->last_given = member->blocks.last_given;
        group->blocks_ended += member->blocks.blocks;
        dispatch_remove(&group->dispatch, &member->blocks);
        drop_member(group, member);
        if (fill_window(group, err) != 0)
            return -1;
        start_members(group, left);
    }
    return 1;
}

/* ---- time ---- */

static bool any_runs(const struct concurrent *group)
{
    for (const struct concurrent_launch *m = group->members; m != NULL; m = m->next)
        if (m->state == CONCURRENT_RUNS)
            return true;
    return false;
}

/* The cycle in which the next started launch begins to hand out blocks. */
static uint64_t next_first(const struct concurrent *group)
{
    uint64_t first = UINT64_MAX;
    for (const struct concurrent_launch *m = group->members; m != NULL; m = m->next)
        if (m->state == CONCURRENT_STARTED && m->first < first)
            first = m->first;
    return first;
}

/* SMs stand at the end of cycle FIRST: launches whose latency is over hand out blocks. */
static void begin_members(struct concurrent *group, uint64_t first)
{
    for (struct concurrent_launch *m = group->members; m != NULL; m = m->next) {
        if (m->state != CONCURRENT_STARTED || m->first != first)
            continue;
        m->state = CONCURRENT_RUNS;
        dispatch_add(&group->dispatch, &m->blocks);
    }
    dispatch_begin(&group->dispatch, first);
}

/* When the launch that starts first does so. */
static uint64_t next_start(const struct concurrent *group)
{
    uint64_t start = UINT64_MAX;
    for (const struct concurrent_launch *m = group->members; m != NULL; m = m->next)
        if (m->state == CONCURRENT_STARTED && m->blocks.start < start)
            start = m->blocks.start;
    return start;
}

/* Launches that have not begun start DELAY later. */
static void delay_starts(struct concurrent *group, uint64_t delay)
{
    for (struct concurrent_launch *m = group->members; m != NULL; m = m->next)
        if (m->state == CONCURRENT_STARTED) {
            m->blocks.start += delay;
            m->first += delay;
        }
}

/* With all SMs idle, goes to the cycle of the first launch's blocks at once. Returns 1, 0 when
 * the caller wants to stop, or -1 with ERR. */
static int pass_idle(struct concurrent *group, struct error *err)
{
    struct engine *engine = &group->sim->engine;
    uint64_t settled = group->now, start = next_start(group);
    int goes_on =
        sim_end_stores(group->sim, &settled, &group->patience, keep_going, group, err);
    if (goes_on <= 0)
        return goes_on;
    if (settled > group->now && settled > start) {
        delay_starts(group, settled - start);
        group->empty_since = settled;
    }
    start = next_start(group);
    uint64_t first = next_first(group);
    for (uint32_t s = 0; s < engine->spec.sms && group->now != 0; s++) {
        sm_end(engine->sms[s], group->last_given);
        sm_resume_shared(engine->sms[s], start);
    }
    engine_open(engine, first);
    group->now = first;
    group->patience.last_issue = engine->window_end;
    concurrent_begin_idle(group, group->empty_since, first);
    begin_members(group, first);
    return 1;
}

/* A launch that ends in a step, or lets others begin, starts others: SMs must not have run past
 * the cycle in which these hand out blocks, nor past that in which warps go on that wait for
 * its end. Few enough cycles for that up to END, if any launch can end in them and any other
 * waits.
 */
static uint64_t limit_step(const struct concurrent *group, uint64_t end)
{
    const struct sim *sim = group->sim;
    const struct sim_options *options = &sim->config->options;
    uint64_t starts = options->gpgpu_kernel_launch_latency + 1;
    uint64_t goes_on = options->hearth_programmatic;
    if (options->hearth_programmatic_latency != 0 &&
        options->hearth_programmatic_latency < starts)
        starts = options->hearth_programmatic_latency + 1;
    uint64_t first = next_first(group), most = UINT64_MAX;
    bool waits = group->more, may_end = false;
    if (first != UINT64_MAX && end > first + 1)
        end = first + 1;
    for (const struct concurrent_launch *m = group->members; m != NULL; m = m->next) {
        uint64_t left = m->blocks.blocks - m->blocks.given;
        waits |= m->state == CONCURRENT_WAITS;
        may_end |= m->state == CONCURRENT_RUNS &&
                   left <= sim->engine.spec.clusters * (end - group->now);
        if (m->state != CONCURRENT_WAITS && m->blocks.sm.waits_until == UINT64_MAX)
            most = goes_on;
    }
    if (waits && may_end && starts < most)
        most = starts;
    return end - group->now > most ? group->now + most : end;
}

/* At the end of a window: 1 to go on, 0 when the caller wants to stop. */
static int end_window(struct concurrent *group, struct error *err)
{
    struct sim *sim = group->sim;
    if (deadlock_found(sim, &group->patience))
        return deadlock_fail(sim, &group->patience, err);
    if (group->windows++ % PROGRESS_WINDOWS == PROGRESS_WINDOWS - 1 && !keep_going(group))
        return 0;
    engine_open(&sim->engine, sim->engine.window_end);
    return 1;
}

/* One step: 1 to go on, 0 when the caller wants to stop. */
static int step(struct concurrent *group, struct error *err)
{
    struct engine *engine = &group->sim->engine;
    uint64_t first = next_first(group);
    int goes_on = 1;
    if (!any_runs(group)) {
        goes_on = pass_idle(group, err);
    } else if (first + 1 == group->now) {
        concurrent_next_idle(group);
        begin_members(group, first);
    }
    if (goes_on > 0 && group->now == engine->window_end)
        goes_on = end_window(group, err);
    if (goes_on <= 0)
        return goes_on;
    uint64_t end = limit_step(group, engine_step(engine, group->now));
    if (dispatch_run(&group->dispatch, end, err) != 0)
        return -1;
    group->now = end;
    return end_members(group, err);
}

/* ---- from begin to end ---- */

static int begin_group(struct concurrent *group, struct error *err)
{
    struct sim *sim = group->sim;
    struct engine *engine = &sim->engine;
    if (!dispatch_init(&group->dispatch, engine, group->slots, true, &sim->last_turn,
                       sim->visit) ||
        !engine_share(engine, group->slots) || !concurrent_begin_counts(group))
        return error_no_memory(err);
    engine_clean(&sim->engine);
    group->start = sim->now;
    group->insts_before = group->patience.insts = engine_insts(engine);
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        sm_begin_shared(engine->sms[s], group->calls->flush_l1, sim->now);
    return 0;
}

static int run_group(struct concurrent *group, bool *stopped, struct error *err)
{
    struct sim *sim = group->sim;
    if (begin_group(group, err) != 0 || fill_window(group, err) != 0)
        return -1;
    start_members(group, sim->now);
    int goes_on = 1;
    while (goes_on > 0 && group->members != NULL)
        goes_on = step(group, err);
    if (goes_on <= 0) {
        *stopped = goes_on == 0;
        return goes_on;
    }
    for (uint32_t s = 0; s < sim->engine.spec.sms; s++)
        sm_end(sim->engine.sms[s], group->last_given);
    concurrent_end_counts(group);
    sim_wait_until(sim, group->settled);
    return 0;
}

static uint32_t slots_of(const struct sim *sim)
{
    uint32_t most = sim->config->options.gpgpu_max_concurrent_kernel;
    return most < ENGINE_MAX_SLOTS ? most : ENGINE_MAX_SLOTS;
}

int sim_run_overlapped(struct sim *sim, const struct sim_overlap *overlap, bool *stopped,
                       struct error *err)
{
    struct concurrent group = {
        .sim = sim, .calls = overlap, .slots = slots_of(sim), .more = true};
    group.tail = &group.members;
    *stopped = false;
    compact_caches_give(sim);
    int status = run_group(&group, stopped, err);
    if (status != 0 || *stopped)
        sim_reset(sim); /* blocks of launches are still in the SMs */
    while (group.members != NULL) {
        struct concurrent_launch *next = group.members->next;
        free_member(group.members);
        group.members = next;
    }
    dispatch_finish(&group.dispatch);
    concurrent_finish_counts(&group);
    return status;
}
