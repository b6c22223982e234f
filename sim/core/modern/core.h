/* Between the files of the modern core. */
#ifndef HEARTH_SIM_CORE_MODERN_CORE_H
#define HEARTH_SIM_CORE_MODERN_CORE_H

#include "sim/core/modern/modern.h"

#define VARIABLE_READ                                                                          \
    6 /* cycles from issue until a unit without a queue has read its sources */

/* Cycles from the first fetch of a warp until it can issue: fetch, decode, and the cycle of its
 * block's arrival. */
#define FIRST_FETCH 3

static inline const struct sm_launch *core_launch_of(const struct modern *core,
                                                     const struct modern_warp *warp)
{
    return core->sm.blocks[warp->block].launch;
}

static inline void *core_scheduler_state(const struct modern *core, uint32_t scheduler)
{
    return core->scheduler_states + scheduler * core->sm.spec->scheduler->state_size;
}

/* The next instruction of a warp that has one. */
static inline const struct inst *core_next_of(const struct modern_warp *warp)
{
    return inst_table_get(warp->insts, warp->next.inst);
}

/* Something must be looked at again at CYCLE, although nothing moves now. */
static inline void core_wake(struct modern *core, uint64_t cycle)
{
    if (cycle < core->wake)
        core->wake = cycle;
}

/* Some work of a warp has finished: marks the warp done if it was the last. */
static inline void core_settle(struct modern *core, uint32_t number)
{
    const struct modern_warp *warp = &core->warps[number];
    if ((core->ended >> number & 1) && warp->events == 0 && warp->accesses == 0 &&
        warp->loads == 0)
        core->done |= 1ull << number;
}

/* ---- modern.c ---- */

uint16_t core_new_op(struct modern *core);
void core_free_op(struct modern *core, uint16_t op);

/* ---- events.c: what happens at a time that is known ---- */

/* The sources of INST have been read, its result is there, at CYCLE, later than now. */
void core_plan_read(struct modern *core, uint32_t warp, const struct inst *inst,
                    uint64_t cycle);
void core_plan_result(struct modern *core, uint32_t warp, const struct inst *inst,
                      uint64_t cycle);
/* The result is in its registers at CYCLE, later than now. */
void core_plan_written(struct modern *core, uint32_t warp, const struct inst *inst,
                       uint64_t cycle);
/* WARP goes on at CYCLE. */
void core_plan_go_on(struct modern *core, uint32_t warp, uint64_t cycle);
/* WARP, a new one, fetches its first instruction at CYCLE. */
void core_plan_fetch(struct modern *core, uint32_t warp, uint64_t cycle);
/* The time of WARP's memory barrier is over at CYCLE. */
void core_plan_membar(struct modern *core, uint32_t warp, uint64_t cycle);
/* The barrier of BLOCK opens at CYCLE for WARPS. */
void core_plan_open(struct modern *core, uint32_t block, uint64_t warps, uint64_t cycle);
/* Handles the events of this cycle. */
void core_handle_events(struct modern *core);
/* The cycle of the next one, from now on; UINT64_MAX: none. */
uint64_t core_next_event(const struct modern *core);
bool core_make_events(struct modern *core);

/* ---- warps.c: what warps wait for ---- */

/* INST's result is there: its counter falls, its registers can be read. */
void core_written(struct modern *core, uint32_t warp, const struct inst *inst);
/* Its sources have been read. */
void core_was_read(struct modern *core, uint32_t warp, const struct inst *inst);
/* COUNT stores of WARP are on their way; one has been acknowledged. */
static inline void core_store(struct modern *core, uint32_t warp, uint32_t count)
{
    core->stores[warp] += count;
    core->store_count += count;
    sm_fly(&core->sm, core->warps[warp].slot, count);
}
/* PACKET has the warp's slot and that of its launch. */
void core_stored(struct modern *core, const struct packet *packet);
/* An instruction of WARP has left the queue and the shared unit. */
void core_access_ended(struct modern *core, uint32_t warp);
/* The data of OP, an asynchronous copy, have come. */
void core_copied(struct modern *core, const struct sm_op *op);
/* WARP, which has a next instruction, may have become ready. */
void core_place(struct modern *core, uint32_t warp);
/* The same for those whose stall ends in this cycle. */
void core_place_stalled(struct modern *core);
/* The cycle of the next such end, from now on; UINT64_MAX: none. */
uint64_t core_next_stalled(const struct modern *core);
/* Reads the next instruction of WARP, which may issue at CYCLE, or ends the warp. LAST issues
 * now; NULL: none has. */
void core_next_inst(struct modern *core, uint32_t warp, uint64_t cycle,
                    const struct modern_issued *last);
/* WARP, a new one, fetches its first instruction now. */
void core_fetch_first(struct modern *core, uint32_t warp);
/* Takes the code that has come from L2. */
void core_take_code(struct modern *core);
/* Whether the warp's dependence counters let its next instruction issue. */
bool core_counters_allow(const struct modern *core, uint32_t warp);
/* All data of one of the warp's loads have come. */
void core_loaded(struct modern *core, uint32_t warp);
/* INST of WARP has issued, by RECORD: what it does to the warp beyond registers. */
void core_take_effect(struct modern *core, uint32_t warp, const struct inst *inst,
                      const struct trace_record *record);
/* The barrier of BLOCK opens for WARPS. */
void core_open_barrier(struct modern *core, uint32_t block, uint64_t warps);
/* The time of WARP's memory barrier is over. */
void core_end_membar(struct modern *core, uint32_t warp);
void core_retire(struct modern *core);

/* ---- front.c ---- */

/* WARP begins: its first instruction can issue in FIRST, and the others of its buffer follow.
 */
void core_refill(struct modern *core, uint32_t warp, uint64_t first);
/* WARP jumps now, to an instruction that can issue in FIRST at the earliest; returns when. */
uint64_t core_refetch(struct modern *core, uint32_t warp, uint64_t first);
/* An instruction of WARP issues now; returns when the one behind it can. */
uint64_t core_take_decoded(struct modern *core, uint32_t warp);

/* ---- results.c ---- */

/* INST, of a fixed time, issues now in SUB. */
void core_note_write(struct modern *core, struct modern_sub_core *sub, const struct inst *inst);
/* The result of INST, which is not of a fixed time, has come to its sub-core. */
void core_data_came(struct modern *core, uint32_t warp, const struct inst *inst);

/* ---- issue.c ---- */

void core_issue(struct modern *core);

/* ---- constants.c ---- */

/* The cycles by which OP, an LDC that issues now with RECORD, takes longer than a hit of one
 * word. */
uint16_t core_constant_wait(struct modern *core, const struct sm_op *op,
                            const struct trace_record *record);

/* ---- ports.c ---- */

/* INST of WARP, which issues now in SUB, reads its registers. */
void core_read_registers(struct modern *core, struct modern_sub_core *sub, uint32_t warp,
                         const struct inst *inst);

/* WARP is a new one: nothing is kept of that slot. */
void core_forget_operands(struct modern *core, uint32_t warp);

/* ---- specify.c, serialize.c, stalls.c ---- */

int modern_specify(const struct sm_spec *spec, void *own, struct error *err);
/* The hook `sends` of struct core_model. */
uint32_t modern_sends(const struct sm_spec *spec);
void modern_serialize(struct sm *sm, struct serializer *image);
bool modern_stalls_create(struct modern *core);
/* The hook `stall` of struct core_model. */
uint8_t modern_stall(const struct sm *sm, uint32_t scheduler, uint32_t warp);

#endif
