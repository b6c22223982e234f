/* Warp schedulers, scoreboard, barriers. */
#include "sim/core/legacy/legacy.h"

#include "sim/core/access_rules.h"

/* ---- scoreboards: read after write, write after write; write after read as an option ---- */

static inline void check_results(struct legacy *core, uint32_t number)
{
    const struct legacy_warp *warp = &core->warps[number];
    uint64_t bit = 1ull << number;
    core->hazard &= ~bit;
    if (warp->at >= warp->buffered || warp->busy_count == 0)
        return;
    const struct inst *inst = legacy_next_of(warp);
    for (uint32_t i = 0; i < inst->reg_count; i++) {
        uint8_t reg = inst->regs[i];
        if (warp->busy[reg >> 6] >> (reg & 63) & 1) {
            core->hazard |= bit;
            sm_tell_hazard(&core->sm, number, inst);
            return;
        }
    }
}

/* A separate function, so that the option costs nothing when it is off. */
static LEGACY_RARE void check_readers_too(struct legacy *core, uint32_t number)
{
    const struct legacy_warp *warp = &core->warps[number];
    const struct inst *inst = legacy_next_of(warp);
    if (warp->at >= warp->buffered ||
        !readers_forbid(&core->readers[number], inst, core->spec->readers_max)) {
        check_results(core, number);
        return;
    }
    core->hazard |= 1ull << number;
    sm_tell_hazard(&core->sm, number, inst);
}

void legacy_check_hazard(struct legacy *core, uint32_t number)
{
    if (core->readers != NULL)
        check_readers_too(core, number);
    else
        check_results(core, number);
}

static void reserve(struct legacy_warp *warp, const struct inst *inst)
{
    for (uint32_t i = 0; i < inst->dst_count; i++) {
        uint64_t bit = 1ull << (inst->dst[i] & 63), *word = &warp->busy[inst->dst[i] >> 6];
        warp->busy_count += !(*word & bit);
        *word |= bit;
    }
}

void legacy_release(struct legacy *core, const struct sm_op *op)
{
    struct legacy_warp *warp = &core->warps[op->warp];
    const struct inst *inst = op->inst;
    for (uint32_t i = 0; i < inst->dst_count; i++) {
        uint64_t bit = 1ull << (inst->dst[i] & 63), *word = &warp->busy[inst->dst[i] >> 6];
        warp->busy_count -= (*word & bit) != 0;
        *word &= ~bit;
    }
    if (core->hazard >> op->warp & 1)
        legacy_check_hazard(core, op->warp);
    legacy_settle(core, op->warp);
}

void legacy_operands_read(struct legacy *core, const struct sm_op *op)
{
    readers_remove(&core->readers[op->warp], op->inst);
    if (core->hazard >> op->warp & 1)
        legacy_check_hazard(core, op->warp);
}

static LEGACY_RARE void tell_next(struct legacy *core, uint32_t number)
{
    uint64_t waiting = core->waiting_membar | core->waiting_atomic | core->waiting_copy;
    sm_tell_next(&core->sm, number, waiting >> number & 1);
}

static inline __attribute__((always_inline)) void next_inst(struct legacy *core,
                                                            uint32_t number)
{
    const struct legacy_warp *warp = &core->warps[number];
    core->wants[legacy_next_of(warp)->pipe] |= 1ull << number;
    if (sm_observed(&core->sm, SM_EVENT_next))
        tell_next(core, number);
    if (core->readers != NULL)
        check_readers_too(core, number);
    else
        check_results(core, number);
}

void legacy_next_inst(struct legacy *core, uint32_t number)
{
    next_inst(core, number);
}

/* ---- barriers ---- */

static void open_barrier(struct legacy *core, struct sm_block *block)
{
    if (block->waiting == 0 || block->waiting < block->running)
        return;
    sm_tell_opened(&core->sm, (uint32_t)(block - core->sm.blocks), block->at_barrier);
    core->waiting_barrier &= ~block->at_barrier;
    block->at_barrier = 0;
    block->waiting = 0;
}

/* BAR.ARV counts for the barrier, but its warp continues. Traces do not name
 * the barrier: all barriers of a block are treated as one. */
static void arrive(struct legacy *core, uint32_t number)
{
    struct sm_block *block = &core->sm.blocks[core->warps[number].block];
    block->waiting++;
    sm_tell_arrived(&core->sm, number, core->warps[number].block);
    open_barrier(core, block);
}

static void reach_barrier(struct legacy *core, uint32_t number)
{
    struct sm_block *block = &core->sm.blocks[core->warps[number].block];
    block->at_barrier |= 1ull << number;
    block->waiting++;
    sm_tell_arrived(&core->sm, number, core->warps[number].block);
    core->waiting_barrier |= 1ull << number;
    open_barrier(core, block);
}

