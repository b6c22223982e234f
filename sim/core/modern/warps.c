/* What warps wait for, and their ends. */
#include "sim/core/modern/core.h"
#include "sim/core/modern/scoreboard.h"

/* ---- readiness ---- */

bool core_counters_allow(const struct modern *core, uint32_t number)
{
    const struct modern_warp *warp = &core->warps[number];
    uint32_t seen = warp->raised;
    if (core->sm.now < warp->fresh_until)
        seen &= ~(uint32_t)warp->fresh;
    return (core_next_of(warp)->issue.wait & seen) == 0;
}

static void stall_until(struct modern *core, uint32_t number, uint64_t cycle)
{
    core->warps[number].issues_at = cycle;
    if (cycle >= CODE_ON_ITS_WAY) {
        core->waiting_code |= 1ull << number;
        return;
    }
    if (cycle >= core->sm.now + MODERN_STALLS) {
        core_plan_go_on(core, number, cycle);
        return;
    }
    core->stalled[cycle % MODERN_STALLS] |= 1ull << number;
    core->stalled_any |= 1ull << cycle % MODERN_STALLS;
}

/* A warp without code waits for registers: returns whether it may issue now. */
static MODERN_RARE bool registers_allow(struct modern *core, uint32_t number)
{
    if (core->scoreboard == NULL)
        return true;
    const struct modern_warp *warp = &core->warps[number];
    uint64_t from = scoreboard_allows(&core->scoreboard->warps[number], core_next_of(warp),
                                      warp->next.mask);
    if (from <= core->sm.now)
        return true;
    if (from == SCOREBOARD_NEVER)
        core->waiting_register |= 1ull << number;
    else
        stall_until(core, number, from);
    return false;
}

/* Looks up the constant operand of the warp's next instruction; returns whether it is there. */
static MODERN_RARE bool constant_there(struct modern *core, uint32_t number)
{
    const struct modern_warp *warp = &core->warps[number];
    const struct code_place *place = &core_launch_of(core, warp)->code;
    uint32_t at = core_next_of(warp)->constant_at;
    uint32_t sub_core = number % core->sm.spec->schedulers;
    struct code_constant constant = {at >> 16, at & 0xffff};
    uint64_t bit = 1ull << number;
    bool came = core->asked_constant & bit;
    core->asked_constant &= ~bit;
    if (came && !code_constants_hold(&core->sm.code->constants, sub_core, place, constant))
        return true;
    uint64_t there = code_constant_operand(core->sm.code, sub_core, warp->slot, place, constant,
                                           core->sm.now);
    if (there <= core->sm.now)
        return true;
    core->asked_constant |= bit;
    stall_until(core, number, there);
    return false;
}

static inline bool operands_allow(struct modern *core, uint32_t number)
{
    const struct inst *inst = core_next_of(&core->warps[number]);
    if (!inst->issue.has_code)
        return registers_allow(core, number);
    return inst->constant != INST_CONSTANT_OPERAND || !core->sm.spec->code.constants ||
           constant_there(core, number);
}

void core_place(struct modern *core, uint32_t number)
{
    uint64_t bit = 1ull << number;
    const struct modern_warp *warp = &core->warps[number];
    uint64_t held = core->waiting_barrier | core->waiting_membar | core->waiting_copy |
                    core->ended | core_async_held(core->async);
    core->waiting_counter &= ~bit;
    core->waiting_register &= ~bit;
    core->unseen &= ~bit;
    if (held & bit || warp->issues_at > core->sm.now)
        return;
    if (!core_counters_allow(core, number)) {
        core->waiting_counter |= bit;
    } else if (operands_allow(core, number)) {
        core->ready |= bit;
        if (core_next_of(warp)->issue.wait & warp->raised)
            core->unseen |= bit;
    }
}

void core_place_stalled(struct modern *core)
{
    uint32_t slot = core->sm.now % MODERN_STALLS;
    if (!(core->stalled_any >> slot & 1))
        return;
    core->moved = true;
    uint64_t warps = core->stalled[slot];
    core->stalled[slot] = 0;
    core->stalled_any &= ~(1ull << slot);
    for (; warps != 0; warps &= warps - 1)
        core_place(core, (uint32_t)__builtin_ctzll(warps));
}

uint64_t core_next_stalled(const struct modern *core)
{
    uint32_t slot = core->sm.now % MODERN_STALLS;
    if (core->stalled_any == 0)
        return UINT64_MAX;
    uint64_t turned = slot == 0 ? core->stalled_any
                                : core->stalled_any >> slot | core->stalled_any << (64 - slot);
    return core->sm.now + (uint64_t)__builtin_ctzll(turned);
}

/* ---- results ---- */

