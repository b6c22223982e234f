/* The warp schedulers, one for each sub-core. */
#include <stdlib.h>

#include "sim/core/modern/core.h"
#include "sim/core/modern/scoreboard.h"

/* ---- units ---- */

/* Until when the unit of INST is taken by it. FP32 has two halves; the heavy one multiplies
 * integers, too. */
static void take_unit(const struct modern *core, struct modern_sub_core *sub,
                      const struct inst *inst)
{
    uint32_t unit = inst->issue.unit;
    uint64_t now = core->sm.now, until = now + inst->issue.interval;
    if (unit == UNIT_FP32 || unit == UNIT_HEAVY) {
        bool light = unit == UNIT_FP32 && core->spec->halves && sub->half_free[0] <= now;
        sub->half_free[!light] = until;
        if (inst->issue.flow == FLOW_WIDE)
            sub->half_free[0] = until;
        sub->unit_free[UNIT_HEAVY] = sub->half_free[1];
        sub->unit_free[UNIT_FP32] = core->spec->halves && sub->half_free[0] < sub->half_free[1]
                                        ? sub->half_free[0]
                                        : sub->half_free[1];
        sub->busy |= 1u << UNIT_FP32 | 1u << UNIT_HEAVY;
        return;
    }
    sub->unit_free[unit] = until;
    if (inst->issue.interval > 1)
        sub->busy |= 1u << unit;
}

/* The ready warps of SUB whose unit takes an instruction now. */
static uint64_t with_free_units(struct modern *core, struct modern_sub_core *sub,
                                uint64_t ready)
{
    uint64_t now = core->sm.now;
    for (uint32_t busy = sub->busy; busy != 0; busy &= busy - 1) {
        uint32_t unit = (uint32_t)__builtin_ctz(busy);
        if (sub->unit_free[unit] <= now) {
            sub->busy &= ~(1u << unit);
        } else if (ready & core->wants[unit]) {
            ready &= ~core->wants[unit];
            core_wake(core, sub->unit_free[unit]);
        }
    }
    uint32_t number = (uint32_t)(sub - core->subs);
    if (!mio_has_room(&core->mio, &core->spec->mio, number)) {
        if (core->spec->memory_turns)
            sub->waited |= ready & core->wants[UNIT_MEMORY];
        ready &= ~core->wants[UNIT_MEMORY];
    }
    return ready;
}

/* READY, but of the warps that wait for the memory queue only the one whose turn it is. */
static uint64_t in_turn(const struct modern *core, const struct modern_sub_core *sub,
                        uint64_t ready)
{
    uint64_t memory = ready & core->wants[UNIT_MEMORY], waited = memory & sub->waited;
    if (waited == 0)
        return ready;
    uint64_t after = sub->last_memory < 63 ? waited & ~0ull << (sub->last_memory + 1) : 0;
    uint64_t from = after != 0 ? after : waited;
    return (ready & ~memory) | (from & -from);
}

/* ---- issue ---- */

static void raise(struct modern_warp *warp, uint8_t counter)
{
    if (counter == TRACE_NO_BARRIER)
        return;
    if (warp->counters[counter]++ == 0)
        warp->fresh |= (uint8_t)(1u << counter);
    warp->raised |= (uint8_t)(1u << counter);
}

/* Counters that an instruction raises are seen from the second cycle after its issue on. */
static void raise_counters(struct modern_warp *warp, const struct inst *inst, uint64_t now)
{
    warp->fresh = 0;
    warp->fresh_until = now + 2;
    raise(warp, inst->issue.write);
    raise(warp, inst->issue.read);
}

/* The instruction goes to the queue of the sub-core. */
static void enter_memory(struct modern *core, uint32_t scheduler, uint32_t number,
                         const struct inst *inst, const struct trace_record *record)
{
    struct modern_warp *warp = &core->warps[number];
    uint16_t index = core_new_op(core);
    struct sm_op *op = &core->ops[index];
    *op = (struct sm_op){.inst = inst,
                         .mask = record->mask,
                         .next = SM_NONE,
                         .warp = (uint8_t)number,
                         .scheduler = (uint8_t)scheduler,
                         .list = SM_LISTS};
    if ((inst->flags & TRACE_INST_LDGSTS) && record->mask != 0) {
        op->group = (uint8_t)(warp->group % MODERN_GROUPS);
        warp->copies[op->group]++;
    }
    warp->accesses++;
    core->subs[scheduler].waited &= ~(1ull << number);
    core->subs[scheduler].last_memory = number;
    if (inst->issue.async >= ASYNC_INIT && inst->issue.async <= ASYNC_WAIT)
        core_async_enter(core, index, record);
    mio_issue(core, index, record);
    sm_tell_issued(&core->sm, index, op);
}

