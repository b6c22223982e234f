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

static void use_place(struct sm *sm, uint64_t now)
{
    if (sm->blocks_used++ == 0)
        sm->active_since = now;
}

void sm_take_block(struct sm *sm, struct trace_block *trace, uint64_t order, uint64_t now)
{
    uint32_t slot = free_slot(sm);
    sm->blocks[slot] = (struct sm_block){
        .trace = trace,
        .about = {.order = order,
                  .index = {trace->index[0], trace->index[1], trace->index[2]},
                  .begin = now},
        .live = (uint16_t)trace->warp_count,
        .running = (uint16_t)trace->warp_count,
    };
    use_place(sm, now);
    for (uint32_t w = 0; w < trace->warp_count; w++) {
        uint32_t number = slot * sm->block_warps + w;
        uint64_t bit = 1ull << number;
        sm->warps[number] = (struct sm_warp){.trace = &trace->warps[w],
                                             .block = (uint8_t)slot,
                                             .left = trace->warps[w].total,
                                             .age = sm->next_age++,
                                             .waits_since = now};
        if (trace->warps[w].total != 0)
            sm->fetchable |= bit;
        else
            sm_end_warp(sm, number);
    }
}

void sm_take_timed(struct sm *sm, const uint32_t index[3], uint64_t order, uint64_t cycles,
                   uint64_t now)
{
    uint64_t end = now + (cycles != 0 ? cycles : 1);
    sm->blocks[free_slot(sm)] = (struct sm_block){
        .about = {.order = order,
                  .index = {index[0], index[1], index[2]},
                  .begin = now,
                  .end = end},
        .timed = true,
    };
    use_place(sm, now);
    if (end < sm->timed_end)
        sm->timed_end = end;
}

/* Keeps what an observer wants to know; without memory it is not told. */
static void keep(struct sm *sm, const struct sm_ended *about)
{
    if (sm->log_count == sm->log_size) {
        uint32_t size = sm->log_size ? 2 * sm->log_size : 16;
        struct sm_ended *log = realloc(sm->log, size * sizeof *log);
        if (log == NULL)
            return;
        sm->log = log;
        sm->log_size = size;
    }
    sm->log[sm->log_count++] = *about;
}

void sm_end_block(struct sm *sm, uint32_t slot)
{
    struct sm_block *block = &sm->blocks[slot];
    block->about.end = sm->now;
    if (sm->observed)
        keep(sm, &block->about);
    if (block->timed) /* as if all its warps had stayed */
        sm->stats.warp_cycles += sm->block_warps * (sm->now - block->about.begin);
    else
        sm->stats.blocks++;
    trace_block_release(block->trace);
    *block = (struct sm_block){0};
    if (--sm->blocks_used == 0)
        sm->stats.active_cycles += sm->now - sm->active_since;
    sm->blocks_ended++;
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
    sm->moved = true;
}
