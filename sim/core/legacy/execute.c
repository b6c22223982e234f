/* Function units and write-back. A unit takes an instruction each initiation
 * interval; its result is written latency + 2 cycles after it was taken, if
 * one of the result buses is free then. */
#include "sim/core/legacy/legacy.h"

static void plan_write_back(struct legacy *core, uint16_t index, uint64_t cycle)
{
    uint32_t slot = (uint32_t)cycle & (LEGACY_WHEEL - 1);
    core->ops[index].next = core->wheel[slot];
    core->wheel[slot] = index;
    core->wheel_load[slot]++;
    core->wheel_bits[slot / 64] |= 1ull << (slot % 64);
    core->wheel_count++;
}

/* Reports the results of INDEX and of the instructions after it in its list. */
static LEGACY_RARE void tell_results(struct legacy *core, uint16_t index)
{
    for (; index != SM_NONE; index = core->ops[index].next)
        sm_tell_result(&core->sm, index, &core->ops[index]);
}

void legacy_write_back(struct legacy *core)
{
    uint32_t slot = (uint32_t)core->sm.now & (LEGACY_WHEEL - 1);
    uint16_t index = core->wheel[slot];
    if (index == SM_NONE)
        return;
    core->moved = true;
    core->wheel[slot] = SM_NONE;
    core->wheel_count -= core->wheel_load[slot];
    core->wheel_load[slot] = 0;
    core->wheel_bits[slot / 64] &= ~(1ull << (slot % 64));
    if (sm_observed(&core->sm, SM_EVENT_result))
        tell_results(core, index);
    while (index != SM_NONE) {
        const struct sm_op *op = &core->ops[index];
        uint16_t next = op->next;
        (void)legacy_write_banks(core, op); /* a bank taken twice is not modelled as a stall */
        legacy_release(core, op);
        legacy_leave(core, op->warp);
        legacy_free_op(core, index);
        index = next;
    }
}

/* True when no instruction of another latency completes in the same cycle. */
static bool completion_free(struct unit *unit, uint64_t done)
{
    uint64_t shift = done - unit->done_base;
    return shift >= 64 || !(unit->done >> shift & 1);
}

static void advance_unit(struct unit *unit, uint64_t now)
{
    uint64_t shift = now - unit->done_base;
    unit->done = shift < 64 ? unit->done >> shift : 0;
    unit->done_base = now;
}

/* Unit NUMBER of PIPE takes the instruction in register SLOT, if it can. */
static void unit_issue(struct legacy *core, uint32_t pipe, uint32_t number, uint32_t slot)
{
    struct unit *unit = &core->units[pipe][number];
    uint16_t index = core->oc_ex[pipe][slot];
    const struct inst *inst = core->ops[index].inst;
    if (core->sm.now < unit->free_at) {
        legacy_wake(core, unit->free_at);
        return;
    }
    advance_unit(unit, core->sm.now);
    uint64_t latency = (uint64_t)inst->latency + core->ops[index].cycles;
    uint64_t done = core->sm.now + latency, write = done + 2;
    if (!completion_free(unit, done) ||
        core->wheel_load[write & (LEGACY_WHEEL - 1)] >= core->spec->result_buses) {
        legacy_wake(core, core->sm.now + 1);
        return;
    }
    core->moved = true;
    if (latency < 64)
        unit->done |= 1ull << latency;
    unit->free_at = core->sm.now + inst->initiation;
    plan_write_back(core, index, write);
    legacy_leave_oc_ex(core, pipe, slot);
}

static void pipe_issue(struct legacy *core, uint32_t pipe)
{
    for (uint32_t number = 0; number < core->spec->units[pipe] && core->oc_ex_full[pipe] != 0;
         number++) {
        if (!core->spec->sub_cores)
            unit_issue(core, pipe, number,
                       legacy_oldest(core, core->oc_ex[pipe], core->oc_ex_full[pipe]));
        else if (core->oc_ex_full[pipe] >> number & 1)
            unit_issue(core, pipe, number, number);
    }
}

/* The load/store unit takes the oldest collected instruction. */
static void memory_issue(struct legacy *core)
{
    uint32_t slot = legacy_oldest(core, core->oc_ex[PIPE_MEM], core->oc_ex_full[PIPE_MEM]);
    load_store_take(core, core->oc_ex[PIPE_MEM][slot]);
    core->moved = true;
    legacy_leave_oc_ex(core, PIPE_MEM, slot);
}

void legacy_execute(struct legacy *core)
{
    /* The order in which units compete for the result buses. */
    static const uint8_t order[] = {PIPE_SP, PIPE_DP, PIPE_INT, PIPE_SFU, PIPE_TENSOR};
    uint32_t pipes = core->oc_ex_pipes & ~(1u << PIPE_MEM);
    if (pipes != 0) {
        for (uint32_t i = 0; i < sizeof order; i++)
            if (pipes >> order[i] & 1)
                pipe_issue(core, order[i]);
        for (pipes &= ~0u << PIPE_SPECIALIZED; pipes != 0; pipes &= pipes - 1)
            pipe_issue(core, (uint32_t)__builtin_ctz(pipes));
    }
    load_store_cycle(core);
    if (core->oc_ex_full[PIPE_MEM] != 0 && load_store_is_free(&core->load_store))
        memory_issue(core);
}
