/* Loops that read memory until it changes: how often they turn is up to the model, so that
 * their repetitions in a trace are left out. */
#ifndef HEARTH_SIM_CORE_HOPPER_POLL_LOOP_H
#define HEARTH_SIM_CORE_HOPPER_POLL_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/core/coalesce.h"
#include "sim/core/hopper/async_op.h"
#include "sim/core/inst.h"
#include "sim/core/modern/units.h"

#define POLL_LOOP_BYTES 256 /* of code of such a loop, at most */

/* What a warp has read last: memory, or a barrier that it waits at. Zeroed at its begin. */
struct poll_loop {
    bool polls;          /* it reads that, and has done nothing else since: */
    bool repeats;        /* inside a turn that is left out */
    uint64_t polled;     /* address of the first lane; of a barrier, and the phase above it */
    uint32_t at;         /* place of the load or wait; */
    uint32_t begin, end; /* of the first and last instruction from there on */
};

/* Whether INST does something that others see, or that takes a unit for long: no turn of a loop
 * that only waits does. */
static inline bool poll_loop_acts(const struct inst *inst)
{
    uint8_t op = inst->issue.async;
    return inst->issue.unit == UNIT_TENSOR ||
           (op != ASYNC_POLL && op != ASYNC_WAIT && op != ASYNC_SLEEP && op != ASYNC_PAUSE &&
            (op != ASYNC_NONE || inst->issue.kind == KIND_MEMORY));
}

/* What RECORD, a load or a wait, looks at; false: that is not known. */
static inline bool poll_loop_place(const struct inst *inst, const struct trace_record *record,
                                   const uint64_t *addresses, uint64_t *place)
{
    struct trace_extras extras;
    if (!coalesce_first(record, addresses, place))
        return false;
    if (inst->issue.async != ASYNC_WAIT)
        return true;
    if (!trace_record_extras(record, addresses, &extras))
        return false;
    const struct trace_async asks = trace_async_decode(&inst->form, &extras);
    *place = (*place & UINT32_MAX) | (uint64_t)(asks.phase & 1) << 32;
    return asks.is_known;
}

static inline bool poll_loop_reads(const struct inst *inst)
{
    return inst->issue.async == ASYNC_POLL || inst->issue.async == ASYNC_WAIT;
}

/* Whether the warp's next instruction, RECORD with ADDRESSES, is in a loop that reads memory or
 * a barrier, and nothing else, and has read the same before. */
static inline bool poll_loop_repeats(struct poll_loop *loop, const struct inst *inst,
                                     const struct trace_record *record,
                                     const uint64_t *addresses)
{
    uint64_t place;
    if (!loop->polls)
        return false;
    bool same = !poll_loop_reads(inst) ||
                (inst->pc == loop->at && poll_loop_place(inst, record, addresses, &place) &&
                 place == loop->polled);
    if (loop->repeats) {
        loop->polls = loop->repeats =
            inst->pc >= loop->begin && inst->pc <= loop->end && !poll_loop_acts(inst) && same;
        return loop->repeats;
    }
    loop->repeats = poll_loop_reads(inst) && same && loop->end - loop->begin <= POLL_LOOP_BYTES;
    return loop->repeats;
}

/* The warp issues INST. */
static inline void poll_loop_note(struct poll_loop *loop, const struct inst *inst,
                                  const struct trace_record *record, const uint64_t *addresses)
{
    if (poll_loop_reads(inst)) {
        loop->polls = poll_loop_place(inst, record, addresses, &loop->polled);
        loop->at = loop->begin = loop->end = inst->pc;
    } else if (poll_loop_acts(inst)) {
        loop->polls = false;
    }
    if (inst->pc < loop->begin)
        loop->begin = inst->pc;
    if (inst->pc > loop->end)
        loop->end = inst->pc;
}

#endif
