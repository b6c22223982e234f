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

/* The tick in which BANK, which is idle in TICK, closes its row because nobody uses it. */
static uint64_t closing(const struct dram *dram, const struct dram_bank *bank, uint64_t tick)
{
    uint32_t idle = (uint32_t)tick - bank->used;
    if (dram->spec.close == 0 || idle < dram->spec.close)
        return UINT64_MAX;
    return dram_later(tick - idle + dram->spec.close, bank->from[DRAM_PRECHARGE]);
}

/* Precharges BANK, which is idle, in tick AT. */
static void close_row(struct dram *dram, struct dram_bank *bank, uint64_t at)
{
    bank->active = false;
    bank->from[DRAM_ACTIVATE] =
        dram_later(bank->from[DRAM_ACTIVATE], at + dram->spec.timing.rp);
    dram->stats.precharges++;
}

/* The place of bank B in the order in which banks refresh. */
static uint32_t refresh_turn(const struct dram_spec *spec, uint32_t b)
{
    uint32_t groups = spec->timing.bank_groups;
    if (!spec->refresh_together || spec->group_high_bits)
        return b;
    return (b & (groups - 1)) * (spec->timing.banks / groups) + b / groups;
}

/* Bank B, which is idle in TICK, refreshes if that has become due since it last did: when it is
 * due, or when the request that the bank served then was done. */
static void refresh_bank(struct dram *dram, uint32_t b, uint64_t tick)
{
    const struct dram_spec *spec = &dram->spec;
    struct dram_bank *bank = &dram->banks[b];
    /* Ticks count from when the bank's first refresh was due, at or before the first tick. */
    uint64_t before =
        dram->refresh_phase + dram->refresh_passed +
        (uint64_t)spec->refresh_interval * refresh_turn(spec, b) / spec->timing.banks;
    uint64_t first = dram->refresh_from;
    uint64_t number = (tick - first + before) / spec->refresh_interval;
    uint64_t due = number * spec->refresh_interval;
    if (bank->refreshes > number)
        return;
    bank->refreshes = number + 1;
    if (bank->active) {
        uint64_t now =
            dram_later(due > before ? first + due - before : 0, bank->from[DRAM_PRECHARGE]);
        uint64_t at = closing(dram, bank, tick);
        close_row(dram, bank, at < now ? at : now);
    }
    uint64_t *ready = &bank->from[DRAM_ACTIVATE];
    uint64_t end =
        dram_later(due, *ready > first ? *ready - first + before : 0) + spec->refresh;
    *ready = dram_later(*ready, end > before ? first + end - before : 0);
}

/* Works out, and counts, what bank B, which is idle in TICK, has done since its last request:
 * that is soon enough, when the next one comes. */
static void settle(struct dram *dram, uint32_t b, uint64_t tick)
{
    struct dram_bank *bank = &dram->banks[b];
    if (dram->spec.refresh_banks)
        refresh_bank(dram, b, tick);
    uint64_t at = bank->active ? closing(dram, bank, tick) : UINT64_MAX;
    if (at != UINT64_MAX)
        close_row(dram, bank, at);
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
    settle(dram, choice.bank, tick);
    dram_want(dram, choice.bank, tick);
    struct dram_stats *stats = &dram->stats;
    *(bank->wants >= DRAM_READ ? &stats->row_hits : &stats->row_misses) += 1;
    dram->busy |= 1ull << choice.bank;
    return true;
}
