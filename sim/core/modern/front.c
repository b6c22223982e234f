/* The instruction buffers of warps. A sub-core fetches one instruction a cycle, and decodes it
 * in the next; what has been decoded waits in the buffer of its warp. Each instruction that
 * issues makes room for one. After a jump, the buffer fills again from its new place; the
 * caller knows when the first one is there. Source: "Dissecting and Modeling the Architecture
 * of Modern GPU Cores" (MICRO 2025), section 5.2: three entries, without which a warp cannot
 * issue in every cycle. */
#include "sim/core/modern/core.h"

#define STAGES 2  /* from the fetch of an instruction until it can issue */
#define AHEAD  64 /* cycles for which fetches are planned */

/* Takes the first free fetch of SUB in FROM or later. */
static uint64_t fetch(struct modern_sub_core *sub, uint64_t now, uint64_t from)
{
    uint64_t shift = now - sub->fetch_base, at = from - now;
    sub->fetch_used = shift < AHEAD ? sub->fetch_used >> shift : 0;
    sub->fetch_base = now;
    while (at < AHEAD && (sub->fetch_used >> at & 1))
        at++;
    if (at < AHEAD)
        sub->fetch_used |= 1ull << at;
    return now + at;
}

void core_refill(struct modern *core, uint32_t number, uint64_t first)
{
    struct modern_warp *warp = &core->warps[number];
    warp->buffer_head = 0;
    for (uint32_t i = 0; i < core->spec->buffer; i++)
        warp->decoded[i] = first + i;
}

uint64_t core_refetch(struct modern *core, uint32_t number, uint64_t first)
{
    struct modern_warp *warp = &core->warps[number];
    struct modern_sub_core *sub = &core->subs[number % core->sm.spec->schedulers];
    uint64_t from = first > core->sm.now + STAGES ? first - STAGES : core->sm.now + 1;
    warp->buffer_head = 0;
    for (uint32_t i = 0; i < core->spec->buffer; i++) {
        from = fetch(sub, core->sm.now, from) + 1;
        warp->decoded[i] = from - 1 + STAGES;
    }
    return warp->decoded[0];
}

uint64_t core_take_decoded(struct modern *core, uint32_t number)
{
    struct modern_warp *warp = &core->warps[number];
    struct modern_sub_core *sub = &core->subs[number % core->sm.spec->schedulers];
    uint64_t *room = &warp->decoded[warp->buffer_head];
    *room = fetch(sub, core->sm.now, core->sm.now + 1) + STAGES;
    if (++warp->buffer_head == core->spec->buffer)
        warp->buffer_head = 0;
    return warp->decoded[warp->buffer_head];
}
