/* Thread blocks on an SM: from the block scheduler's hand to their end. */
#include <stdlib.h>

#include "sim/core/sm.h"

/* The first free place, as the reference takes it. */
static uint32_t free_slot(const struct sm *sm)
{
    uint32_t slot = 0;
    while (sm->blocks[slot].trace != NULL || sm->blocks[slot].timed)
        slot++;
    return slot;
}

/* The first free warp slots for a block of WARPS, which begins at a multiple of its size
 * (shader_core_ctx::find_available_hwtid() of GPGPU-Sim); UINT32_MAX: none. */
static uint32_t free_warps(const struct sm *sm, uint32_t warps)
{
    uint64_t mask = warps < 64 ? (1ull << warps) - 1 : ~0ull;
    for (uint32_t first = 0; first + warps <= sm->spec->warps; first += warps)
        if ((sm->warps_used & mask << first) == 0)
            return first;
    return UINT32_MAX;
}

static bool room_for(const struct sm *sm, const struct sm_needs *needs)
{
    const struct sm_spec *spec = sm->spec;
    return sm->blocks_used == 0 || (sm->used.warps + needs->warps <= spec->warps &&
                                    sm->used.regs + needs->regs <= spec->regs &&
                                    sm->used.shmem + needs->shmem <= spec->shmem);
}

void sm_set_least(struct sm *sm, const struct sm_needs *least)
{
    sm->least = *least;
    sm->place = room_for(sm, least);
}

bool sm_fits(const struct sm *sm, const struct sm_launch *launch)
{
    if (sm->blocks_used >= sm->blocks_max || sm->next_block >= sm->now)
        return false;
    return !sm->shared ||
           (room_for(sm, &launch->needs) && free_warps(sm, launch->needs.warps) != UINT32_MAX);
}

/* L1 gets what LAUNCH leaves of the unified memory, when nothing else is in the SM. */
static void take_empty(struct sm *sm, const struct sm_launch *launch)
{
    bool other = sm->last_launch != 0 && sm->last_launch != launch->number;
    if (other)
        sm->blocks_given = 0;
    sm->last_launch = launch->number;
    if (!sm->spec->l1_enabled)
        return;
    if (launch->l1_ways != sm->l1.tags.spec.ways || (other && sm->flush_l1))
        tags_clear(&sm->l1.tags, launch->l1_ways);
    sm->l1.allocate_on_fill = launch->l1_on_fill;
}

/* When the SM, which was given a block of LAUNCH at the end of NOW, may get the next one. */
static void set_next_block(struct sm *sm, const struct sm_launch *launch, uint64_t now)
{
    const struct sm_spec *spec = sm->spec;
    uint32_t warps = launch->needs.warps;
    bool first_wave = ++sm->blocks_given < launch->blocks_max && sm->place;
    bool clusters = launch->cluster > 1 && spec->cluster_interval != 0;
    uint64_t interval = !first_wave ? spec->block_turnaround
                        : clusters  ? spec->cluster_interval
                                    : spec->block_interval + spec->block_interval_warp * warps;
    sm->next_block = interval > 0 ? now + interval : 0;
}

/* Takes the first free place, for a block that is described. Returns it. */
static struct sm_block *use_place(struct sm *sm, const struct sm_launch *launch, uint64_t now)
{
    struct sm_block *block = &sm->blocks[free_slot(sm)];
    const struct sm_needs *needs = &launch->needs;
    uint64_t mask = needs->warps < 64 ? (1ull << needs->warps) - 1 : ~0ull;
    if (sm->shared && sm->blocks_used == 0)
        take_empty(sm, launch);
    if (sm->blocks_used++ == 0)
        sm->active_since = now;
    *block = (struct sm_block){.launch = launch, .warps = mask << free_warps(sm, needs->warps)};
    sm->warps_used |= block->warps;
    sm->used.warps += needs->warps;
    sm->used.regs += needs->regs;
    sm->used.shmem += needs->shmem;
    sm->place = !sm->shared || room_for(sm, &sm->least);
    block->waited = sm->next_block == now ? sm->waits : 0;
    sm->waits = 0;
    set_next_block(sm, launch, now - block->waited);
    return block;
}

/* The SM was full. Another block comes when the dispatcher looks at its GPC next, and begins as
 * if it had come at once. */
