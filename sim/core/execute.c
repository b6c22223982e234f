/* Function units and write-back. A unit takes an instruction each initiation
 * interval; its result is written latency + 2 cycles after it was taken, if
 * one of the result buses is free then. */
#include "sim/core/sm.h"

static void plan_write_back(struct sm *sm, uint16_t index, uint64_t cycle)
{
    uint32_t slot = (uint32_t)cycle & (SM_WHEEL - 1);
    sm->ops[index].next = sm->wheel[slot];
    sm->wheel[slot] = index;
    sm->wheel_load[slot]++;
    sm->wheel_bits[slot / 64] |= 1ull << (slot % 64);
    sm->wheel_count++;
}

/* Of INDEX and those behind it. */
static SM_RARE void tell_results(struct sm *sm, uint16_t index)
{
    for (; index != SM_NONE; index = sm->ops[index].next)
        sm_tell_result(sm, index, &sm->ops[index]);
}

void sm_write_back(struct sm *sm)
{
    uint32_t slot = (uint32_t)sm->now & (SM_WHEEL - 1);
    uint16_t index = sm->wheel[slot];
    if (index == SM_NONE)
        return;
    sm->moved = true;
    sm->wheel[slot] = SM_NONE;
    sm->wheel_count -= sm->wheel_load[slot];
    sm->wheel_load[slot] = 0;
    sm->wheel_bits[slot / 64] &= ~(1ull << (slot % 64));
    if (sm_observed(sm, SM_EVENT_result))
        tell_results(sm, index);
    while (index != SM_NONE) {
        const struct sm_op *op = &sm->ops[index];
        uint16_t next = op->next;
        (void)sm_write_banks(sm, op); /* a bank taken twice is not modelled as a stall */
        sm_release(sm, op);
        sm_leave(sm, op->warp);
        sm_free_op(sm, index);
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

/* Unit NUMBER of PIPE takes the instruction in front of it, if it can. */
static void unit_issue(struct sm *sm, uint32_t pipe, uint32_t number, uint32_t slot)
{
    struct unit *unit = &sm->units[pipe][number];
    uint16_t index = sm->oc_ex[pipe][slot];
    const struct inst *inst = sm->ops[index].inst;
    if (sm->now < unit->free_at) {
        sm_wake(sm, unit->free_at);
        return;
    }
    advance_unit(unit, sm->now);
    uint64_t latency = (uint64_t)inst->latency + sm->ops[index].cycles;
    uint64_t done = sm->now + latency, write = done + 2;
    if (!completion_free(unit, done) ||
        sm->wheel_load[write & (SM_WHEEL - 1)] >= sm->spec->result_buses) {
        sm_wake(sm, sm->now + 1);
        return;
    }
    sm->moved = true;
    if (latency < 64)
        unit->done |= 1ull << latency;
    unit->free_at = sm->now + inst->initiation;
    plan_write_back(sm, index, write);
    sm_leave_oc_ex(sm, pipe, slot);
}

static void pipe_issue(struct sm *sm, uint32_t pipe)
{
    for (uint32_t number = 0; number < sm->spec->units[pipe] && sm->oc_ex_full[pipe] != 0;
         number++) {
        if (!sm->spec->sub_cores)
            unit_issue(sm, pipe, number, sm_oldest(sm, sm->oc_ex[pipe], sm->oc_ex_full[pipe]));
        else if (sm->oc_ex_full[pipe] >> number & 1)
            unit_issue(sm, pipe, number, number);
    }
}

void sm_execute(struct sm *sm)
{
    /* The order in which units compete for the result buses. */
    static const uint8_t order[] = {PIPE_SP, PIPE_DP, PIPE_INT, PIPE_SFU, PIPE_TENSOR};
    uint32_t pipes = sm->oc_ex_pipes & ~(1u << PIPE_MEM);
    if (pipes != 0) {
        for (uint32_t i = 0; i < sizeof order; i++)
            if (pipes >> order[i] & 1)
                pipe_issue(sm, order[i]);
        for (uint32_t pipe = PIPE_SPECIALIZED; pipe < PIPE_COUNT; pipe++)
            if (pipes >> pipe & 1)
                pipe_issue(sm, pipe);
    }
    sm_load_store(sm);
    if (sm->oc_ex_full[PIPE_MEM] != 0 && sm->ldst.dispatch == SM_NONE)
        sm_load_store_issue(sm);
}
