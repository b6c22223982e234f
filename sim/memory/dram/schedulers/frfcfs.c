/* First ready, first come, first served (Rixner et al., "Memory Access Scheduling", ISCA 2000):
 * banks in turn, and in each its row hits before older requests. */
#include "sim/memory/dram/dram_parts.h"

/* Of a bank, for each of its queues: once it has turned to a row, it serves all requests of
 * that row that wait. */
struct frfcfs {
    uint32_t row[2];
    bool serves_row[2];
};

static struct dram_choice choose(struct dram *dram, uint64_t idle, int which)
{
    uint32_t number = dram_first_bank(dram, idle);
    const struct dram_bank *bank = &dram->banks[number];
    struct frfcfs *state = (struct frfcfs *)dram->state + number;
    uint32_t first = bank->first[which], request;
    if (state->serves_row[which]) {
        request = dram_find_row(dram, first, state->row[which]);
    } else {
        uint32_t hit = dram_find_row(dram, first, bank->row);
        request = hit == DRAM_NONE ? first : hit;
        state->row[which] = dram->pool[request].row;
    }
    /* Requests before the chosen one are of other rows. */
    state->serves_row[which] =
        dram_find_row(dram, dram->pool[request].next, state->row[which]) != DRAM_NONE;
    dram_pass_turn(dram, dram->priority);
    return (struct dram_choice){number, request};
}

const struct dram_scheduler dram_scheduler_frfcfs = {
    .policy =
        {"frfcfs", "1",
         "first ready, first come, first served: row hits first (1 in GPGPU-Sim's files)"},
    .state_size = sizeof(struct frfcfs),
    .choose = choose,
};
