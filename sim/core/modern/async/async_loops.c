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

/* The longest sleep of PTX, in nanoseconds. */
#define PAUSE_MOST 1000000

/* What the lanes of RECORD ask for, in nanoseconds, at most; 0: not known. */
static uint32_t pause_of(const struct async_warp *warp, const struct inst *inst,
                         const struct trace_record *record)
{
    uint32_t reg, value, most = 0;
    if (inst->imm != 0 || inst->code == NULL)
        return inst->imm;
    if (async_pause(inst->code, &reg))
        return reg;
    for (uint32_t rest = record->mask; rest != 0 && warp->follows; rest &= rest - 1)
        if (values_lane(warp->values, reg, (uint32_t)__builtin_ctz(rest), &value) &&
            value > most)
            most = value;
    return most;
}

void async_pause_warp(struct modern *core, uint32_t number, const struct inst *inst,
                      const struct trace_record *record)
{
    struct async *async = core->async;
    struct async_warp *warp = &async->warps[number];
    if (warp->loop.polls || warp->waited)
        return; /* what it has waited for has come */
    uint64_t asked = pause_of(warp, inst, record);
    asked = asked < PAUSE_MOST ? asked : PAUSE_MOST;
    uint64_t cycles = asked * core->spec->async.pause / 1000;
    if (cycles == 0)
        return;
    async->waiting_pause |= 1ull << number;
    async_go_on(core, number, core->sm.now + cycles);
}

bool core_async_skips(struct modern *core, uint32_t number)
{
    if (core->async == NULL)
        return false;
    struct async_warp *warp = &core->async->warps[number];
    const struct modern_warp *next = &core->warps[number];
    if (poll_loop_repeats(&warp->loop, core_next_of(next), &next->next, next->trace->addresses))
        return true;
    uint32_t op = core_next_of(next)->issue.async;
    if (op == ASYNC_REGISTERS_TAKE)
        warp->skips = warp->taken_at == core_next_of(next)->pc + 1;
    else if (op == ASYNC_WAIT && next->next.mask != 0)
        warp->skips = has_passed(core, number, &next->next);
    else if (op != ASYNC_WAIT && op != ASYNC_SLEEP && op != ASYNC_PAUSE)
        warp->skips = false;
    return warp->skips;
}
