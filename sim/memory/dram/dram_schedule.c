/* Requests that wait for their bank: in which order they are served. */
#include "sim/memory/dram/dram_parts.h"

static uint32_t find_row(const struct dram *dram, uint32_t from, uint32_t row)
{
    while (from != DRAM_NONE && dram->pool[from].row != row)
        from = dram->pool[from].next;
    return from;
}

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

/* The bank's next request: the oldest of the row being served out; without
 * one, the oldest of the open row, else the oldest of all, whose row is then
 * served out. */
static uint32_t choose(struct dram *dram, struct dram_bank *bank, int which)
{
    uint32_t first = bank->first[which];
    if (first == DRAM_NONE || dram->spec.scheduler == DRAM_FIFO)
        return first;
    if (bank->streak[which])
        return find_row(dram, first, bank->streak_row[which]);
    uint32_t hit = find_row(dram, first, bank->row);
    uint32_t chosen = hit == DRAM_NONE ? first : hit;
    bank->streak_row[which] = dram->pool[chosen].row;
    bank->streak[which] = true;
    return chosen;
}

/* Between the marks the direction stays. It is looked at in each tick in which a
 * bank is free. */
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

/* The first bank of MASK from the priority one on. */
static uint32_t first_bank(const struct dram *dram, uint64_t mask)
{
    uint64_t upper = mask & (~0ull << dram->priority);
    return (uint32_t)__builtin_ctzll(upper != 0 ? upper : mask);
}

/* A mask of the bank that the channel's oldest request waits for. */
static uint64_t bank_of_oldest(const struct dram *dram, int which)
{
    uint64_t oldest = UINT64_MAX, mask = 0;
    for (uint64_t rest = dram->waiting[which]; rest != 0; rest &= rest - 1) {
        uint32_t first = dram->banks[__builtin_ctzll(rest)].first[which];
        if (dram->pool[first].order >= oldest)
            continue;
        oldest = dram->pool[first].order;
        mask = rest & -rest;
    }
    return mask;
}

/* Gives one idle bank its next request. */
bool dram_schedule(struct dram *dram, uint64_t tick)
{
    int which = dram->write_drain ? DRAM_WRITES : DRAM_READS;
    uint64_t idle = dram->waiting[which] & ~dram->busy;
    if (idle != 0 && dram->spec.scheduler == DRAM_FIFO)
        idle &= bank_of_oldest(dram, which);
    if (idle == 0)
        return false;
    uint32_t number = first_bank(dram, idle);
    struct dram_bank *bank = &dram->banks[number];
    uint32_t index = choose(dram, bank, which);
    take_out(dram, bank, which, index);
    bank->current = index;
    dram_want(dram, number, tick);
    struct dram_stats *stats = &dram->stats;
    *(bank->wants >= DRAM_READ ? &stats->row_hits : &stats->row_misses) += 1;
    dram->busy |= 1ull << number;
    /* Those in front of the chosen one are of other rows. */
    bank->streak[which] = bank->streak[which] && find_row(dram, dram->pool[index].next,
                                                          bank->streak_row[which]) != DRAM_NONE;
    if (dram->spec.scheduler != DRAM_FIFO)
        dram->priority = dram_next_bank(dram, dram->priority);
    return true;
}
