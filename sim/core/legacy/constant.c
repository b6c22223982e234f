/* Constants, as an option. LDC looks up a line a cycle, from its issue on, and
 * takes as much longer as the last of its lines. An instruction with a constant
 * operand does not issue until that is there. */
#include "sim/core/legacy/legacy.h"

uint16_t legacy_constant_wait(struct legacy *core, const struct sm_op *op,
                              const struct trace_record *record)
{
    const struct legacy_warp *warp = &core->warps[op->warp];
    const struct inst *inst = op->inst;
    uint32_t bank = inst->constant_at >> 16, offset = inst->constant_at & 0xffff;
    uint64_t now = core->sm.now;
    const struct code_place *place = &legacy_launch_of(core, warp)->code;
    uint64_t there, room[32];
    uint32_t count;
    const uint64_t *lanes = coalesce_lanes(record, warp->trace->addresses, room, &count);
    bool said = count != 0 && inst->constant != INST_CONSTANT_LOAD;
    if (!said && inst_has_constant_place(inst) && op->mask != 0) {
        there = code_constant_load(core->sm.code, warp->slot, place,
                                   (struct code_constant){bank, offset}, now);
    } else {
        there = code_constant_lanes(core->sm.code, warp->slot, place, bank, lanes, count, now);
    }
    uint64_t wait = there - now;
    return (uint16_t)(wait < LEGACY_CONSTANT_WAIT ? wait : LEGACY_CONSTANT_WAIT);
}

bool legacy_await_constant(struct legacy *core, uint32_t scheduler, uint32_t number)
{
    struct legacy_warp *warp = &core->warps[number];
    const struct inst *inst = legacy_next_of(warp);
    uint64_t bit = 1ull << number;
    bool came = core->constant_came & bit;
    core->constant_came &= ~bit;
    if (came)
        return true;
    warp->code_ready = code_constant_operand(
        core->sm.code, scheduler, warp->slot, &legacy_launch_of(core, warp)->code,
        (struct code_constant){inst->constant_at >> 16, inst->constant_at & 0xffff},
        core->sm.now);
    if (warp->code_ready <= core->sm.now)
        return true;
    core->awaiting_constant |= bit;
    core->moved = true;
    return false;
}

void legacy_take_constants(struct legacy *core)
{
    for (uint64_t rest = core->awaiting_constant; rest != 0; rest &= rest - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(rest);
        uint64_t bit = 1ull << number;
        if (core->warps[number].code_ready > core->sm.now) {
            legacy_wake(core, core->warps[number].code_ready);
            continue;
        }
        core->awaiting_constant &= ~bit;
        core->constant_came |= bit;
    }
}
