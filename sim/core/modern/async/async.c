#include "sim/core/modern/async/async.h"

#include <stdlib.h>
#include <string.h>

#include "sim/core/modern/async/async_parts.h"

/* ---- memory ---- */

static struct async *make(void)
{
    struct async *async = calloc(1, sizeof *async);
    if (async == NULL)
        memory_short();
    else {
        async->next = UINT64_MAX;
        async->free_transfer = async->send_first = async->send_last = ASYNC_NOBODY;
    }
    return async;
}

struct async *async_of(struct modern *core)
{
    if (core->async == NULL)
        core->async = make();
    return core->async;
}

struct async_block *async_block_of(struct modern *core, uint32_t number)
{
    struct async *async = async_of(core);
    struct async_block **block = &async->blocks[number];
    if (*block == NULL && (*block = calloc(1, sizeof **block)) == NULL)
        memory_short();
    if ((*block)->serial == 0)
        (*block)->serial = ++async->serial;
    return *block;
}

void *async_grow(void *array, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room != 0 ? 2 * *room : 16;
    void *grown = realloc(array, *room * size);
    if (grown == NULL)
        memory_short();
    return grown;
}

/* ---- life ---- */

static void follow_values(struct modern *core, uint32_t number)
{
    const struct sm_block *block = &core->sm.blocks[core->warps[number].block];
    struct async_warp *warp = &async_of(core)->warps[number];
    if (warp->values == NULL && (warp->values = malloc(sizeof *warp->values)) == NULL)
        memory_short();
    uint32_t first = (uint32_t)__builtin_ctzll(block->warps);
    values_begin(warp->values, block->launch->header, block->about.index, number - first);
    warp->follows = true;
}

void core_async_begin(struct modern *core, uint32_t number)
{
    if (core->async != NULL) {
        struct async_warp *warp = &core->async->warps[number];
        warp->follows = warp->skips = warp->waited = false;
        warp->loop = (struct poll_loop){.polls = false};
        warp->passed_count = 0;
        warp->cluster = 0;
        warp->groups = 0;
        warp->registers = warp->taken_at = 0;
    }
    if (core_launch_of(core, &core->warps[number])->makes_barriers &&
        core->spec->async.barrier != 0)
        follow_values(core, number);
}

void core_async_end_block(struct modern *core, uint32_t number)
{
    async_leave_cluster(core, number);
    if (core->async == NULL || core->async->blocks[number] == NULL)
        return;
    struct async_block *block = core->async->blocks[number];
    struct barriers barriers = block->barriers;
    barriers.count = 0;
    *block = (struct async_block){.barriers = barriers};
}

void core_async_finish(struct modern *core)
{
    struct async *async = core->async;
    if (async == NULL)
        return;
    for (uint32_t w = 0; w < SM_MAX_WARPS; w++)
        free(async->warps[w].values);
    for (uint32_t b = 0; b < SM_MAX_BLOCKS; b++) {
        if (async->blocks[b] != NULL)
            barriers_finish(&async->blocks[b]->barriers);
        free(async->blocks[b]);
    }
    free(async->waits);
    free(async->requests);
    free(async->groups);
    free(async->transfers);
    free(async->actions);
    free(async);
}

/* ---- time ---- */

void async_plan(struct modern *core, uint32_t block, const struct async_action *action)
{
    struct async *async = async_of(core);
    async->actions = async_grow(async->actions, async->action_count, &async->action_room,
                                sizeof *async->actions);
    struct async_action *planned = &async->actions[async->action_count++];
    *planned = *action;
    planned->block = (uint8_t)block;
    planned->serial = async_block_of(core, block)->serial;
    if (planned->cycle <= core->sm.now)
        planned->cycle = core->sm.now + 1;
    if (planned->cycle < async->next)
        async->next = planned->cycle;
}

void async_go_on(struct modern *core, uint32_t warp, uint64_t cycle)
{
    async_plan(
        core, core->warps[warp].block,
        &(struct async_action){.cycle = cycle, .what = ASYNC_GO_ON, .warp = (uint8_t)warp});
}

static void go_on(struct modern *core, uint32_t warp)
{
    core->async->waiting_product &= ~(1ull << warp);
    core->async->waiting_cluster &= ~(1ull << warp);
    core->async->waiting_registers &= ~(1ull << warp);
    core->async->waiting_stores &= ~(1ull << warp);
    core->async->waiting_pause &= ~(1ull << warp);
    core_place(core, warp);
}

static void act(struct modern *core, const struct async_action *action)
{
    switch (action->what) {
    case ASYNC_AT_BARRIER:
        async_at_barrier(core, action);
        break;
    case ASYNC_CHECK:
        async_check(core, action->wait);
        break;
    case ASYNC_FIRST_BYTES:
        async_first_bytes(core, action);
        break;
    case ASYNC_LAST_BYTES:
        async_last_bytes(core, action);
        break;
    case ASYNC_CLUSTER_OPENS:
        async_cluster_opens(core, action->block);
        break;
    case ASYNC_CLUSTER_MEETS:
    case ASYNC_CLUSTER_LEAVES:
        async_meet(core, action);
        break;
    default:
        go_on(core, action->warp);
    }
}

