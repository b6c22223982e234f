/* What the files of a DRAM channel share. */
#ifndef HEARTH_SIM_MEMORY_DRAM_DRAM_PARTS_H
#define HEARTH_SIM_MEMORY_DRAM_DRAM_PARTS_H

#include "sim/memory/dram/dram.h"

/* Index of a bank's queues, and of the masks of banks with requests in them. */
enum { DRAM_READS, DRAM_WRITES };

static inline uint64_t dram_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint32_t dram_next_bank(const struct dram *dram, uint32_t bank)
{
    return bank + 1 < dram->spec.timing.banks ? bank + 1 : 0;
}

/* BANK has had its turn: the bank after it has priority. */
static inline void dram_pass_turn(struct dram *dram, uint32_t bank)
{
    dram->priority = dram_next_bank(dram, bank);
}

/* ---- for schedulers ---- */

/* The first bank of MASK (not 0), from the one with priority on. */
static inline uint32_t dram_first_bank(const struct dram *dram, uint64_t mask)
{
    uint64_t upper = mask & (~0ull << dram->priority);
    return (uint32_t)__builtin_ctzll(upper != 0 ? upper : mask);
}

/* The first request of ROW in a queue, from request FROM on (DRAM_NONE: its end); DRAM_NONE:
 * there is none. */
static inline uint32_t dram_find_row(const struct dram *dram, uint32_t from, uint32_t row)
{
    while (from != DRAM_NONE && dram->pool[from].row != row)
        from = dram->pool[from].next;
    return from;
}

/* dram_schedule.c */

/* Decides which of the two queues is served now. */
void dram_turn(struct dram *dram);

/* Gives an idle bank its next request in TICK. Returns false if there is none to give. */
bool dram_schedule(struct dram *dram, uint64_t tick);

/* dram_command.c */

/* Notes, in TICK, which command bank B's current request needs next, and from which tick on the
 * bank's own timing allows it. */
void dram_want(struct dram *dram, uint32_t b, uint64_t tick);

/* Gives the commands of TICK, which is not before next_command. Returns false if none can be
 * given. */
bool dram_give_command(struct dram *dram, uint64_t tick);

/* dram.c */

/* Puts the data of REQUEST's last column command, given in TICK, onto the pins. */
void dram_onto_pins(struct dram *dram, const struct dram_request *request, uint64_t tick);

#endif
