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

/* What a warp has read last. Zeroed at its begin. */
struct poll_loop {
    bool polls;          /* it reads memory, and nothing else since: */
    uint64_t polled;     /* address of the first lane */
    uint32_t begin, end; /* places of the load, and of the loop's last instruction; end 0: it is
                            in none */
};

/* Whether the warp's next instruction, RECORD with ADDRESSES, is in a loop that reads memory,
 * and nothing else, and has read the same before. LAST: the instruction before; NULL: none. */
static inline bool poll_loop_repeats(struct poll_loop *loop, const struct inst *inst,
                                     const struct inst *last, const struct trace_record *record,
                                     const uint64_t *addresses)
{
    uint64_t address;
    if (loop->end != 0) {
        if (inst->pc >= loop->begin && inst->pc <= loop->end)
            return true;
        loop->end = 0;
        loop->polls = false;
    }
    if (!loop->polls || last == NULL || inst->issue.async != ASYNC_POLL ||
        inst->pc != loop->begin || last->pc <= inst->pc ||
        last->pc > inst->pc + POLL_LOOP_BYTES || !coalesce_first(record, addresses, &address) ||
        address != loop->polled)
        return false;
    loop->end = last->pc;
    return true;
}

/* The warp issues INST. */
static inline void poll_loop_note(struct poll_loop *loop, const struct inst *inst,
                                  const struct trace_record *record, const uint64_t *addresses)
{
    if (inst->issue.async != ASYNC_POLL) {
        loop->polls &= inst->issue.unit != UNIT_MEMORY;
        return;
    }
    loop->polls = coalesce_first(record, addresses, &loop->polled);
    loop->begin = inst->pc;
}

#endif