static void lower(struct modern *core, uint32_t number, uint8_t counter)
{
    struct modern_warp *warp = &core->warps[number];
    if (counter == TRACE_NO_BARRIER)
        return;
    if (--warp->counters[counter] != 0)
        return;
    warp->raised &= (uint8_t) ~(1u << counter);
    if (core->waiting_counter >> number & 1)
        core_place(core, number);
}

static MODERN_RARE void free_registers(struct modern *core, uint32_t number,
                                       const struct inst *inst, bool result)
{
    if (result)
        scoreboard_written(&core->scoreboard->warps[number], inst);
    else
        scoreboard_read(&core->scoreboard->warps[number], inst);
    if (core->waiting_register >> number & 1)
        core_place(core, number);
}

void core_written(struct modern *core, uint32_t number, const struct inst *inst)
{
    if (inst->issue.has_code)
        lower(core, number, inst->issue.write);
    else
        free_registers(core, number, inst, true);
}

void core_was_read(struct modern *core, uint32_t number, const struct inst *inst)
{
    if (inst->issue.has_code)
        lower(core, number, inst->issue.read);
    else
        free_registers(core, number, inst, false);
}

/* A warp at a memory barrier goes on when its time is over and all that came before has
 * ended. */
static void pass_membar(struct modern *core, uint32_t number)
{
    struct modern_warp *warp = &core->warps[number];
    if (!warp->membar_over || core->stores[number] != 0 || warp->loads != 0 ||
        warp->accesses != 0)
        return;
    warp->membar_over = false;
    core->waiting_membar &= ~(1ull << number);
    core_place(core, number);
}

void core_end_membar(struct modern *core, uint32_t number)
{
    core->warps[number].membar_over = true;
    pass_membar(core, number);
}

void core_stored(struct modern *core, const struct packet *packet)
{
    core->stores[packet->warp]--;
    core->store_count--;
    sm_land(&core->sm, packet->launch);
    pass_membar(core, packet->warp);
}

void core_access_ended(struct modern *core, uint32_t number)
{
    core->warps[number].accesses--;
    pass_membar(core, number);
    core_settle(core, number);
}

void core_loaded(struct modern *core, uint32_t number)
{
    core->warps[number].loads--;
    pass_membar(core, number);
    core_settle(core, number);
}

/* ---- groups of asynchronous copies ---- */

static void pass_groups(struct modern *core, uint32_t number)
{
    struct modern_warp *warp = &core->warps[number];
    while (warp->groups_done < warp->group &&
           warp->copies[warp->groups_done % MODERN_GROUPS] == 0)
        lower(core, number, warp->group_counter[warp->groups_done++ % MODERN_GROUPS]);
}

void core_copied(struct modern *core, const struct sm_op *op)
{
    struct modern_warp *warp = &core->warps[op->warp];
    uint64_t bit = 1ull << op->warp;
    warp->copies[op->group]--;
    pass_groups(core, op->warp);
    if ((core->waiting_copy & bit) && warp->groups_done >= warp->group_wait) {
        core->waiting_copy &= ~bit;
        core_place(core, op->warp);
    }
}

static void wait_for_copies(struct modern *core, uint32_t number, uint32_t open_groups)
{
    struct modern_warp *warp = &core->warps[number];
    warp->group_wait = warp->group > open_groups ? warp->group - open_groups : 0;
    pass_groups(core, number);
    if (warp->groups_done < warp->group_wait)
        core->waiting_copy |= 1ull << number;
}

static void close_group(struct modern *core, uint32_t number, const struct inst *inst)
{
    struct modern_warp *warp = &core->warps[number];
    warp->group_counter[warp->group % MODERN_GROUPS] = inst->issue.write;
    warp->group++;
    pass_groups(core, number);
}

/* ---- barriers ---- */

/* The last warp has arrived: the barrier opens a while later. */
static void last_arrived(struct modern *core, struct sm_block *block)
{
    if (block->waiting == 0 || block->waiting < block->running)
        return;
    uint64_t from = core->barrier_free > core->sm.now ? core->barrier_free : core->sm.now;
    core_plan_open(core, (uint32_t)(block - core->sm.blocks), block->at_barrier,
                   from + core->spec->barrier);
    block->waiting = 0;
    block->at_barrier = 0;
}

void core_open_barrier(struct modern *core, uint32_t block, uint64_t warps)
{
    sm_tell_opened(&core->sm, block, warps);
    core->waiting_barrier &= ~warps;
    for (; warps != 0; warps &= warps - 1)
        core_place(core, (uint32_t)__builtin_ctzll(warps));
}

/* BAR.ARV counts for the barrier, but its warp goes on. Traces do not name the barrier: all
 * barriers of a block are treated as one. */
