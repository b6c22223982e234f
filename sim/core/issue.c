/* Warp schedulers, scoreboard, barriers. */
#include "sim/core/sm.h"

/* ---- scoreboards: read after write, write after write; write after read as an option ---- */

static inline void check_results(struct sm *sm, uint32_t number)
{
    const struct sm_warp *warp = &sm->warps[number];
    uint64_t bit = 1ull << number;
    sm->hazard &= ~bit;
    if (warp->at >= warp->buffered || warp->busy_count == 0)
        return;
    const struct inst *inst = sm_next_of(warp);
    for (uint32_t i = 0; i < inst->reg_count; i++) {
        uint8_t reg = inst->regs[i];
        if (warp->busy[reg >> 6] >> (reg & 63) & 1) {
            sm->hazard |= bit;
            sm_tell_hazard(sm, number, inst);
            return;
        }
    }
}

/* Apart, so that nobody pays for the option who does not use it. */
static SM_RARE void check_readers_too(struct sm *sm, uint32_t number)
{
    const struct sm_warp *warp = &sm->warps[number];
    const struct inst *inst = sm_next_of(warp);
    if (warp->at >= warp->buffered ||
        !readers_forbid(&sm->readers[number], inst, sm->spec->readers_max)) {
        check_results(sm, number);
        return;
    }
    sm->hazard |= 1ull << number;
    sm_tell_hazard(sm, number, inst);
}

void sm_check_hazard(struct sm *sm, uint32_t number)
{
    if (sm->readers != NULL)
        check_readers_too(sm, number);
    else
        check_results(sm, number);
}

static void reserve(struct sm_warp *warp, const struct inst *inst)
{
    for (uint32_t i = 0; i < inst->dst_count; i++) {
        uint64_t bit = 1ull << (inst->dst[i] & 63), *word = &warp->busy[inst->dst[i] >> 6];
        warp->busy_count += !(*word & bit);
        *word |= bit;
    }
}

void sm_release(struct sm *sm, const struct sm_op *op)
{
    struct sm_warp *warp = &sm->warps[op->warp];
    const struct inst *inst = op->inst;
    for (uint32_t i = 0; i < inst->dst_count; i++) {
        uint64_t bit = 1ull << (inst->dst[i] & 63), *word = &warp->busy[inst->dst[i] >> 6];
        warp->busy_count -= (*word & bit) != 0;
        *word &= ~bit;
    }
    if (sm->hazard >> op->warp & 1)
        sm_check_hazard(sm, op->warp);
    sm_settle(sm, op->warp);
}

void sm_operands_read(struct sm *sm, const struct sm_op *op)
{
    readers_remove(&sm->readers[op->warp], op->inst);
    if (sm->hazard >> op->warp & 1)
        sm_check_hazard(sm, op->warp);
}

static SM_RARE void tell_next(struct sm *sm, uint32_t number)
{
    uint64_t waiting = sm->waiting_membar | sm->waiting_atomic | sm->waiting_copy;
    sm_tell_next(sm, number, waiting >> number & 1);
}

static inline __attribute__((always_inline)) void next_inst(struct sm *sm, uint32_t number)
{
    const struct sm_warp *warp = &sm->warps[number];
    sm->wants[sm_next_of(warp)->pipe] |= 1ull << number;
    if (sm_observed(sm, SM_EVENT_next))
        tell_next(sm, number);
    if (sm->readers != NULL)
        check_readers_too(sm, number);
    else
        check_results(sm, number);
}

void sm_next_inst(struct sm *sm, uint32_t number)
{
    next_inst(sm, number);
}

/* ---- barriers ---- */

static void open_barrier(struct sm *sm, struct sm_block *block)
{
    if (block->waiting == 0 || block->waiting < block->running)
        return;
    sm_tell_opened(sm, (uint32_t)(block - sm->blocks), block->at_barrier);
    sm->waiting_barrier &= ~block->at_barrier;
    block->at_barrier = 0;
    block->waiting = 0;
}

/* BAR.ARV counts for the barrier, but its warp goes on. Traces do not name
 * the barrier: all of a block are taken for one. */
static void arrive(struct sm *sm, uint32_t number)
{
    struct sm_block *block = &sm->blocks[sm->warps[number].block];
    block->waiting++;
    sm_tell_arrived(sm, number, sm->warps[number].block);
    open_barrier(sm, block);
}

static void reach_barrier(struct sm *sm, uint32_t number)
{
    struct sm_block *block = &sm->blocks[sm->warps[number].block];
    block->at_barrier |= 1ull << number;
    block->waiting++;
    sm_tell_arrived(sm, number, sm->warps[number].block);
    sm->waiting_barrier |= 1ull << number;
    open_barrier(sm, block);
}