static void execute(struct modern *core, uint32_t scheduler, uint32_t number,
                    const struct inst *inst, const struct trace_record *record)
{
    uint64_t now = core->sm.now;
    if (inst->issue.unit == UNIT_MEMORY) {
        enter_memory(core, scheduler, number, inst, record);
        return;
    }
    take_unit(core, &core->subs[scheduler], inst);
    if ((inst->issue.async == ASYNC_STORE || inst->issue.async == ASYNC_FLUSH) &&
        record->mask != 0) {
        core_async_store(core, number, inst, record);
        return;
    }
    if (inst->issue.kind == KIND_FIXED) {
        if (inst->issue.unit != UNIT_NONE && inst->issue.unit != UNIT_UNIFORM)
            core_read_registers(core, &core->subs[scheduler], number, inst);
        core_note_write(core, &core->subs[scheduler], inst);
    } else if (!(inst->flags & TRACE_INST_LDGDEPBAR)) {
        core_plan_read(core, number, inst, now + VARIABLE_READ);
        core_plan_result(core, number, inst, now + inst->issue.latency);
    }
}

static void count_inst(struct sm_stats *stats, uint32_t mask)
{
    stats->warp_insts++;
    stats->thread_insts += (uint64_t)__builtin_popcount(mask);
}

/* Without code, registers say what waits for what. */
static MODERN_RARE void reserve_registers(struct modern *core, uint32_t number,
                                          const struct inst *inst, uint32_t mask)
{
    if (core->scoreboard == NULL &&
        (core->scoreboard = calloc(1, sizeof *core->scoreboard)) == NULL)
        memory_short();
    scoreboard_issue(&core->scoreboard->warps[number], inst, mask, core->sm.now,
                     inst->issue.flow == FLOW_WIDE ? core->spec->wide : 0);
}

static void issue_one(struct modern *core, uint32_t scheduler, uint32_t number)
{
    struct modern_warp *warp = &core->warps[number];
    struct trace_record record = warp->next;
    const struct inst *inst = core_next_of(warp);
    uint64_t bit = 1ull << number;
    core->moved = true;
    core->ready &= ~bit;
    core->unseen &= ~bit;
    core->wants[inst->issue.unit] &= ~bit;
    raise_counters(warp, inst, core->sm.now);
    if (!inst->issue.has_code)
        reserve_registers(core, number, inst, record.mask);
    execute(core, scheduler, number, inst, &record);
    sm_tell_stepped(&core->sm, number, warp->block, inst, record.mask);
    core_take_effect(core, number, inst, &record);
    if (core->async != NULL ||
        (inst->issue.async != ASYNC_NONE && inst->issue.async != ASYNC_SLEEP))
        core_async_issue(core, number, inst, &record);
    SHARES_CALL(&core->sm, warp->slot, count_inst, record.mask);
    if (core->sm.spec->scheduler->issued != NULL)
        core->sm.spec->scheduler->issued(core_scheduler_state(core, scheduler), number);
    warp->waits_since = core->sm.now;
    warp->left--;
    core_next_inst(core, number, core->sm.now + inst->issue.stall,
                   &(struct modern_issued){inst, record.mask});
}

/* Without those of the READY warps for which it is too late: the counter that they did not see
 * when they became ready is seen now. */
static uint64_t with_seen_counters(struct modern *core, uint64_t ready)
{
    for (uint64_t rest = ready & core->unseen; rest != 0; rest &= rest - 1) {
        uint64_t bit = rest & -rest;
        if (core_counters_allow(core, (uint32_t)__builtin_ctzll(rest)))
            continue;
        ready &= ~bit;
        core->ready &= ~bit;
        core->waiting_counter |= bit;
    }
    return ready;
}

/* The warp that SCHEDULER issues from, SM_MAX_WARPS for none. */
static uint32_t choose(struct modern *core, uint32_t scheduler)
{
    struct modern_sub_core *sub = &core->subs[scheduler];
    uint64_t ready = core->ready & sub->warps;
    if (ready == 0)
        return SM_MAX_WARPS;
    if (sub->issue_free > core->sm.now) {
        core_wake(core, sub->issue_free);
        return SM_MAX_WARPS;
    }
    ready = in_turn(core, sub, with_seen_counters(core, with_free_units(core, sub, ready)));
    if (ready == 0)
        return SM_MAX_WARPS;
    return core->sm.spec->scheduler->choose(core_scheduler_state(core, scheduler), &core->view,
                                            ready);
}

void core_issue(struct modern *core)
{
    if (core->ready == 0) {
        sm_tell_no_turn(&core->sm);
        return;
    }
    uint32_t count = core->sm.spec->schedulers;
    for (uint32_t scheduler = 0; scheduler < count; scheduler++) {
        uint32_t warp = choose(core, scheduler);
        if (warp != SM_MAX_WARPS)
            issue_one(core, scheduler, warp);
        sm_tell_turn(&core->sm, scheduler, warp);
    }
}
