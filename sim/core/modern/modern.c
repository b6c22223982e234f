#include "sim/core/modern/modern.h"

#include <stdlib.h>
#include <string.h>

#include "sim/core/modern/core.h"
#include "sim/core/modern/scoreboard.h"
#include "sim/core/pool.h"

/* ---- instructions with the load/store unit ---- */

static bool grow_ops(struct modern *core)
{
    void *ops = core->ops;
    bool grown = pool_grow(&ops, &core->op_count, &core->free_op, sizeof *core->ops,
                           offsetof(struct sm_op, next));
    core->ops = ops;
    return grown;
}

uint16_t core_new_op(struct modern *core)
{
    if (core->free_op == SM_NONE && !grow_ops(core))
        memory_short();
    uint16_t index = core->free_op;
    core->free_op = core->ops[index].next;
    return index;
}

void core_free_op(struct modern *core, uint16_t index)
{
    core->ops[index].next = core->free_op;
    core->free_op = index;
}

/* ---- life ---- */

static bool init(struct sm *sm)
{
    struct modern *core = (struct modern *)sm;
    const struct sm_spec *spec = sm->spec;
    core->spec = spec->own;
    core->free_op = core->free_event = SM_NONE;
    memset(core->wheel, 0xff, sizeof core->wheel);
    for (uint32_t w = 0; w < spec->warps; w++)
        core->subs[w % spec->schedulers].warps |= 1ull << w;
    core->scheduler_states = calloc(spec->schedulers, spec->scheduler->state_size + 1);
    return mio_init(&core->mio) && grow_ops(core) && core_make_events(core) &&
           core->scheduler_states != NULL && (!spec->cpi_stack || modern_stalls_create(core));
}

static void finish(struct sm *sm)
{
    struct modern *core = (struct modern *)sm;
    mio_finish(&core->mio);
    free(core->scheduler_states);
    free(core->scoreboard);
    core_async_finish(core);
    free(core->events);
    free(core->ops);
}

/* Sub-cores as at the beginning. */
static void reset_subs(struct modern *core)
{
    for (uint32_t s = 0; s < SM_MAX_SCHEDULERS; s++) {
        struct modern_sub_core *sub = &core->subs[s];
        *sub = (struct modern_sub_core){.warps = sub->warps};
    }
}

static void reset(struct sm *sm)
{
    struct modern *core = (struct modern *)sm;
    memset(core->scheduler_states, 0, sm->spec->schedulers * sm->spec->scheduler->state_size);
    reset_subs(core);
    core->barrier_free = 0;
    mio_reset(&core->mio);
}

static void scatter(struct sm *sm, uint32_t mix)
{
    struct modern *core = (struct modern *)sm;
    const struct warp_scheduler *policy = sm->spec->scheduler;
    core->mio.next_queue = mix % sm->spec->schedulers;
    for (uint32_t s = 0; policy->scatter != NULL && s < sm->spec->schedulers; s++)
        policy->scatter(core_scheduler_state(core, s), (mix >> (8 + 2 * s)) % sm->spec->warps);
}

/* From when BLOCK has come until its warps begin. */
static uint64_t start_latency(const struct sm *sm, const struct sm_block *block)
{
    uint32_t latency = sm->spec->block_start;
    return block->waited < latency ? latency - block->waited : 0;
}

static void take_block(struct sm *sm, uint32_t slot)
{
    struct modern *core = (struct modern *)sm;
    struct sm_block *block = &sm->blocks[slot];
    uint32_t first = (uint32_t)__builtin_ctzll(block->warps);
    uint64_t begin = block->about.begin + start_latency(sm, block) + FIRST_FETCH;
    block->live = block->running = (uint16_t)block->trace->warp_count;
    for (uint32_t w = 0; w < block->trace->warp_count; w++) {
        struct trace_warp *trace = &block->trace->warps[w];
        uint32_t number = first + w;
        core->view.age[number] = core->next_age++;
        core->warps[number] = (struct modern_warp){.trace = trace,
                                                   .insts = block->launch->insts,
                                                   .slot = (uint8_t)block->launch->slot,
                                                   .block = (uint8_t)slot,
                                                   .left = trace->total,
                                                   .waits_since = block->about.begin};
        core_forget_operands(core, number);
        if (core->scoreboard != NULL)
            scoreboard_begin(&core->scoreboard->warps[number]);
        core_async_begin(core, number);
        core_next_inst(core, number, begin + (uint64_t)w * sm->spec->warp_interval, NULL);
    }
}

/* ---- time ---- */

