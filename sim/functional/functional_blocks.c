/* The blocks of a functional launch: which SM holds which. */
#include "sim/functional/functional.h"

static bool has_place(void *data, uint32_t sm)
{
    const struct functional *launch = data;
    return launch->sms[sm].blocks < launch->occupancy.blocks &&
           warp_order_has_come(&launch->warp_order, launch->sms[sm].next_block);
}

/* Also if the block begins later. */
static bool has_room(void *data, uint32_t sm)
{
    const struct functional *launch = data;
    return launch->sms[sm].blocks < launch->occupancy.blocks;
}

/* ---- when an SM gets blocks ---- */

/* SM has a place: it gets a block now, or is called when it may. */
static void offer(struct functional *launch, struct functional_sm *sm)
{
    if (warp_order_has_come(&launch->warp_order, sm->next_block)) {
        launch->offers = true;
    } else if (!sm->called && launch->given < launch->blocks) {
        sm->called = true;
        warp_order_call(&launch->warp_order, sm->number, sm->next_block);
    }
}

void functional_offer_place(struct functional *launch, uint32_t number)
{
    struct functional_sm *sm = &launch->sms[number];
    sm->called = false;
    if (sm->blocks < launch->occupancy.blocks)
        offer(launch, sm);
}

/* SM gets a block, after which it has to wait for the next one as in set_next_block() of
 * sim/core/block.c. Returns the cycle in which the block's first warp begins. */
static uint64_t take_turn(struct functional *launch, struct functional_sm *sm)
{
    const struct sm_spec *spec = &launch->sim->engine.spec.sm;
    uint64_t now = warp_order_later(sm->next_block, launch->warp_order.now);
    uint32_t waited = sm->next_block == now ? sm->waits : 0;
    bool first_wave = ++sm->given < launch->occupancy.blocks;
    uint32_t interval = first_wave ? spec->block_interval + spec->block_interval_warp *
                                                                launch->occupancy.block_warps
                                   : spec->block_turnaround;
    sm->next_block = interval != 0 ? now - waited + interval : 0;
    sm->waits = 0;
    return now + (waited < spec->block_start ? spec->block_start - waited : 0);
}

/* A block has left SM, which was full: see await_turn() there. */
static void await_turn(const struct functional *launch, struct functional_sm *sm)
{
    const struct engine *engine = &launch->sim->engine;
    uint32_t sweep = engine->spec.sm.sweep;
    uint64_t from = warp_order_later(sm->next_block, launch->warp_order.now);
    if (sweep == 0)
        return;
    sm->waits = (uint32_t)((engine->sms[sm->number]->turn + sweep - from % sweep) % sweep);
    sm->next_block = from + sm->waits;
}

/* ---- giving blocks ---- */

/* What the hook makes of the next block. */
static enum sim_block_choice ask(const struct functional *launch,
                                 const struct trace_block *block, uint32_t number)
{
    uint64_t cycles;
    if (launch->hooks == NULL || launch->hooks->block_begins == NULL)
        return SIM_BLOCK_RUN;
    const struct sim_block about = {
        .order = launch->given,
        .index = {block->index[0], block->index[1], block->index[2]},
        .sm = number,
        .trace = block,
    };
    return launch->hooks->block_begins(launch->hooks->data, &about, &cycles);
}

static void leave_out(struct functional *launch, uint64_t blocks)
{
    launch->left_out += blocks;
    launch->given += blocks;
    launch->ended += blocks;
}

/* Takes the next block that is not left out: 1 with *BLOCK, 0 when there are no more, -1 on
 * error. */
static int take_block(struct functional *launch, uint32_t number, struct trace_block **block)
{
    while (launch->given < launch->blocks) {
        *block = block_reader_take(launch->reader, launch->err);
        if (*block == NULL)
            return -1;
        enum sim_block_choice choice = ask(launch, *block, number);
        if (choice == SIM_BLOCK_RUN || choice == SIM_BLOCK_WARM ||
            choice == SIM_BLOCK_TIMED_WARM)
            return 1;
        launch->ended_early = choice == SIM_BLOCK_END;
        leave_out(launch, launch->ended_early ? launch->blocks - launch->given : 1);
        trace_block_release(*block);
    }
    return 0;
}

