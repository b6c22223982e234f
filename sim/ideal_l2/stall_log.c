#include "sim/ideal_l2/stall_log.h"

void stall_log_end(struct stall_log *held, uint64_t now)
{
    if (held->since == 0)
        return;
    held->spells[held->count++ % STALL_LOG_SPELLS] =
        (struct stall_log_spell){.begin = held->since, .end = now, .before = held->total};
    held->total += now - held->since;
    held->since = 0;
}

/* The held cycles before CYCLE, given a spell that starts at BEGIN after BEFORE held cycles. */
static uint64_t within(uint64_t begin, uint64_t before, uint64_t cycle)
{
    return cycle > begin ? before + (cycle - begin) : before;
}

uint64_t stall_log_before(const struct stall_log *held, uint64_t cycle)
{
    uint64_t known = held->count < STALL_LOG_SPELLS ? held->count : STALL_LOG_SPELLS;
    if (held->since != 0 && cycle >= held->since)
        return within(held->since, held->total, cycle);
    uint64_t total = held->total;
    for (uint64_t i = 1; i <= known; i++) {
        const struct stall_log_spell *spell =
            &held->spells[(held->count - i) % STALL_LOG_SPELLS];
        if (cycle >= spell->end)
            return total;
        total = spell->before;
        if (cycle >= spell->begin)
            return within(spell->begin, spell->before, cycle);
    }
    return total;
}