/* After a cycle in which nothing moved: the next one in which anything can. */
static uint64_t next_cycle(const struct sm *sm)
{
    const struct modern *core = (const struct modern *)sm;
    uint64_t next = sm_earlier(mio_next(core), core->wake);
    next = sm_earlier(next, sm_next(sm));
    next = sm_earlier(next, core_next_event(core));
    next = sm_earlier(next, core_async_next(core->async));
    if (core->async != NULL && core->async->waiting_launch != 0)
        next = sm_earlier(next, core_async_next_launch(core));
    next = sm_earlier(next, core_next_stalled(core));
    if (sm->spec->code.l2_latency != 0)
        next = sm_earlier(next, code_supply_next(&sm->code->supply));
    return next;
}

static bool cycle(struct sm *sm)
{
    struct modern *core = (struct modern *)sm;
    core->moved = false;
    core->wake = UINT64_MAX;
    if (core->sm.timed_end <= core->sm.now) {
        sm_end_timed(&core->sm);
        core->moved = true;
    }
    for (uint32_t i = 0; i < sm->spec->port_sectors && sm_can_take_reply(sm); i++) {
        sm_take_reply(sm, core->last_moved);
        core->moved = true;
    }
    if (sm->spec->code.l2_latency != 0)
        core_take_code(core);
    core_handle_events(core);
    if (core_async_next(core->async) <= core->sm.now)
        core_async_cycle(core);
    if (core->async != NULL && core->async->waiting_launch != 0)
        core_async_launches(core);
    mio_cycle(core);
    core_place_stalled(core);
    core_issue(core);
    sm_tell_passed(&core->sm, 1);
    if (core->done != 0)
        core_retire(core);
    if (!core->moved && core->async != NULL && next_cycle(sm) == UINT64_MAX &&
        mio_is_unused(&core->mio))
        core->moved = core_async_release(core, false);
    if (core->moved)
        core->last_moved = core->sm.now;
    return core->moved;
}

/* CYCLES would be as the last one was. */
static void skip(struct sm *sm, uint64_t cycles)
{
    mio_skip((struct modern *)sm, cycles);
    sm_tell_passed(sm, cycles);
}

static bool run(struct sm *sm, uint64_t end, bool yield)
{
    static const struct sm_steps steps = {cycle, next_cycle, skip};
    return sm_run_cycles(sm, &steps, end, yield);
}

static bool stuck(const struct sm *sm)
{
    const struct modern *core = (const struct modern *)sm;
    return !core->moved && next_cycle(sm) == UINT64_MAX;
}

static bool let_pass(struct sm *sm)
{
    return core_async_release((struct modern *)sm, true);
}

static bool storing(const struct sm *sm)
{
    const struct modern *core = (const struct modern *)sm;
    return core->store_count != 0 || core_async_moves(core->async);
}

/* ---- reports ---- */

static const char *reason(const struct modern *core, uint32_t number)
{
    const struct {
        uint64_t warps;
        const char *waits_for;
    } reasons[] = {
        {core->ended, "its last instructions"},
        {core->waiting_barrier, "the other warps at the barrier"},
        {core->waiting_membar, "its accesses at a memory barrier"},
        {core->waiting_copy, "its asynchronous copies"},
        {core_async_held(core->async),
         "products of its group of warps, its cluster, registers, earlier launches, stores of "
         "tensors, or the end of a sleep"},
        {core->waiting_counter, "a dependence counter"},
        {core->waiting_register, "a register"},
        {core->ready, "a free unit"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].warps >> number & 1)
            return reasons[i].waits_for;
    return "its next instructions";
}

static bool describe_warp(const struct sm *sm, uint32_t number, struct core_warp *state)
{
    const struct modern *core = (const struct modern *)sm;
    const struct modern_warp *warp = &core->warps[number];
    if (warp->trace == NULL)
        return false;
    *state = (struct core_warp){
        .block = &sm->blocks[warp->block],
        .trace = warp->trace,
        .waits_for = reason(core, number),
        .since = warp->waits_since,
        .has_next = warp->left != 0,
        .next_inst = warp->next.inst,
    };
    return true;
}

const struct core_model core_model_modern = {
    .policy = {"modern", NULL,
               "the SM of GPUs since Volta: control bits of the machine code, register file "
               "ports, memory queues of sub-cores"},
    .size = sizeof(struct modern),
    .spec_size = sizeof(struct modern_spec),
    .follows = true,
    .asks_for_code = true,
    .describe = units_describe,
    .specify = modern_specify,
    .sends = modern_sends,
    .init = init,
    .finish = finish,
    .reset = reset,
    .scatter = scatter,
    .take_block = take_block,
    .run = run,
    .stuck = stuck,
    .storing = storing,
    .hear = core_async_hear,
    .copies = core_async_copies,
    .let_pass = let_pass,
    .warp = describe_warp,
    .stall = modern_stall,
    .serialize = modern_serialize,
};
