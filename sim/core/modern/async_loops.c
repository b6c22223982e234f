/* Loops that wait: how often they turn is up to the model. */
#include "sim/core/modern/async_parts.h"

/* Whether the first lane of RECORD looks at what the last wait of the warp was for. */
static bool has_passed(const struct modern *core, uint32_t number,
                       const struct trace_record *record)
{
    const struct async_warp *warp = &core->async->warps[number];
    const struct trace_warp *trace = core->warps[number].trace;
    uint64_t address;
    uint32_t parity = 0;
    if (!coalesce_first(record, trace->addresses, &address))
        return false;
    const struct inst *inst = core_next_of(&core->warps[number]);
    const struct trace_async asks = async_asked(core, number, inst, record);
    bool known = asks.is_known;
    if (known)
        parity = asks.phase << 31;
    else
        known = warp->follows && inst->code != NULL &&
                values_lane(warp->values, (uint32_t)(inst->code->low >> 32) & 255,
                            (uint32_t)__builtin_ctz(record->mask), &parity);
    for (uint32_t i = 0; i < warp->passed_count; i++)
        if (warp->passed[i].address == (address & ASYNC_SHARED) &&
            (!known || warp->passed[i].parity == parity >> 31))
            return true;
    return false;
}

#define POLL_LOOP 256 /* bytes of code of a loop that polls, at most */

/* Whether the warp's next instruction is in a loop that reads memory, and nothing else, and has
 * read the same before. */
static bool polls_again(struct async_warp *warp, const struct modern_warp *next,
                        const struct inst *last)
{
    const struct inst *inst = core_next_of(next);
    uint64_t address;
    if (warp->poll_end != 0) {
        if (inst->pc >= warp->poll_begin && inst->pc <= warp->poll_end)
            return true;
        warp->poll_end = 0;
        warp->polls = false;
    }
    if (!warp->polls || last == NULL || inst->issue.async != ASYNC_POLL ||
        inst->pc != warp->poll_begin || last->pc <= inst->pc ||
        last->pc > inst->pc + POLL_LOOP ||
        !coalesce_first(&next->next, next->trace->addresses, &address) ||
        address != warp->polled)
        return false;
    warp->poll_end = last->pc;
    return true;
}

void async_note_poll(struct modern *core, uint32_t number, const struct inst *inst,
                     const struct trace_record *record)
{
    struct async_warp *warp = &core->async->warps[number];
    if (inst->issue.async != ASYNC_POLL) {
        warp->polls &= inst->issue.unit != UNIT_MEMORY;
        return;
    }
    warp->polls = coalesce_first(record, core->warps[number].trace->addresses, &warp->polled);
    warp->poll_begin = inst->pc;
}

bool core_async_skips(struct modern *core, uint32_t number, const struct inst *last)
{
    if (core->async == NULL)
        return false;
    struct async_warp *warp = &core->async->warps[number];
    const struct modern_warp *next = &core->warps[number];
    if (polls_again(warp, next, last))
        return true;
    uint32_t op = core_next_of(next)->issue.async;
    if (op == ASYNC_WAIT && next->next.mask != 0)
        warp->skips = has_passed(core, number, &next->next);
    else if (op != ASYNC_WAIT && op != ASYNC_SLEEP)
        warp->skips = false;
    return warp->skips;
}
