/* Loops that wait: how often they turn is up to the model. */
#include "sim/core/modern/async/async_parts.h"

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

void async_note_poll(struct modern *core, uint32_t number, const struct inst *inst,
                     const struct trace_record *record)
{
    poll_loop_note(&core->async->warps[number].loop, inst, record,
                   core->warps[number].trace->addresses);
}

bool core_async_skips(struct modern *core, uint32_t number, const struct inst *last)
{
    if (core->async == NULL)
        return false;
    struct async_warp *warp = &core->async->warps[number];
    const struct modern_warp *next = &core->warps[number];
    if (poll_loop_repeats(&warp->loop, core_next_of(next), last, &next->next,
                          next->trace->addresses))
        return true;
    uint32_t op = core_next_of(next)->issue.async;
    if (op == ASYNC_REGISTERS_TAKE)
        warp->skips = warp->taken_at == core_next_of(next)->pc + 1;
    else if (op == ASYNC_WAIT && next->next.mask != 0)
        warp->skips = has_passed(core, number, &next->next);
    else if (op != ASYNC_WAIT && op != ASYNC_SLEEP)
        warp->skips = false;
    return warp->skips;
}