void sm_end_warp(struct sm *sm, uint32_t number)
{
    struct sm_block *block = &sm->blocks[sm->warps[number].block];
    uint64_t bit = 1ull << number;
    sm->ended |= bit;
    sm->fetchable &= ~bit;
    sm->buffered &= ~bit;
    sm->hazard &= ~bit;
    sm->waiting_membar &= ~bit;
    sm->waiting_copy &= ~bit;
    if (sm->waiting_barrier & bit) {
        sm->waiting_barrier &= ~bit;
        block->at_barrier &= ~bit;
        block->waiting--;
    }
    block->running--;
    sm_tell_arrived(sm, number, sm->warps[number].block);
    open_barrier(sm, block);
    sm_settle(sm, number);
}

/* ---- groups of asynchronous copies ---- */

void sm_pass_groups(struct sm_warp *warp)
{
    while (warp->groups_done < warp->group && warp->copies[warp->groups_done % SM_GROUPS] == 0)
        warp->groups_done++;
}

static void wait_for_copies(struct sm *sm, uint32_t number, uint32_t open_groups)
{
    struct sm_warp *warp = &sm->warps[number];
    warp->group_wait = warp->group > open_groups ? warp->group - open_groups : 0;
    sm_pass_groups(warp);
    if (warp->groups_done < warp->group_wait)
        sm->waiting_copy |= 1ull << number;
}

/* ---- issue ---- */

/* What an instruction does to its warp beyond registers. */
static void take_effect(struct sm *sm, uint32_t number, struct sm_op *op,
                        const struct inst *inst)
{
    struct sm_warp *warp = &sm->warps[number];
    if (inst->access == TRACE_ACCESS_ATOMIC && op->mask != 0) {
        warp->atomics += (uint32_t)__builtin_popcount(op->mask);
        sm->waiting_atomic |= 1ull << number;
    }
    if (inst->flags & TRACE_INST_LDGSTS) {
        op->group = (uint8_t)(warp->group % SM_GROUPS);
        warp->copies[op->group] += op->mask != 0;
    }
    if (inst->flags & TRACE_INST_ARRIVE)
        arrive(sm, number);
    else if (inst->flags & TRACE_INST_BARRIER)
        reach_barrier(sm, number);
    else if (inst->flags & TRACE_INST_MEMBAR)
        sm->waiting_membar |= 1ull << number;
    else if (inst->flags & TRACE_INST_LDGDEPBAR)
        warp->group++;
    else if (inst->flags & TRACE_INST_DEPBAR)
        wait_for_copies(sm, number, inst->imm);
}

static void put(struct sm *sm, uint16_t index, const struct inst *inst)
{
    const struct sm_op *op = &sm->ops[index];
    uint32_t slot = sm->spec->sub_cores ? op->scheduler
                                        : (uint32_t)__builtin_ctz(~sm->id_oc_full[inst->pipe]);
    sm->id_oc[inst->pipe][slot] = index;
    sm->id_oc_full[inst->pipe] |= 1u << slot;
    sm->id_oc_pipes |= 1u << inst->pipe;
    sm->collect_stuck = false;
}

/* What most instructions do not need. */
static void prepare(struct sm *sm, struct sm_op *op, const struct inst *inst,
                    const struct trace_record *record)
{
    if (sm->readers != NULL)
        readers_add(&sm->readers[op->warp], inst);
    if (inst->pipe == PIPE_MEM)
        sm_prepare_access(sm, op, record);
    else if (sm->constants.lines != NULL && inst->space == TRACE_SPACE_CONSTANT)
        op->cycles = sm_constant_wait(sm, op, record);
}

static void count_inst(struct sm_stats *stats, uint32_t mask)
{
    stats->warp_insts++;
    stats->thread_insts += (uint64_t)__builtin_popcount(mask);
}

static void issue_one(struct sm *sm, uint32_t scheduler, uint32_t number)
{
    struct sm_warp *warp = &sm->warps[number];
    const struct trace_record *record = &warp->buffer[warp->at];
    const struct inst *inst = sm_next_of(warp);
    uint16_t index = sm_new_op(sm);
    struct sm_op *op = &sm->ops[index];
    *op = (struct sm_op){.age = sm->next_age++,
                         .inst = inst,
                         .mask = record->mask,
                         .next = SM_NONE,
                         .warp = (uint8_t)number,
                         .scheduler = (uint8_t)scheduler,
                         .list = SM_LISTS};
    if (inst->prepared)
        prepare(sm, op, inst, record);
    put(sm, index, inst);
    sm->wants[inst->pipe] &= ~(1ull << number);
    sm->moved = true;
    reserve(warp, inst);
    sm_tell_issued(sm, index, op);
    take_effect(sm, number, op, inst);
    SHARES_CALL(sm, warp->launch->slot, count_inst, op->mask);
    if (sm->spec->scheduler->issued != NULL)
        sm->spec->scheduler->issued(sm_scheduler_state(sm, scheduler), number);
    warp->waits_since = sm->now;
    if (++warp->at == warp->buffered) {
        uint64_t bit = 1ull << number;
        warp->buffered = warp->at = 0;
        sm->buffered &= ~bit;
        sm->hazard &= ~bit;
        if (warp->left != 0)
            sm->fetchable |= bit;
        else
            sm_end_warp(sm, number);
    } else {
        next_inst(sm, number);
    }
}