static void await_turn(struct sm *sm)
{
    uint32_t sweep = sm->spec->sweep;
    uint64_t from = sm->next_block > sm->now ? sm->next_block : sm->now;
    if (sweep == 0)
        return;
    sm->waits = (uint32_t)((sm->turn + sweep - from % sweep) % sweep);
    sm->next_block = from + sm->waits;
}

static void leave_place(struct sm *sm, struct sm_block *block)
{
    const struct sm_needs *needs = &block->launch->needs;
    sm->warps_used &= ~block->warps;
    sm->used.warps -= needs->warps;
    sm->used.regs -= needs->regs;
    sm->used.shmem -= needs->shmem;
    free(block->cluster);
    *block = (struct sm_block){0};
    if (sm->blocks_used-- == sm->blocks_max)
        await_turn(sm);
    if (sm->blocks_used == 0)
        sm->stats.active_cycles += sm->now - sm->active_since;
    sm->place = !sm->shared || room_for(sm, &sm->least);
}

uint32_t sm_take_block(struct sm *sm, const struct sm_launch *launch, struct trace_block *trace,
                       uint64_t order, uint64_t now)
{
    struct sm_block *block = use_place(sm, launch, now);
    block->trace = trace;
    block->about = (struct sm_ended){
        .order = order,
        .index = {trace->index[0], trace->index[1], trace->index[2]},
        .begin = now,
    };
    uint32_t slot = (uint32_t)(block - sm->blocks);
    sm_tell_block_taken(sm, slot);
    sm->model->take_block(sm, slot);
    return slot;
}

void sm_take_timed(struct sm *sm, const struct sm_launch *launch, const uint32_t index[3],
                   uint64_t order, uint64_t cycles, uint64_t now)
{
    uint64_t end = now + (cycles != 0 ? cycles : 1);
    struct sm_block *block = use_place(sm, launch, now);
    block->timed = true;
    block->about = (struct sm_ended){
        .order = order,
        .index = {index[0], index[1], index[2]},
        .begin = now,
        .end = end,
    };
    if (end < sm->timed_end)
        sm->timed_end = end;
}

void sm_let_go(const struct sm *sm, struct sm_block *block)
{
    struct sm_report *report = &block->launch->reports[sm->number];
    if (block->let_go)
        return;
    block->let_go = true;
    report->let_go++;
    report->last_go = sm->now;
}

void sm_end_block(struct sm *sm, uint32_t slot)
{
    struct sm_block *block = &sm->blocks[slot];
    const struct sm_launch *launch = block->launch;
    block->about.end = sm->now;
    sm_tell_block_ended(sm, slot);
    if (block->timed) /* as if all its warps had stayed */
        sm->stats.warp_cycles += launch->needs.warps * (sm->now - block->about.begin);
    else
        SHARES_ADD(sm, launch->slot, blocks, 1);
    sm_let_go(sm, block);
    launch->reports[sm->number].ended++;
    launch->reports[sm->number].last_end = sm->now;
    trace_block_release(block->trace);
    leave_place(sm, block);
    sm->last_end = sm->now;
}

void sm_end_timed(struct sm *sm)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t slot = 0; slot < SM_MAX_BLOCKS; slot++) {
        if (!sm->blocks[slot].timed)
            continue;
        if (sm->blocks[slot].about.end <= sm->now)
            sm_end_block(sm, slot);
        else if (sm->blocks[slot].about.end < next)
            next = sm->blocks[slot].about.end;
    }
    sm->timed_end = next;
}

/* ---- clusters ---- */

const struct sm_block *sm_member(const struct sm *sm, const struct cluster_member *to)
{
    const struct sm_block *block = &sm->blocks[to->block];
    return block->trace != NULL && (uint32_t)block->about.order == (uint32_t)to->order ? block
                                                                                       : NULL;
}

void sm_send_message(struct sm *sm, const struct cluster_message *message)
{
    if (sm->messages.count == sm->messages.room) {
        uint32_t room = sm->messages.room != 0 ? 2 * sm->messages.room : 16;
        void *grown = realloc(sm->messages.all, room * sizeof *sm->messages.all);
        if (grown == NULL)
            memory_short();
        sm->messages.all = grown;
        sm->messages.room = room;
    }
    sm->messages.all[sm->messages.count++] = *message;
}

void sm_hear(struct sm *sm, const struct cluster_message *message)
{
    const struct sm_block *block = sm_member(sm, &message->to);
    if (block != NULL && block->launch->number == message->launch)
        sm->model->hear(sm, message);
}
