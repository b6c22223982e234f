#include "sim/core/cpi.h"

#include <stdlib.h>

#include "traces/base/serialize.h"

const char *const sim_cpi_names[SIM_CPI_COUNT] = {
#define CPI(name, description) #name,
#include "sim/stats/cpi.def"
#undef CPI
};

/* ---- whose register is waited for ---- */

static void issued(struct sm_observer *observer, struct sm *sm, uint32_t number,
                   const struct sm_op *op)
{
    const struct inst *inst = op->inst;
    for (uint32_t i = 0; i < inst->dst_count; i++) {
        uint64_t bit = 1ull << (inst->dst[i] & 63);
        uint64_t *word = &sm->cpi->from_memory[op->warp][inst->dst[i] >> 6];
        *word = inst->pipe == PIPE_MEM ? *word | bit : *word & ~bit;
    }
}

static void hazard(struct sm_observer *observer, struct sm *sm, uint32_t warp,
                   const struct inst *inst)
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
 * come first. *WARPS: those that it is due to, 0 for none. */
static inline enum sim_cpi_class stalled(const struct sm *sm, uint32_t scheduler,
                                         uint64_t *warps)
{
    uint64_t own = sm->scheduler_warps[scheduler];
    uint64_t held = sm->waiting_barrier | sm->waiting_membar | sm->waiting_copy;
    uint64_t atomic = sm->waiting_atomic & ~sm->ended, going = own & ~held;
    if ((*warps = going & sm->buffered & ~(sm->hazard | sm->waiting_atomic)) != 0)
        return held_up(sm, scheduler, *warps);
    if ((*warps = going & sm->hazard & ~(atomic | sm->cpi->on_memory)) != 0)
        return SIM_CPI_scoreboard_compute;
    if ((*warps = going & (sm->hazard | atomic)) != 0)
        return SIM_CPI_scoreboard_memory;
    uint64_t fetched = sm->fetched < 0 ? 0 : 1ull << sm->fetched;
    if ((*warps = going & (sm->fetchable | sm->awaiting_code | fetched)) != 0)
        return SIM_CPI_fetch;
    if ((*warps = own & held) != 0)
        return SIM_CPI_barrier;
    *warps = own & sm->ended;
    return *warps != 0 ? SIM_CPI_drain : SIM_CPI_no_warp;
}

/* The block that has been longest in the SM; there is one. */
static const struct sm_block *oldest_block(const struct sm *sm)
{
    const struct sm_block *oldest = NULL;
    for (uint32_t b = 0; b < sm->spec->blocks; b++) {
        const struct sm_block *block = &sm->blocks[b];
        if (block->launch != NULL &&
            (oldest == NULL || block->about.begin < oldest->about.begin))
            oldest = block;
    }
    return oldest;
}

/* The slot of the launch that a stall is charged to: that of the oldest warp. */
static uint32_t charged_slot(const struct sm *sm, uint64_t warps)
{
    if (warps == 0)
        return sm->blocks_used == 0 ? 0 : oldest_block(sm)->launch->slot;
    return sm->warps[warp_view_oldest(&sm->view, warps)].launch->slot;
}

/* Apart, so that nobody pays for it whose launches do not overlap. */
static SM_RARE void turn_shared(struct sm *sm, uint32_t scheduler, uint32_t warp)
{
    uint64_t warps;
    enum sim_cpi_class found = SIM_CPI_issued;
    if (warp != SM_MAX_WARPS)
        warps = 1ull << warp;
    else
        found = stalled(sm, scheduler, &warps);
    sm->cpi->classes[scheduler] = (uint8_t)found;
    sm->cpi->slots[scheduler] = (uint8_t)charged_slot(sm, warps);
}

static void turn(struct sm_observer *observer, struct sm *sm, uint32_t scheduler, uint32_t warp)
{
    uint64_t warps;
    if (sm->cpi->shares != NULL)
        turn_shared(sm, scheduler, warp);
    else
        sm->cpi->classes[scheduler] =
            (uint8_t)(warp != SM_MAX_WARPS ? SIM_CPI_issued : stalled(sm, scheduler, &warps));
}

static void no_turn(struct sm_observer *observer, struct sm *sm)
{
    for (uint32_t s = 0; s < sm->spec->schedulers; s++)
        turn(observer, sm, s, SM_MAX_WARPS);
}

static void passed(struct sm_observer *observer, struct sm *sm, uint64_t cycles)
{
    struct cpi *cpi = sm->cpi;
    if (sm->blocks_used == 0)
        return;
    cpi->charged += cycles;
    for (uint32_t s = 0; s < sm->spec->schedulers; s++)
        cpi->stacks[s].cycles[cpi->classes[s]] += cycles;
    if (cpi->shares == NULL)
        return;
    for (uint32_t s = 0; s < sm->spec->schedulers; s++)
        cpi->shares[cpi->slots[s] * sm->spec->schedulers + s].cycles[cpi->classes[s]] += cycles;
}

/* ---- the observer ---- */

static void serialize(struct sm_observer *observer, struct serializer *image)
{
    static const struct serializer_member without[] = {SERIALIZE_WITHOUT(struct cpi, observer),
                                                       SERIALIZE_WITHOUT(struct cpi, shares)};
    SERIALIZE_STRUCT(image, (struct cpi *)observer, without);
}

bool cpi_create(struct sm *sm)
{
    static const struct sm_observer_hooks hooks = {
        .hazard = hazard,
        .issued = issued,
        .turn = turn,
        .no_turn = no_turn,
        .passed = passed,
        .serialize = serialize,
    };
    if ((sm->cpi = calloc(1, sizeof *sm->cpi)) == NULL)
        return false;
    sm->cpi->observer.hooks = &hooks;
    sm_observers_add(&sm->observers, &sm->cpi->observer);
    return true;
}

/* ---- cycles without a block ---- */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

struct sim_cpi cpi_rest(const struct sm *sm, const struct cpi_launch *launch, uint64_t end)
{
    struct sim_cpi rest = {0};
    if (launch->start >= end)
        return rest;
    uint64_t begin = end <= launch->first ? end : launch->first + 1;
    rest.cycles[SIM_CPI_launch] = begin - launch->start;
    if (begin == end)
        return rest;
    uint64_t none = end - begin - sm->cpi->charged, drain = 0;
    if (sm->blocks_used == 0 && launch->none_left < end) {
        uint64_t last = later(sm->last_end, launch->none_left);
        drain = end - 1 - later(last, begin - 1);
    }
    rest.cycles[SIM_CPI_drain] = drain;
    rest.cycles[SIM_CPI_no_warp] = none - drain;
    return rest;
}

struct sim_cpi cpi_end(struct sm *sm, const struct cpi_launch *launch, uint64_t end)
{
    struct sim_cpi rest = cpi_rest(sm, launch, end);
    for (uint32_t s = 0; s < sm->spec->schedulers; s++)
        for (uint32_t c = 0; c < SIM_CPI_COUNT; c++)
            sm->cpi->stacks[s].cycles[c] += rest.cycles[c];
    sm->cpi->charged = 0;
    return rest;
}