static bool pipe_free(const struct sm *sm, uint32_t pipe, uint32_t scheduler)
{
    if (sm->spec->sub_cores)
        return !(sm->id_oc_full[pipe] >> scheduler & 1);
    return sm->id_oc_full[pipe] != (1u << sm->spec->id_oc[pipe]) - 1;
}

/* Warps whose next instruction waits for nothing of its own. */
static uint64_t open_warps(const struct sm *sm)
{
    return sm->buffered & ~(sm->hazard | sm->waiting_barrier | sm->waiting_membar |
                            sm->waiting_atomic | sm->waiting_copy);
}

static uint64_t candidates(const struct sm *sm, uint32_t scheduler)
{
    uint64_t ready = sm->scheduler_warps[scheduler] & open_warps(sm);
    if (ready == 0)
        return 0;
    if (sm->free_lists == 0)
        ready &= ~sm->wants[PIPE_MEM];
    if (sm->free_op == SM_NONE && sm->op_count == SM_NONE)
        return 0; /* as many instructions in flight as can be numbered */
    for (uint32_t pipes = sm->id_oc_pipes; pipes != 0 && ready != 0; pipes &= pipes - 1) {
        uint32_t pipe = (uint32_t)__builtin_ctz(pipes);
        if (!pipe_free(sm, pipe, scheduler))
            ready &= ~sm->wants[pipe];
    }
    return ready;
}

/* The units that a pipe counts as in dual issue: specialised ones are one kind, as in the
 * reference. */
static uint32_t unit_kind(uint32_t pipe)
{
    return pipe < PIPE_SPECIALIZED ? pipe : PIPE_SPECIALIZED;
}

/* Issues as many instructions of a candidate as it may: one at least. */
static void issue_warp(struct sm *sm, uint32_t scheduler, uint32_t number)
{
    const struct sm_warp *warp = &sm->warps[number];
    uint8_t pipe = sm_next_of(warp)->pipe;
    issue_one(sm, scheduler, number);
    for (uint32_t i = 1; i < sm->spec->issue_max; i++) {
        if (!(candidates(sm, scheduler) >> number & 1))
            return;
        uint8_t next = sm_next_of(warp)->pipe;
        if (sm->spec->different_units && unit_kind(next) == unit_kind(pipe))
            return;
        issue_one(sm, scheduler, number);
        pipe = next;
    }
}

/* A memory barrier lets its warp go on once all its loads have come; L1 may
 * then hold old data of others. */
static void pass_membars(struct sm *sm)
{
    for (uint64_t warps = sm->waiting_membar; warps != 0; warps &= warps - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(warps);
        if (sm->warps[number].busy_count != 0)
            continue;
        sm->waiting_membar &= ~(1ull << number);
        sm->moved = true;
        if (sm->spec->invalidate_at_membar && sm->spec->l1_enabled)
            tags_clear(&sm->l1.tags, sm->l1.tags.spec.ways);
    }
}

void sm_issue(struct sm *sm)
{
    if (sm->waiting_membar != 0)
        pass_membars(sm);
    uint64_t open = open_warps(sm);
    if (open == 0 || open == sm->issue_stuck) {
        sm_tell_no_turn(sm);
        return;
    }
    const struct warp_scheduler *policy = sm->spec->scheduler;
    uint32_t count = sm->spec->schedulers;
    uint32_t scheduler = (uint32_t)((sm->turn + sm->now - sm->first_cycle) % count);
    bool issued = false;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t ready = candidates(sm, scheduler);
        uint32_t warp = SM_MAX_WARPS;
        if (ready != 0) {
            warp = policy->choose(sm_scheduler_state(sm, scheduler), &sm->view, ready);
            issue_warp(sm, scheduler, warp);
            issued = true;
        }
        sm_tell_turn(sm, scheduler, warp);
        if (++scheduler == count)
            scheduler = 0;
    }
    /* None will issue before the set changes, a register behind the schedulers or a list is
     * free again. */
    sm->issue_stuck = issued ? 0 : open;
}