void legacy_end_warp(struct legacy *core, uint32_t number)
{
    struct sm_block *block = &core->sm.blocks[core->warps[number].block];
    uint64_t bit = 1ull << number;
    core->ended |= bit;
    core->fetchable &= ~bit;
    core->buffered &= ~bit;
    core->hazard &= ~bit;
    core->waiting_membar &= ~bit;
    core->waiting_copy &= ~bit;
    if (core->waiting_barrier & bit) {
        core->waiting_barrier &= ~bit;
        block->at_barrier &= ~bit;
        block->waiting--;
    }
    block->running--;
    sm_tell_arrived(&core->sm, number, core->warps[number].block);
    open_barrier(core, block);
    legacy_settle(core, number);
}

/* ---- groups of asynchronous copies ---- */

static void pass_groups(struct legacy_warp *warp)
{
    while (warp->groups_done < warp->group &&
           warp->copies[warp->groups_done % LEGACY_GROUPS] == 0)
        warp->groups_done++;
}

void legacy_memory_copied(struct legacy *core, const struct sm_op *op)
{
    struct legacy_warp *warp = &core->warps[op->warp];
    warp->copies[op->group]--;
    pass_groups(warp);
    if (warp->groups_done >= warp->group_wait)
        core->waiting_copy &= ~(1ull << op->warp);
}

static void wait_for_copies(struct legacy *core, uint32_t number, uint32_t open_groups)
{
    struct legacy_warp *warp = &core->warps[number];
    warp->group_wait = warp->group > open_groups ? warp->group - open_groups : 0;
    pass_groups(warp);
    if (warp->groups_done < warp->group_wait)
        core->waiting_copy |= 1ull << number;
}

/* ---- issue ---- */

/* Whether the warp does nothing else until OP, an atomic, has been answered. */
static bool waits_for_atomic(const struct legacy *core, const struct sm_op *op)
{
    const struct sm_spec *spec = core->sm.spec;
    return spec->waits_for_atomics &&
           (op->space == TRACE_SPACE_SHARED || !access_is_posted(spec, op->inst));
}

/* What an instruction does to its warp beyond registers. */
static void take_effect(struct legacy *core, uint32_t number, struct sm_op *op,
                        const struct inst *inst)
{
    struct legacy_warp *warp = &core->warps[number];
    if (inst->access == TRACE_ACCESS_ATOMIC && op->mask != 0 && waits_for_atomic(core, op)) {
        warp->atomics += (uint32_t)__builtin_popcount(op->mask);
        core->waiting_atomic |= 1ull << number;
    }
    if (inst->flags & TRACE_INST_LDGSTS) {
        op->group = (uint8_t)(warp->group % LEGACY_GROUPS);
        warp->copies[op->group] += op->mask != 0;
    }
    if (inst->flags & TRACE_INST_ARRIVE)
        arrive(core, number);
    else if (inst->flags & TRACE_INST_BARRIER)
        reach_barrier(core, number);
    else if (inst->flags & TRACE_INST_MEMBAR)
        core->waiting_membar |= 1ull << number;
    else if (inst->flags & TRACE_INST_LDGDEPBAR)
        warp->group++;
    else if (inst->flags & TRACE_INST_DEPBAR)
        wait_for_copies(core, number, inst->imm);
}

static void put(struct legacy *core, uint16_t index, const struct inst *inst)
{
    const struct sm_op *op = &core->ops[index];
    uint32_t slot = core->spec->sub_cores
                        ? op->scheduler
                        : (uint32_t)__builtin_ctz(~core->id_oc_full[inst->pipe]);
    uint32_t *full = &core->id_oc_full[inst->pipe];
    core->id_oc[inst->pipe][slot] = index;
    core->id_oc_order[inst->pipe] |= (uint64_t)slot << (4 * __builtin_popcount(*full));
    *full |= 1u << slot;
    core->id_oc_pipes |= 1u << inst->pipe;
    core->collect_stuck = false;
}

/* What most instructions do not need. */
static void prepare(struct legacy *core, struct sm_op *op, const struct inst *inst,
                    const struct trace_record *record)
{
    if (core->readers != NULL)
        readers_add(&core->readers[op->warp], inst);
    if (inst->pipe == PIPE_MEM)
        load_store_prepare(core, op, record);
    else if (core->sm.spec->code.constants && inst->space == TRACE_SPACE_CONSTANT)
        op->cycles = legacy_constant_wait(core, op, record);
}

static void count_inst(struct sm_stats *stats, uint32_t mask)
{
    stats->warp_insts++;
    stats->thread_insts += (uint64_t)__builtin_popcount(mask);
}

