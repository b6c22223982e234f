/* Requests that wait for their bank: when each is served. */
#include "sim/memory/dram/dram_parts.h"

static void take_out(struct dram *dram, struct dram_bank *bank, int which, uint32_t index)
{
    const struct dram_request *request = &dram->pool[index];
    if (request->prev == DRAM_NONE)
        bank->first[which] = request->next;
    else
        dram->pool[request->prev].next = request->next;
    if (request->next == DRAM_NONE)
        bank->last[which] = request->prev;
    else
        dram->pool[request->next].prev = request->prev;
    if (bank->first[which] == DRAM_NONE)
        dram->waiting[which] &= ~(1ull << request->bank);
    if (which == DRAM_WRITES)
        dram->pending_writes--;
    else
        dram->pending--;
}

/* Between the marks the direction stays the same. It is checked in each tick in which a bank is
 * free. */
void dram_turn(struct dram *dram)
{
    const struct dram_spec *spec = &dram->spec;
    uint32_t banks = spec->timing.banks;
    if (spec->write_queue_max == 0 || (uint32_t)__builtin_popcountll(dram->busy) == banks)
        return;
    bool all = dram->hurry && dram->pending == 0;
    if (dram->write_drain)
        dram->write_drain = dram->pending_writes >= (all ? 1 : spec->write_low);
    else
        dram->write_drain = dram->pending_writes >= (all ? 1 : spec->write_high);
}

/* BANK, which is idle in TICK, has closed its row if nobody has used it for long enough. That
 * is worked out, and counted, when the next request comes. */
static void close_row(struct dram *dram, struct dram_bank *bank, uint64_t tick)
{
    uint32_t idle = (uint32_t)tick - bank->used;
    if (dram->spec.close == 0 || !bank->active || idle < dram->spec.close)
        return;
    uint64_t precharge = dram_later(tick - idle + dram->spec.close, bank->from[DRAM_PRECHARGE]);
    bank->active = false;
    bank->from[DRAM_ACTIVATE] =
        dram_later(bank->from[DRAM_ACTIVATE], precharge + dram->spec.timing.rp);
    dram->stats.precharges++;
}

/* Gives an idle bank its next request. */
bool dram_schedule(struct dram *dram, uint64_t tick)
{
    int which = dram->write_drain ? DRAM_WRITES : DRAM_READS;
    uint64_t idle = dram->waiting[which] & ~dram->busy;
    if (idle == 0)
        return false;
    struct dram_choice choice = dram->spec.scheduler->choose(dram, idle, which);
    if (choice.bank == DRAM_NONE)
        return false;
    struct dram_bank *bank = &dram->banks[choice.bank];
    take_out(dram, bank, which, choice.request);
    bank->current = choice.request;
    close_row(dram, bank, tick);
    dram_want(dram, choice.bank, tick);
    struct dram_stats *stats = &dram->stats;
    *(bank->wants >= DRAM_READ ? &stats->row_hits : &stats->row_misses) += 1;
    dram->busy |= 1ull << choice.bank;
    return true;
}