/* Gives the next block to a free place of an SM. */
static int give_block(void *data, uint32_t number)
{
    struct functional *launch = data;
    struct functional_sm *sm = &launch->sms[number];
    struct trace_block *block;
    uint32_t slot = 0, warps = launch->occupancy.block_warps;
    int taken = take_block(launch, number, &block);
    if (taken <= 0)
        return taken;
    while (sm->places[slot].block != NULL)
        slot++;
    sm->places[slot] = (struct functional_block){.block = block, .left = block->warp_count};
    sm->blocks++;
    launch->free--;
    launch->given++;
    uint64_t begin = take_turn(launch, sm);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        sm->warps[slot * warps + w] = &block->warps[w];
        sm->sub_cores |= 1u << (slot * warps + w) % launch->sim->engine.spec.sm.schedulers;
        sm->loads[slot * warps + w] = (struct functional_loads){0};
        warp_order_wait(&launch->warp_order, functional_warp_id(sm, slot * warps + w),
                        begin + (uint64_t)w * launch->sim->engine.spec.sm.warp_interval);
    }
    if (sm->blocks < launch->occupancy.blocks)
        offer(launch, sm);
    return launch->free != 0 && launch->given < launch->blocks;
}

int functional_give_blocks(struct functional *launch)
{
    const struct block_order_taker begin = {has_room, give_block, launch},
                                   taker = {has_place, give_block, launch};
    if (block_order_begin(&launch->block_order, &begin) != 0)
        return -1;
    while (launch->offers && launch->free != 0 && launch->given < launch->blocks) {
        uint64_t before = launch->given;
        if (block_order_round(&launch->block_order, &taker) != 0)
            return -1;
        launch->offers = launch->given != before;
    }
    return 0;
}

/* Lets the warps in place SLOT of SM go on if all have come to a barrier. */
static void pass_barrier(struct functional *launch, struct functional_sm *sm, uint32_t slot)
{
    struct functional_block *place = &sm->places[slot];
    struct warp_order *order = &launch->warp_order;
    uint32_t first = slot * launch->occupancy.block_warps;
    if ((uint32_t)__builtin_popcount(place->waiting) != place->left)
        return;
    for (uint32_t waiting = place->waiting; waiting != 0; waiting &= waiting - 1) {
        uint32_t number = first + (uint32_t)__builtin_ctz(waiting);
        warp_order_wait(order, functional_warp_id(sm, number),
                        warp_order_later(place->reached, order->now));
    }
    place->waiting = 0;
    place->reached = 0;
}

void functional_reach_barrier(struct functional *launch, struct functional_sm *sm,
                              uint32_t number, uint64_t cycle)
{
    uint32_t slot = number / launch->occupancy.block_warps;
    struct functional_block *place = &sm->places[slot];
    place->waiting |= UINT32_C(1) << number % launch->occupancy.block_warps;
    place->reached = warp_order_later(place->reached, cycle);
    pass_barrier(launch, sm, slot);
}

void functional_end_warp(struct functional *launch, struct functional_sm *sm, uint32_t number)
{
    uint32_t slot = number / launch->occupancy.block_warps;
    struct functional_block *place = &sm->places[slot];
    if (--place->left != 0) {
        pass_barrier(launch, sm, slot);
        return;
    }
    launch->coming[0] = launch->coming[1] = NULL; /* they may belong to the block */
    trace_block_release(place->block);
    place->block = NULL;
    if (sm->blocks-- == launch->occupancy.blocks)
        await_turn(launch, sm);
    launch->ended++;
    launch->free++;
    offer(launch, sm);
}

void functional_release_blocks(struct functional *launch)
{
    for (uint32_t s = 0; s < launch->sim->engine.spec.sms; s++)
        for (uint32_t slot = 0; slot < launch->occupancy.blocks; slot++)
            trace_block_release(launch->sms[s].places[slot].block);
}
