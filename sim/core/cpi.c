#include "sim/core/cpi.h"

#include <string.h>

const char *const sim_cpi_names[SIM_CPI_COUNT] = {
#define CPI(name, description) #name,
#include "sim/cpi.def"
#undef CPI
};

/* ---- whose register is waited for ---- */

void cpi_reserve(struct sm *sm, uint32_t warp, const struct inst *inst)
{
    for (uint32_t i = 0; i < inst->dst_count; i++) {
        uint64_t bit = 1ull << (inst->dst[i] & 63);
        uint64_t *word = &sm->cpi->from_memory[warp][inst->dst[i] >> 6];
        *word = inst->pipe == PIPE_MEM ? *word | bit : *word & ~bit;
    }
}

void cpi_hazard(struct sm *sm, uint32_t warp, const struct inst *inst)
{
    const uint64_t *busy = sm->warps[warp].busy, *memory = sm->cpi->from_memory[warp];
    sm->cpi->on_memory &= ~(1ull << warp);
    for (uint32_t i = 0; i < inst->reg_count; i++) {
        uint32_t word = inst->regs[i] >> 6;
        if ((busy[word] & memory[word]) >> (inst->regs[i] & 63) & 1)
            sm->cpi->on_memory |= 1ull << warp;
    }
}

/* ---- the class of a cycle without an issue ---- */

/* Why none of the OPEN warps, which wait for nothing of their own, could issue. */
static enum sim_cpi_class held_up(const struct sm *sm, uint32_t scheduler, uint64_t open)
{
    bool no_list = sm->free_lists == 0 && (open & sm->wants[PIPE_MEM]) != 0;
    bool no_number = sm->free_op == SM_NONE && sm->op_count == SM_NONE;
    return no_list || no_number || sm_waits_for_unit(sm, scheduler)
               ? SIM_CPI_unit_busy
               : SIM_CPI_operand_collection;
}

/* That of the warp nearest to issue. One at a barrier waits for others, so that their reasons
 * come first. */
static enum sim_cpi_class stalled(const struct sm *sm, uint32_t scheduler)
{
    uint64_t own = sm->scheduler_warps[scheduler];
    uint64_t held = sm->waiting_barrier | sm->waiting_membar | sm->waiting_copy;
    uint64_t atomic = sm->waiting_atomic & ~sm->ended, going = own & ~held;
    uint64_t open = going & sm->buffered & ~(sm->hazard | sm->waiting_atomic);
    if (open != 0)
        return held_up(sm, scheduler, open);
    if (going & sm->hazard & ~(atomic | sm->cpi->on_memory))
        return SIM_CPI_scoreboard_compute;
    if (going & (sm->hazard | atomic))
        return SIM_CPI_scoreboard_memory;
    if (going &
        (sm->fetchable | sm->awaiting_code | (sm->fetched < 0 ? 0 : 1ull << sm->fetched)))
        return SIM_CPI_fetch;
    if (own & held)
        return SIM_CPI_barrier;
    return own & sm->ended ? SIM_CPI_drain : SIM_CPI_no_warp;
}

void cpi_turn(struct sm *sm, uint32_t scheduler, bool issued)
{
    sm->cpi->classes[scheduler] = (uint8_t)(issued ? SIM_CPI_issued : stalled(sm, scheduler));
}

void cpi_no_turn(struct sm *sm)
{
    for (uint32_t s = 0; s < sm->spec->schedulers; s++)
        cpi_turn(sm, s, false);
}

void cpi_charge(struct sm *sm, uint64_t cycles)
{
    struct cpi *cpi = sm->cpi;
    if (sm->blocks_used == 0)
        return;
    cpi->charged += cycles;
    for (uint32_t s = 0; s < sm->spec->schedulers; s++)
        cpi->stacks[s].cycles[cpi->classes[s]] += cycles;
}

/* ---- cycles without a block ---- */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

struct sim_cpi cpi_rest(const struct sm *sm, const struct cpi_launch *launch, uint64_t end)
{
    struct sim_cpi rest = {0};
    uint64_t begin = end <= launch->first ? end : launch->first + 1;
    rest.cycles[SIM_CPI_launch] = begin - launch->start;
    if (begin == end)
        return rest;
    uint64_t none = end - begin - sm->cpi->charged, drain = 0;
    if (sm->blocks_used == 0 && launch->none_left < end) {
        uint64_t last = later(sm->last_end, launch->none_left);
        drain = end - 1 - last;
    }
    rest.cycles[SIM_CPI_drain] = drain;
    rest.cycles[SIM_CPI_no_warp] = none - drain;
    return rest;
}

void cpi_end(struct sm *sm, const struct cpi_launch *launch, uint64_t end)
{
    struct sim_cpi rest = cpi_rest(sm, launch, end);
    for (uint32_t s = 0; s < sm->spec->schedulers; s++)
        for (uint32_t c = 0; c < SIM_CPI_COUNT; c++)
            sm->cpi->stacks[s].cycles[c] += rest.cycles[c];
    sm->cpi->charged = 0;
}
