/* What an LDC waits for. Its places are in the code or, for one with an index register, in the
 * trace, if its tracer has recorded them. */
#include "sim/core/coalesce.h"
#include "sim/core/modern/core.h"

/* An LDC without code is taken for one of the parameters: where these begin. */
#define PARAMETERS 0x210u

/* Words of the COUNT lanes. */
static uint32_t words(const uint64_t *lanes, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t lane = 0; lane < count; lane++) {
        uint32_t before = 0;
        while (lanes[before] != lanes[lane])
            before++;
        found += before == lane;
    }
    return found;
}

uint16_t core_constant_wait(struct modern *core, const struct sm_op *op,
                            const struct trace_record *record)
{
    const struct modern_warp *warp = &core->warps[op->warp];
    const struct code_place *place = &core_launch_of(core, warp)->code;
    const struct inst *inst = op->inst;
    uint64_t now = core->sm.now, room[32], there, wait = 0;
    uint32_t bank = inst->constant_at >> 16, offset = inst->constant_at & 0xffff, count = 0;
    if (op->mask == 0)
        return 0;
    const uint64_t *lanes = coalesce_lanes(record, warp->trace->addresses, room, &count);
    if (count != 0 && inst->constant != INST_CONSTANT_LOAD) {
        there = code_constant_lanes(core->sm.code, warp->slot, place, bank, lanes, count, now);
        wait = (words(lanes, count) - 1) * core->spec->constant_word;
    } else if (inst_has_constant_place(inst) || !inst->issue.has_code) {
        there = code_constant_load(
            core->sm.code, warp->slot, place,
            (struct code_constant){bank, inst->issue.has_code ? offset : PARAMETERS}, now);
    } else {
        return 0; /* a place that nobody knows */
    }
    wait += there - now;
    return (uint16_t)(wait < UINT16_MAX ? wait : UINT16_MAX);
}