static void issue_one(struct legacy *core, uint32_t scheduler, uint32_t number)
{
    struct legacy_warp *warp = &core->warps[number];
    const struct trace_record *record = &warp->buffer[warp->at];
    const struct inst *inst = legacy_next_of(warp);
    uint16_t index = legacy_new_op(core);
    struct sm_op *op = &core->ops[index];
    *op = (struct sm_op){.age = core->next_age++,
                         .inst = inst,
                         .mask = record->mask,
                         .next = SM_NONE,
                         .warp = (uint8_t)number,
                         .scheduler = (uint8_t)scheduler,
                         .list = SM_LISTS};
    if (inst->prepared)
        prepare(core, op, inst, record);
    put(core, index, inst);
    core->wants[inst->pipe] &= ~(1ull << number);
    core->moved = true;
    reserve(warp, inst);
    sm_tell_issued(&core->sm, index, op);
    sm_tell_stepped(&core->sm, number, warp->block, inst, op->mask);
    take_effect(core, number, op, inst);
    SHARES_CALL(&core->sm, warp->slot, count_inst, op->mask);
    warp->waits_since = core->sm.now;
    if (++warp->at == warp->buffered) {
        uint64_t bit = 1ull << number;
        warp->buffered = warp->at = 0;
        core->buffered &= ~bit;
        core->hazard &= ~bit;
        if (warp->left != 0)
            core->fetchable |= bit;
        else
            legacy_end_warp(core, number);
    } else {
        next_inst(core, number);
    }
}

static bool pipe_free(const struct legacy *core, uint32_t pipe, uint32_t scheduler)
{
    if (core->spec->sub_cores)
        return !(core->id_oc_full[pipe] >> scheduler & 1);
    return core->id_oc_full[pipe] != (1u << core->spec->id_oc[pipe]) - 1;
}

/* Warps whose next instruction waits for nothing of its own. */
static uint64_t open_warps(const struct legacy *core)
{
    return core->buffered &
           ~(core->hazard | core->waiting_barrier | core->waiting_membar |
             core->waiting_atomic | core->waiting_copy | core->awaiting_constant);
}

static uint64_t candidates(const struct legacy *core, uint32_t scheduler)
{
    uint64_t ready = core->scheduler_warps[scheduler] & open_warps(core);
    if (ready == 0)
        return 0;
    if (!load_store_has_list(&core->load_store))
        ready &= ~core->wants[PIPE_MEM];
    if (core->free_op == SM_NONE && core->op_count == SM_NONE)
        return 0; /* as many instructions in flight as can be numbered */
    for (uint32_t pipes = core->id_oc_pipes; pipes != 0 && ready != 0; pipes &= pipes - 1) {
        uint32_t pipe = (uint32_t)__builtin_ctz(pipes);
        if (!pipe_free(core, pipe, scheduler))
            ready &= ~core->wants[pipe];
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
static void issue_warp(struct legacy *core, uint32_t scheduler, uint32_t number)
{
    const struct legacy_warp *warp = &core->warps[number];
    uint8_t pipe = legacy_next_of(warp)->pipe;
    issue_one(core, scheduler, number);
    for (uint32_t i = 1; i < core->spec->issue_max; i++) {
        if (!(candidates(core, scheduler) >> number & 1) ||
            !legacy_constant_there(core, scheduler, number))
            return;
        uint8_t next = legacy_next_of(warp)->pipe;
        if (core->spec->different_units && unit_kind(next) == unit_kind(pipe))
            return;
        issue_one(core, scheduler, number);
        pipe = next;
    }
}

/* A memory barrier lets its warp go on once all its loads have come; L1 may
 * then hold old data of others. */
static void pass_membars(struct legacy *core)
{
    for (uint64_t warps = core->waiting_membar; warps != 0; warps &= warps - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(warps);
        if (core->warps[number].busy_count != 0)
            continue;
        core->waiting_membar &= ~(1ull << number);
        core->moved = true;
        if (core->spec->invalidate_at_membar && core->sm.spec->l1_enabled)
            tags_clear(&core->sm.l1.tags, core->sm.l1.tags.spec.ways);
    }
}

/* The scheduler that comes first in this cycle. */
static uint32_t first_scheduler(const struct legacy *core)
{
    uint64_t turns = core->turn + core->sm.now - core->first_cycle;
    uint32_t count = core->sm.spec->schedulers;
    /* Most cores have four, and a division takes long. */
    return (uint32_t)((count & (count - 1)) == 0 ? turns & (count - 1) : turns % count);
}

void legacy_issue(struct legacy *core)
{
    if (core->waiting_membar != 0)
        pass_membars(core);
    if (core->awaiting_constant != 0)
        legacy_take_constants(core);
    uint64_t open = open_warps(core);
    if (open == 0 || open == core->issue_stuck) {
        sm_tell_no_turn(&core->sm);
        return;
    }
    const struct warp_scheduler *policy = core->sm.spec->scheduler;
    uint32_t count = core->sm.spec->schedulers;
    uint32_t scheduler = first_scheduler(core);
    bool issued = false;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t ready = candidates(core, scheduler);
        uint32_t warp = SM_MAX_WARPS;
        if (ready != 0) {
            warp = policy->choose(legacy_scheduler_state(core, scheduler), &core->view, ready);
            if (legacy_constant_there(core, scheduler, warp))
                issue_warp(core, scheduler, warp);
            else
                warp = SM_MAX_WARPS;
            issued = true;
        }
        sm_tell_turn(&core->sm, scheduler, warp);
        if (++scheduler == count)
            scheduler = 0;
    }
    /* No warp will issue until the set changes, or an issue register or an access list becomes
     * free. */
    core->issue_stuck = issued ? 0 : open;
}