/* Takes the earliest of the actions that are due, in the order in which they were planned. */
static bool take_due(struct modern *core, struct async_action *due)
{
    struct async *async = core->async;
    for (uint32_t i = 0; i < async->action_count; i++) {
        if (async->actions[i].cycle > core->sm.now)
            continue;
        *due = async->actions[i];
        memmove(&async->actions[i], &async->actions[i + 1],
                (--async->action_count - i) * sizeof *async->actions);
        return true;
    }
    return false;
}

void core_async_cycle(struct modern *core)
{
    struct async *async = core->async;
    struct async_action due;
    if (async == NULL || async->next > core->sm.now)
        return;
    core->moved = true;
    while (take_due(core, &due))
        if (async_block_of(core, due.block)->serial == due.serial)
            act(core, &due);
    async->next = UINT64_MAX;
    for (uint32_t i = 0; i < async->action_count; i++)
        if (async->actions[i].cycle < async->next)
            async->next = async->actions[i].cycle;
}

/* ---- issue ---- */

void async_unknown(struct modern *core, uint32_t warp)
{
    SHARES_ADD(&core->sm, core->warps[warp].slot, unknown_waits, 1);
}

struct trace_async async_asked(const struct modern *core, uint32_t warp,
                               const struct inst *inst, const struct trace_record *record)
{
    struct trace_extras extras;
    if (!trace_record_extras(record, core->warps[warp].trace->addresses, &extras))
        return (struct trace_async){0};
    return trace_async_decode(&inst->form, &extras);
}

/* The registers that INST writes, at most. */
static uint32_t written(const struct inst *inst)
{
    if (inst->issue.unit == UNIT_TENSOR)
        return inst->issue.sums;
    bool pair = inst->issue.flow == FLOW_WIDE || inst->issue.unit == UNIT_FP64;
    return inst->width > 4 ? inst->width / 4u : pair ? 2 : 1;
}

void core_async_issue(struct modern *core, uint32_t warp, const struct inst *inst,
                      const struct trace_record *record)
{
    const struct async *async = async_of(core);
    if (inst->issue.async == ASYNC_POLL || inst->issue.async == ASYNC_WAIT ||
        async->warps[warp].loop.polls)
        async_note_poll(core, warp, inst, record);
    if (inst->issue.unit == UNIT_MEMORY)
        core->async->warps[warp].waited = inst->issue.async == ASYNC_WAIT;
    if (record->mask != 0) {
        switch (inst->issue.async) {
        case ASYNC_PRODUCT:
            async_product(core, warp, inst);
            break;
        case ASYNC_PRODUCT_WAIT:
            async_product_wait(core, warp, inst);
            break;
        case ASYNC_LOAD:
            async_load(core, warp, inst, record);
            break;
        case ASYNC_SHARE:
            async_share(core, warp, inst, record);
            break;
        case ASYNC_PREFETCH:
            async_prefetch(core, warp, inst, record);
            break;
        case ASYNC_CLUSTER_ARRIVE:
            async_cluster_arrive(core, warp);
            break;
        case ASYNC_CLUSTER_WAIT:
            async_cluster_wait(core, warp);
            break;
        case ASYNC_LAUNCH_LETS:
            sm_let_go(&core->sm, &core->sm.blocks[core->warps[warp].block]);
            break;
        case ASYNC_LAUNCH_WAIT:
            async_launch_wait(core, warp);
            break;
        case ASYNC_PAUSE:
            async_pause_warp(core, warp, inst, record);
            break;
        case ASYNC_REGISTERS_GIVE:
            async_registers_give(core, warp, inst);
            break;
        case ASYNC_REGISTERS_TAKE:
            async_registers_take(core, warp, inst);
            break;
        default:
            break;
        }
    }
    if (async->warps[warp].follows)
        values_execute(async->warps[warp].values, inst->code, record->mask, inst->dst[0],
                       inst->dst_count != 0 ? written(inst) : 0);
}

/* Whether what block NUMBER waits for may come from elsewhere. */
static bool may_hear(const struct modern *core, uint32_t number, bool all)
{
    return !all && async_cluster_of(core, number) != NULL;
}

/* Lets the first warp pass that waits for products, its cluster or registers. */
static bool release_held(struct modern *core, bool all)
{
    uint64_t held = core_async_held(core->async) &
                    ~(core->async->waiting_launch | core->async->waiting_pause);
    for (; held != 0; held &= held - 1) {
        uint32_t warp = (uint32_t)__builtin_ctzll(held);
        if (may_hear(core, core->warps[warp].block, all))
            continue;
        go_on(core, warp);
        return true;
    }
    return false;
}

bool core_async_release(struct modern *core, bool all)
{
    struct async *async = core->async;
    if (async == NULL || async->moving != 0 || core->waiting_code != 0 ||
        core->store_count != 0)
        return false; /* what comes from memory may end it */
    for (uint32_t w = 0; w < core->sm.spec->warps; w++)
        if (core->warps[w].loads != 0)
            return false;
    for (uint32_t i = 0; i < async->wait_count; i++) {
        if (async->waits[i].inst == NULL || may_hear(core, async->waits[i].block, all))
            continue;
        async->waits[i].count = 0;
        async_check(core, i);
        return true;
    }
    return release_held(core, all);
}
