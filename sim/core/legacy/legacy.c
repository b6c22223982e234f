#include "sim/core/legacy/legacy.h"

#include <string.h>

#include "sim/core/pool.h"
#include "sim/core/wheel.h"

/* ---- instructions in flight ---- */

static bool grow_ops(struct legacy *core)
{
    void *ops = core->ops;
    bool grown = pool_grow(&ops, &core->op_count, &core->free_op, sizeof *core->ops,
                           offsetof(struct sm_op, next));
    core->ops = ops;
    return grown;
}

uint16_t legacy_new_op(struct legacy *core)
{
    if (core->free_op == SM_NONE && !grow_ops(core))
        memory_short(); /* issue has seen that there are numbers left */
    uint16_t index = core->free_op;
    core->free_op = core->ops[index].next;
    return index;
}

void legacy_free_op(struct legacy *core, uint16_t index)
{
    if (core->free_op == SM_NONE)
        core->issue_stuck = 0;
    core->ops[index].next = core->free_op;
    core->free_op = index;
}

uint32_t legacy_oldest(const struct legacy *core, const uint16_t *registers, uint32_t full)
{
    uint32_t best = (uint32_t)__builtin_ctz(full);
    for (full &= full - 1; full != 0; full &= full - 1) {
        uint32_t slot = (uint32_t)__builtin_ctz(full);
        if (core->ops[registers[slot]].age < core->ops[registers[best]].age)
            best = slot;
    }
    return best;
}

void legacy_leave(struct legacy *core, uint32_t warp)
{
    core->warps[warp].in_pipeline--;
    legacy_settle(core, warp);
}

/* ---- life ---- */

static bool make_readers(struct legacy *core)
{
    core->readers = calloc(core->sm.spec->warps, sizeof *core->readers);
    return core->readers != NULL;
}

/* ---- hooks of warp schedulers for events ---- */

static void tell_issued(struct sm_observer *observer, struct sm *sm, uint32_t number,
                        const struct sm_op *op)
{
    const struct legacy *core = (const struct legacy *)sm;
    if (sm->spec->scheduler->issued != NULL)
        sm->spec->scheduler->issued(legacy_scheduler_state(core, op->scheduler), op->warp);
}

static void tell_retired(struct sm_observer *observer, struct sm *sm, uint32_t warp,
                         uint32_t block)
{
    const struct legacy *core = (const struct legacy *)sm;
    if (sm->spec->scheduler->retired != NULL)
        sm->spec->scheduler->retired(legacy_scheduler_state(core, warp % sm->spec->schedulers),
                                     warp);
}

/* As an observer, so that schedulers without such a hook cost nothing. */
static void observe_for_schedulers(struct legacy *core)
{
    static const struct sm_observer_hooks hooks = {.issued = tell_issued,
                                                   .retired = tell_retired};
    const struct warp_scheduler *policy = core->sm.spec->scheduler;
    core->scheduler_observer.hooks = &hooks;
    if (policy->issued != NULL || policy->retired != NULL)
        sm_observers_add(&core->sm.observers, &core->scheduler_observer);
}

static bool init(struct sm *sm)
{
    struct legacy *core = (struct legacy *)sm;
    const struct sm_spec *spec = sm->spec;
    core->spec = spec->own;
    core->free_op = SM_NONE;
    memset(core->wheel, 0xff, sizeof core->wheel);
    for (uint32_t w = 0; w < spec->warps; w++)
        core->scheduler_warps[w % spec->schedulers] |= 1ull << w;
    observe_for_schedulers(core);
    core->scheduler_states = calloc(spec->schedulers, spec->scheduler->state_size + 1);
    return load_store_init(&core->load_store) && grow_ops(core) &&
           core->scheduler_states != NULL &&
           (core->spec->readers_max == 0 || make_readers(core)) &&
           (!spec->cpi_stack || legacy_stalls_create(core));
}