static void arrive(struct modern *core, uint32_t number, bool waits)
{
    struct sm_block *block = &core->sm.blocks[core->warps[number].block];
    uint64_t at = core->barrier_free > core->sm.now ? core->barrier_free : core->sm.now;
    core->barrier_free = at + core->spec->barrier_interval;
    if (waits) {
        block->at_barrier |= 1ull << number;
        core->waiting_barrier |= 1ull << number;
    }
    block->waiting++;
    sm_tell_arrived(&core->sm, number, core->warps[number].block);
    last_arrived(core, block);
}

/* ---- effects ---- */

static void invalidate_l1(struct modern *core)
{
    if (core->sm.spec->l1_enabled)
        tags_clear(&core->sm.l1.tags, core->sm.l1.tags.spec.ways);
}

static void wait_at_membar(struct modern *core, uint32_t number, const struct inst *inst)
{
    core->waiting_membar |= 1ull << number;
    core_plan_membar(core, number, core->sm.now + core->spec->membar[inst->issue.scope]);
}

/* WARP comes to a BAR: that of some warps, where code or RECORD name it, or of the block. */
static void come_to_barrier(struct modern *core, uint32_t number, const struct inst *inst,
                            const struct trace_record *record)
{
    bool waits = !(inst->flags & TRACE_INST_ARRIVE);
    struct async_named named = {inst->issue.barrier, inst->issue.barrier_warps, waits};
    if (inst->issue.barrier_in_registers)
        core_async_name(core, number, record, &named);
    if (named.warps != 0)
        core_async_named(core, number, &named);
    else
        arrive(core, number, waits);
}

void core_take_effect(struct modern *core, uint32_t number, const struct inst *inst,
                      const struct trace_record *record)
{
    if (inst->issue.kind == KIND_INVALIDATE)
        invalidate_l1(core);
    if (inst->flags & TRACE_INST_BARRIER)
        come_to_barrier(core, number, inst, record);
    else if (inst->flags & TRACE_INST_MEMBAR && inst->issue.kind != KIND_INVALIDATE &&
             inst->issue.async != ASYNC_FENCE)
        wait_at_membar(core, number, inst);
    else if (inst->flags & TRACE_INST_LDGDEPBAR)
        close_group(core, number, inst);
    else if (inst->flags & TRACE_INST_DEPBAR) {
        wait_for_copies(core, number, inst->imm);
        core_async_wait_stored(core, number, inst->imm);
    }
}

/* ---- the course of a warp ---- */

#define DECODE                                                                                 \
    2 /* cycles from the arrival of a line of code until its instruction can issue             \
       */

/* Where errors in reading a warp's instructions are stored. */
static struct error *reader_error(const struct modern *core, const struct modern_warp *warp)
{
    return &core_launch_of(core, warp)->reports[core->sm.number].error;
}

static void end_warp(struct modern *core, uint32_t number)
{
    struct sm_block *block = &core->sm.blocks[core->warps[number].block];
    uint64_t bit = 1ull << number;
    core->ended |= bit;
    core->waiting_membar &= ~bit;
    core->waiting_copy &= ~bit;
    if (block->at_barrier & bit) { /* an error in the trace: it will not go on */
        core->waiting_barrier &= ~bit;
        block->at_barrier &= ~bit;
        block->waiting -= block->waiting != 0;
    }
    block->running--;
    sm_tell_arrived(&core->sm, number, core->warps[number].block);
    last_arrived(core, block);
    core_async_cluster_check(core, core->warps[number].block);
    core_settle(core, number);
}

/* The later of CYCLE and the one from which the warp's next instruction can issue, after it has
 * been fetched. JUMPED: a taken branch leads to it. */
static inline uint64_t fetched(struct modern *core, uint32_t number, bool jumped,
                               uint64_t cycle)
{
    struct modern_warp *warp = &core->warps[number];
    warp->code_floor = cycle;
    if (!core->sm.spec->code.fetches)
        return cycle;
    uint64_t there =
        code_fetch(core->sm.code, number % core->sm.spec->schedulers, warp->slot,
                   &core_launch_of(core, warp)->code, core_next_of(warp)->pc, core->sm.now);
    if (there <= core->sm.now)
        return cycle;
    if (jumped && core->spec->late_fetch)
        return there - core->sm.now + cycle;
    return there + DECODE > cycle ? there + DECODE : cycle;
}

/* The later of CYCLE and the one from which the buffer has the next instruction, behind LAST.
 */
