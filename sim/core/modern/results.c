/* How results get into registers. Those of a fixed time come first: a queue takes what the
 * write port of a bank has no cycle for, and passes it on to readers meanwhile, so that nothing
 * waits for them. The data of loads come over a path of 64 bytes a cycle and sub-core, 128 from
 * shared memory, and wait for a cycle in which the port of their first register is free.
 * Source: "Dissecting and Modeling the Architecture of Modern GPU Cores" (MICRO 2025),
 * sections 5.3 and 5.4, and its table 2: loads of 64 and 128 bits take 2 and 6 cycles more than
 * one of 32. */
#include "sim/core/modern/core.h"

#define LEAST 2 /* cycles of the path that the time of any load contains */

void core_note_write(struct modern *core, struct modern_sub_core *sub, const struct inst *inst)
{
    if (inst->dst_count == 0)
        return;
    uint64_t cycle = core->sm.now + inst->issue.latency;
    sub->writes[inst->dst[0] % MODERN_BANKS][cycle % MODERN_WRITES] = cycle;
}

/* Cycles for which the data of a load take the path. */
static uint32_t path_cycles(const struct inst *inst)
{
    uint32_t words = inst->width > 4 ? inst->width / 4u : 1;
    bool global = inst->issue.kind == KIND_MEMORY && inst->space != TRACE_SPACE_SHARED;
    uint32_t cycles = global ? 2 * words : words;
    return cycles > LEAST ? cycles : LEAST;
}

/* The cycle in which the last data of INST, which begin to come now, are in registers. */
static uint64_t written_at(struct modern *core, uint32_t warp, const struct inst *inst)
{
    struct modern_sub_core *sub = &core->subs[warp % core->sm.spec->schedulers];
    uint64_t start = core->sm.now;
    const uint64_t *writes = sub->writes[inst->dst[0] % MODERN_BANKS];
    if (start < sub->path_free)
        start = sub->path_free;
    while (writes[start % MODERN_WRITES] == start)
        start++;
    uint32_t cycles = path_cycles(inst);
    sub->path_free = start + cycles;
    return start + cycles - LEAST;
}

void core_data_came(struct modern *core, uint32_t warp, const struct inst *inst)
{
    uint64_t cycle = core->sm.now;
    if (core->spec->write_ports && inst->issue.unit == UNIT_MEMORY && inst->dst_count != 0)
        cycle = written_at(core, warp, inst);
    if (cycle > core->sm.now)
        core_plan_written(core, warp, inst, cycle);
    else
        core_written(core, warp, inst);
}