static void finish(struct sm *sm)
{
    struct legacy *core = (struct legacy *)sm;
    load_store_finish(&core->load_store);
    free(core->scheduler_states);
    free(core->readers);
    free(core->ops);
}

static void reset(struct sm *sm)
{
    struct legacy *core = (struct legacy *)sm;
    memset(core->scheduler_states, 0, sm->spec->schedulers * sm->spec->scheduler->state_size);
    core->last_fetched = 0;
    core->turn = 0;
    core->fetched = -1;
    load_store_reset(&core->load_store);
    memset(core->dispatch_last, 0, sizeof core->dispatch_last);
    memset(core->units, 0, sizeof core->units);
}

static void begin(struct sm *sm)
{
    struct legacy *core = (struct legacy *)sm;
    core->first_cycle = sm->now + 1;
    core->collect_stuck = false;
    core->issue_stuck = 0;
}

/* Turns stand still until the next launch. */
static void end_launch(struct sm *sm, uint64_t last)
{
    struct legacy *core = (struct legacy *)sm;
    core->turn = (uint32_t)((core->turn + last + 1 - core->first_cycle) % sm->spec->schedulers);
}

static void scatter(struct sm *sm, uint32_t mix)
{
    struct legacy *core = (struct legacy *)sm;
    const struct warp_scheduler *policy = sm->spec->scheduler;
    core->turn = mix % sm->spec->schedulers;
    core->last_fetched = (mix >> 4) % sm->spec->warps;
    for (uint32_t s = 0; policy->scatter != NULL && s < sm->spec->schedulers; s++)
        policy->scatter(legacy_scheduler_state(core, s),
                        (mix >> (8 + 2 * s)) % sm->spec->warps);
}

/* A warp whose block has just come, or has been given and comes later. */
static void start_warp(struct legacy *core, uint32_t number)
{
    if (core->sm.spec->block_start == 0 && core->warps[number].waits_since < core->sm.now) {
        core->fetchable |= 1ull << number;
        return;
    }
    core->starting |= 1ull << number;
    core->awaiting_code |= 1ull << number;
    core->warps[number].code_ready =
        core->warps[number].waits_since + core->sm.spec->block_start + 1;
}

static void take_block(struct sm *sm, uint32_t slot)
{
    struct legacy *core = (struct legacy *)sm;
    struct sm_block *block = &sm->blocks[slot];
    uint32_t first = (uint32_t)__builtin_ctzll(block->warps);
    block->live = block->running = (uint16_t)block->trace->warp_count;
    for (uint32_t w = 0; w < block->trace->warp_count; w++) {
        struct trace_warp *trace = &block->trace->warps[w];
        uint32_t number = first + w;
        core->view.age[number] = core->next_age++;
        core->warps[number] = (struct legacy_warp){.trace = trace,
                                                   .insts = block->launch->insts,
                                                   .slot = (uint8_t)block->launch->slot,
                                                   .block = (uint8_t)slot,
                                                   .left = trace->total,
                                                   .waits_since = block->about.begin};
        if (trace->total != 0)
            start_warp(core, number);
        else
            legacy_end_warp(core, number);
    }
}

/* ---- time ---- */

/* Prefetches into the host's caches what the replies after the oldest will need in L1. */
static void expect_replies(const struct legacy *core)
{
    const struct queue *replies = &core->sm.replies;
    if (replies->count > 2 && queue_at(replies, 2)->packet.kind == PACKET_READ) {
        cache_expect_fill(&core->sm.l1, &queue_at(replies, 2)->packet);
        __builtin_prefetch(&core->ops[queue_at(replies, 2)->packet.op], 1);
    }
    if (replies->count > 1 && queue_at(replies, 1)->packet.kind == PACKET_READ)
        cache_expect_line(&core->sm.l1, &queue_at(replies, 1)->packet);
}

static void take_replies(struct legacy *core)
{
    for (uint32_t i = 0; i < core->sm.spec->port_sectors && sm_can_take_reply(&core->sm); i++) {
        expect_replies(core);
        sm_take_reply(&core->sm, core->last_moved);
        core->moved = true;
    }
}