static uint64_t decoded(struct modern *core, uint32_t number, uint64_t cycle,
                        const struct modern_issued *last)
{
    uint64_t from;
    if (last == NULL) {
        core_refill(core, number, cycle);
        return cycle;
    }
    if (core_next_of(&core->warps[number])->pc != last->inst->pc + TRACE_CODE_BYTES)
        from = core_refetch(core, number, cycle);
    else
        from = core_take_decoded(core, number);
    return from > cycle ? from : cycle;
}

/* Whether the warp's next instruction is in the line of code at ADDRESS. */
static bool waits_for_line(const struct modern *core, const struct modern_warp *warp,
                           uint64_t address)
{
    uint64_t at = core_launch_of(core, warp)->code.address + core_next_of(warp)->pc;
    return at - address < core->sm.spec->code.line;
}

static void take_line(struct modern *core, uint64_t address, uint64_t came)
{
    for (uint64_t rest = core->waiting_code; rest != 0; rest &= rest - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(rest);
        const struct modern_warp *warp = &core->warps[number];
        if (!waits_for_line(core, warp, address))
            continue;
        uint64_t from = code_came(warp->issues_at, came);
        core->waiting_code &= ~(1ull << number);
        stall_until(core, number, from > warp->code_floor ? from : warp->code_floor);
    }
}

void core_take_code(struct modern *core)
{
    uint64_t address, came;
    struct queue *answers = &core->sm.code->supply.answers;
    while (queue_ready(answers, core->sm.now)) {
        core->moved = true;
        sm_count_wait(&core->sm, &queue_head(answers)->packet, core->last_moved);
        if (code_caches_take(core->sm.code, &address, &came))
            take_line(core, address, came);
    }
}

void core_fetch_first(struct modern *core, uint32_t number)
{
    stall_until(core, number, fetched(core, number, false, core->sm.now + FIRST_FETCH));
}

/* Reads the warp's next instruction that it executes; false: there is none. */
static bool read_next(struct modern *core, uint32_t number)
{
    struct modern_warp *warp = &core->warps[number];
    struct trace_warp *trace = warp->trace;
    for (;; warp->left--) {
        if (warp->left == 0 ||
            (trace->at == trace->end && trace_warp_fill(trace, reader_error(core, warp)) <= 0))
            return false;
        warp->next = *trace->at++;
        if (core->async == NULL || !core_async_skips(core, number))
            return true;
        SHARES_ADD(&core->sm, warp->slot, waited_insts, 1);
    }
}

void core_next_inst(struct modern *core, uint32_t number, uint64_t cycle,
                    const struct modern_issued *last)
{
    struct modern_warp *warp = &core->warps[number];
    if (!read_next(core, number)) {
        warp->left = 0; /* the launch ends with the error, if there was one */
        end_warp(core, number);
        return;
    }
    const struct inst *inst = core_next_of(warp);
    if (last != NULL && last->inst->issue.flow != FLOW_NONE)
        cycle = core->sm.now + flow_cycles(core->spec, last, inst, warp->next.mask);
    if (core->spec->buffer != 0)
        cycle = decoded(core, number, cycle, last);
    core->wants[inst->issue.unit] |= 1ull << number;
    if (last == NULL && cycle > core->sm.now + FIRST_FETCH && core->sm.spec->code.fetches) {
        warp->issues_at = UINT64_MAX;
        core_plan_fetch(core, number, cycle - FIRST_FETCH);
        return;
    }
    bool jumped = last != NULL && inst->pc != last->inst->pc + TRACE_CODE_BYTES;
    stall_until(core, number, fetched(core, number, jumped, cycle));
}

static void tell_retired(const struct modern *core, uint32_t number)
{
    const struct sm_spec *spec = core->sm.spec;
    if (spec->scheduler->retired != NULL)
        spec->scheduler->retired(core_scheduler_state(core, number % spec->schedulers), number);
}

static void end_block(struct modern *core, uint32_t number)
{
    core_async_end_block(core, number);
    sm_end_block(&core->sm, number);
}

void core_retire(struct modern *core)
{
    uint64_t warps = core->done;
    for (; warps != 0; warps &= warps - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(warps);
        struct modern_warp *warp = &core->warps[number];
        const struct sm_block *block = &core->sm.blocks[warp->block];
        if (!sm_has_begun(&core->sm, block)) { /* it has no instructions */
            core->wake = sm_earlier(core->wake, block->about.begin + 1);
            continue;
        }
        core->ended &= ~(1ull << number);
        core->done &= ~(1ull << number);
        core->moved = true;
        warp->trace = NULL;
        uint64_t cycles = core->sm.now - block->about.begin;
        sm_tell_retired(&core->sm, number, warp->block);
        tell_retired(core, number);
        SHARES_ADD(&core->sm, warp->slot, warp_cycles, cycles);
        if (--core->sm.blocks[warp->block].live == 0)
            end_block(core, warp->block);
    }
}
