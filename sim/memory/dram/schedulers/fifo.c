/* First in, first out: the oldest request of the channel, even if it waits for its bank. */
#include "sim/memory/dram/dram_parts.h"

/* The bank that the oldest request of the channel waits for. */
static uint32_t bank_of_oldest(const struct dram *dram, int which)
{
    uint64_t oldest = UINT64_MAX;
    uint32_t bank = DRAM_NONE;
    for (uint64_t rest = dram->waiting[which]; rest != 0; rest &= rest - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(rest);
        uint32_t first = dram->banks[number].first[which];
        if (dram->pool[first].order >= oldest)
            continue;
        oldest = dram->pool[first].order;
        bank = number;
    }
    return bank;
}

static struct dram_choice choose(struct dram *dram, uint64_t idle, int which)
{
    uint32_t bank = bank_of_oldest(dram, which);
    if (!(idle >> bank & 1))
        return (struct dram_choice){DRAM_NONE, DRAM_NONE};
    return (struct dram_choice){bank, dram->banks[bank].first[which]};
}

const struct dram_scheduler dram_scheduler_fifo = {
    .policy = {"fifo", "0", "first in, first out (0 in GPGPU-Sim's files)"},
    .queue_max = 2, /* as in the reference */
    .one_queue = true,
    .choose = choose,
};