static bool cycle(struct sm *sm)
{
    struct legacy *core = (struct legacy *)sm;
    core->moved = false;
    core->wake = UINT64_MAX;
    if (core->sm.timed_end <= core->sm.now) {
        sm_end_timed(&core->sm);
        core->moved = true;
    }
    take_replies(core);
    legacy_write_back(core);
    legacy_execute(core);
    legacy_collect(core);
    legacy_issue(core);
    sm_tell_passed(&core->sm, 1);
    legacy_fetch(core);
    if (core->moved)
        core->last_moved = core->sm.now;
    return core->moved;
}

/* After a cycle in which nothing moved: the next one in which anything can. */
static uint64_t next_cycle(const struct sm *sm)
{
    const struct legacy *core = (const struct legacy *)sm;
    uint64_t next = sm_earlier(load_store_next(core), core->wake);
    next = sm_earlier(next, sm_next(sm));
    if (core->wheel_count != 0)
        next = sm_earlier(next, wheel_next(core->wheel_bits, LEGACY_WHEEL / 64, sm->now));
    return next;
}

/* CYCLES would be as the last one was. */
static void skip(struct sm *sm, uint64_t cycles)
{
    load_store_skip((struct legacy *)sm, cycles);
    sm_tell_passed(sm, cycles);
}

static bool run(struct sm *sm, uint64_t end, bool yield)
{
    static const struct sm_steps steps = {cycle, next_cycle, skip};
    return sm_run_cycles(sm, &steps, end, yield);
}

static bool stuck(const struct sm *sm)
{
    const struct legacy *core = (const struct legacy *)sm;
    return !core->moved && next_cycle(sm) == UINT64_MAX;
}

/* ---- reports ---- */

static const char *reason(const struct legacy *core, uint32_t number)
{
    const struct {
        uint64_t warps;
        const char *waits_for;
    } reasons[] = {
        {core->ended, core->warps[number].stores ? "its stores to be acknowledged"
                                                 : "its last instructions"},
        {core->waiting_barrier, "the other warps at the barrier"},
        {core->waiting_membar, "its loads at a memory barrier"},
        {core->waiting_atomic, "its atomics"},
        {core->waiting_copy, "its asynchronous copies"},
        {core->hazard, "a register"},
        {core->awaiting_code, "the instruction cache"},
        {core->awaiting_constant, "a constant cache"},
        {core->buffered, "a free unit"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].warps >> number & 1)
            return reasons[i].waits_for;
    return "its next instructions";
}

static bool describe_warp(const struct sm *sm, uint32_t number, struct core_warp *state)
{
    const struct legacy *core = (const struct legacy *)sm;
    const struct legacy_warp *warp = &core->warps[number];
    if (warp->trace == NULL)
        return false;
    *state = (struct core_warp){
        .block = &sm->blocks[warp->block],
        .trace = warp->trace,
        .waits_for = reason(core, number),
        .since = warp->waits_since,
        .has_next = warp->at < warp->buffered,
        .next_inst = warp->buffer[warp->at % 2].inst,
    };
    return true;
}

/* A miss of L1, and a sector past L1, for each sector that the port takes. */
static uint32_t sends(const struct sm_spec *spec)
{
    return 2 * spec->port_sectors;
}

const struct core_model core_model_legacy = {
    .policy = {"legacy", NULL,
               "the SM of GPGPU-Sim and Accel-Sim 1.x: operand collectors, "
               "scoreboards, a perfect front end unless asked for"},
    .size = sizeof(struct legacy),
    .spec_size = sizeof(struct legacy_spec),
    .specify = legacy_specify,
    .sends = sends,
    .init = init,
    .finish = finish,
    .reset = reset,
    .begin = begin,
    .end = end_launch,
    .scatter = scatter,
    .take_block = take_block,
    .run = run,
    .stuck = stuck,
    .warp = describe_warp,
    .stall = legacy_stall,
    .serialize = legacy_serialize,
};
