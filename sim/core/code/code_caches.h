/* Caches of instructions and constants of an SM: each sub-core has an L0 of instructions with a
 * stream buffer; constants have caches of their own (code_constants.h); behind them is what the
 * SM shares (code_supply.h).
 *
 * When a line comes is known when it is asked for. A core model calls code_fetch() for the
 * instruction that a warp needs next, and again no earlier than in the cycle that it returns;
 * nothing has to be advanced in between.
 *
 * What comes from L2 is the exception (code_supply.h): its time is at least CODE_ON_ITS_WAY,
 * and the SM has to send requests and take answers in the cycle code_supply_next(). When the
 * line has come, code_came() turns such a time into a cycle.
 *
 * A fetch that hits in L0 takes no time. With l0_latency it takes that long after a jump,
 * unless the line, or the one before it, is among the last l0_recent lines that this L0 was
 * asked for in the launch: code that goes on and short loops take no time.
 *
 * A fetch that finds its line first in the stream buffer takes it from there, and as many lines
 * as fit again are asked for behind the last one. Any other line is asked for, and the buffer
 * restarts with the lines after it. It stops at a line that L0 holds, until the next restart.
 *
 * With l0_requests, an L0 and its buffer have only that many lines on their way: the next one
 * of the buffer is asked for when the one that many lines before it has come. A fetch then
 * takes its line from anywhere in the buffer, and drops those before it; a line that has not
 * been asked for yet restarts the buffer. This is worked out when the L0 misses again: what was
 * to be asked for until then is looked up as if in its time. */
#ifndef HEARTH_SIM_CORE_CODE_CODE_CACHES_H
#define HEARTH_SIM_CORE_CODE_CODE_CACHES_H

#include <stddef.h>

#include "sim/core/code/code_constants.h"
#include "sim/core/code/code_stats.h"
#include "sim/core/code/code_supply.h"
#include "sim/core/code/stream_buffer.h"
#include "sim/stats/shares.h"

struct code_caches {
    const struct code_spec *spec;
    uint64_t last[CODE_MAX_SUB_CORES]; /* of each L0: a line that is there; 1: none */
    struct line_cache l0[CODE_MAX_SUB_CORES];
    struct line_cache
        recent[CODE_MAX_SUB_CORES];             /* with l0_latency: the last lines of each L0 */
    uint64_t recent_launch[CODE_MAX_SUB_CORES]; /* the last launch of which these are */
    struct stream_buffer streams[CODE_MAX_SUB_CORES];
    uint64_t l0_free[CODE_MAX_SUB_CORES]; /* cycle from which an L0's port takes a request */
    struct code_constants constants;
    struct code_supply supply;
    struct code_stats stats;
    struct code_stats *shares; /* of each launch slot, where several launches run at once;
                                * else NULL. The owner is the engine */
};

/* SPEC must outlive it. Returns NULL when memory is short. */
struct code_caches *code_caches_create(const struct code_spec *spec);
/* Accepts NULL. */
void code_caches_destroy(struct code_caches *caches);
/* Empties them, at cycle 0. */
void code_caches_clear(struct code_caches *caches);

/* What code_fetch() does if its line was not the last one. */
uint64_t code_fetch_line(struct code_caches *caches, uint32_t sub_core, uint32_t slot,
                         const struct code_place *place, uint64_t address, uint64_t now);

/* SUB_CORE fetches the instruction at PC, bytes from the begin of the code at PLACE, in cycle
 * NOW, which never decreases, for the launch in SLOT. Returns the cycle in which it is there:
 * NOW itself for a hit. */
static inline uint64_t code_fetch(struct code_caches *caches, uint32_t sub_core, uint32_t slot,
                                  const struct code_place *place, uint32_t pc, uint64_t now)
{
    uint64_t address = (place->address + pc) & ~(uint64_t)(caches->spec->line - 1);
    SHARES_ADD(caches, slot, fetches, 1);
    return caches->last[sub_core] == address
               ? now
               : code_fetch_line(caches, sub_core, slot, place, address, now);
}

/* Takes the oldest answer of L2, which is there. Returns whether its line, *ADDRESS, is
 * complete, and then in which *CYCLE it came. */
bool code_caches_take(struct code_caches *caches, uint64_t *address, uint64_t *cycle);

/* A constant operand, or ULDC's, of an instruction that SUB_CORE wants to issue in NOW. Returns
 * the cycle in which it is there: NOW itself for a hit. */
uint64_t code_constant_operand(struct code_caches *caches, uint32_t sub_core, uint32_t slot,
                               const struct code_place *place, struct code_constant constant,
                               uint64_t now);
/* The same for a word that an LDC loads, in the cache of the SM. */
uint64_t code_constant_load(struct code_caches *caches, uint32_t slot,
                            const struct code_place *place, struct code_constant constant,
                            uint64_t now);

/* The same for an LDC whose COUNT lanes load words of BANK at LANES, bytes: a line a cycle.
 * Returns the cycle in which the last line is there. */
uint64_t code_constant_lanes(struct code_caches *caches, uint32_t slot,
                             const struct code_place *place, uint32_t bank,
                             const uint64_t *lanes, uint32_t count, uint64_t now);

/* True when two instructions of the code at PLACE lie in the same line. */
static inline bool code_together(const struct code_caches *caches,
                                 const struct code_place *place, uint32_t pc, uint32_t other)
{
    return (((place->address + pc) ^ (place->address + other)) &
            ~(uint64_t)(caches->spec->line - 1)) == 0;
}

#endif
