/* How long an L2 slice has held requests back because the oldest of them found no room: no
 * queue entry, no MSHR or no line, as other requests wait for DRAM. Only with sim_ideal_l2().
 *
 * Requests that have not reached the slice, in crossbars and SMs, wait with it. So each request
 * carries the cycle in which its SM sent it: from the cycle in which it would have reached the
 * slice, it has been held as long as the slice has.
 */
#ifndef HEARTH_SIM_IDEAL_L2_STALL_LOG_H
#define HEARTH_SIM_IDEAL_L2_STALL_LOG_H

#include <stdint.h>

/* Spells that are remembered; of older spells, only the total is known. */
#define STALL_LOG_SPELLS 256u

/* Times are core cycles. A zeroed one: none was held yet. */
struct stall_log {
    uint64_t total; /* without the spell that lasts */
    uint64_t since; /* when it began; 0: none lasts */
    struct stall_log_spell {
        uint64_t begin, end, before; /* `total` at its beginning */
    } spells[STALL_LOG_SPELLS];      /* by number modulo STALL_LOG_SPELLS */
    uint64_t count;                  /* of spells that have ended */
};

/* The oldest request finds no room in cycle NOW. */
static inline void stall_log_begin(struct stall_log *held, uint64_t now)
{
    if (held->since == 0)
        held->since = now;
}

/* It has gone on in cycle NOW. */
void stall_log_end(struct stall_log *held, uint64_t now);

/* The cycles before CYCLE in which requests were held back. */
uint64_t stall_log_before(const struct stall_log *held, uint64_t cycle);

#endif
