/* CPI stacks: why a scheduler did not issue. */
#include "sim/core/cpi.h"
#include "sim/core/legacy/legacy.h"
#include "traces/base/serialize.h"

struct stalls {
    struct cpi cpi;
    uint64_t
        on_memory; /* of core->hazard: warps that wait for a memory instruction's register */
    /* Registers of each warp that a memory instruction reserved last; of use while busy. */
    uint64_t from_memory[SM_MAX_WARPS][4];
};

/* ---- whose register is waited for ---- */

static void issued(struct sm_observer *observer, struct sm *sm, uint32_t number,
                   const struct sm_op *op)
{
    struct stalls *stalls = (struct stalls *)observer;
    const struct inst *inst = op->inst;
    for (uint32_t i = 0; i < inst->dst_count; i++) {
        uint64_t bit = 1ull << (inst->dst[i] & 63);
        uint64_t *word = &stalls->from_memory[op->warp][inst->dst[i] >> 6];
        *word = inst->pipe == PIPE_MEM ? *word | bit : *word & ~bit;
    }
}

static void hazard(struct sm_observer *observer, struct sm *sm, uint32_t warp,
                   const struct inst *inst)
{
    struct stalls *stalls = (struct stalls *)observer;
    const uint64_t *busy = ((struct legacy *)sm)->warps[warp].busy;
    const uint64_t *memory = stalls->from_memory[warp];
    stalls->on_memory &= ~(1ull << warp);
    for (uint32_t i = 0; i < inst->reg_count; i++) {
        uint32_t word = inst->regs[i] >> 6;
        if ((busy[word] & memory[word]) >> (inst->regs[i] & 63) & 1)
            stalls->on_memory |= 1ull << warp;
    }
}

/* ---- the class of a cycle without an issue ---- */

/* Why none of the OPEN warps, which wait for nothing of their own, could issue. */
static enum sim_cpi_class held_up(const struct legacy *core, uint32_t scheduler, uint64_t open)
{
    bool no_list =
        !load_store_has_list(&core->load_store) && (open & core->wants[PIPE_MEM]) != 0;
    bool no_number = core->free_op == SM_NONE && core->op_count == SM_NONE;
    return no_list || no_number || legacy_waits_for_unit(core, scheduler)
               ? SIM_CPI_unit_busy
               : SIM_CPI_operand_collection;
}

/* That of the warp nearest to issue, of OWN, which are SCHEDULER's. One at a barrier waits for
 * others, so that their reasons come first. *WARPS: those that it is due to, 0 for none. */
static inline enum sim_cpi_class stalled(const struct stalls *stalls, const struct legacy *core,
                                         uint32_t scheduler, uint64_t own, uint64_t *warps)
{
    uint64_t held = core->waiting_barrier | core->waiting_membar | core->waiting_copy;
    uint64_t atomic = core->waiting_atomic & ~core->ended, going = own & ~held;
    if ((*warps = going & core->buffered &
                  ~(core->hazard | core->waiting_atomic | core->awaiting_constant)) != 0)
        return held_up(core, scheduler, *warps);
    if ((*warps = going & core->hazard & ~(atomic | stalls->on_memory)) != 0)
        return SIM_CPI_scoreboard_compute;
    if ((*warps = going & (core->hazard | atomic)) != 0)
        return SIM_CPI_scoreboard_memory;
    uint64_t fetched = core->fetched < 0 ? 0 : 1ull << core->fetched;
    if ((*warps = going & (core->fetchable | core->awaiting_code | core->awaiting_constant |
                           fetched)) != 0)
        return SIM_CPI_fetch;
    if ((*warps = own & held) != 0)
        return SIM_CPI_barrier;
    *warps = own & core->ended;
    return *warps != 0 ? SIM_CPI_drain : SIM_CPI_no_warp;
}

/* The block that has been longest in the SM; there is one. */
static const struct sm_block *oldest_block(const struct legacy *core)
{
    const struct sm_block *oldest = NULL;
    for (uint32_t b = 0; b < core->sm.spec->blocks; b++) {
        const struct sm_block *block = &core->sm.blocks[b];
        if (block->launch != NULL &&
            (oldest == NULL || block->about.begin < oldest->about.begin))
            oldest = block;
    }
    return oldest;
}

/* The slot of the launch that a stall is charged to: that of the oldest warp. */
static uint32_t charged_slot(const struct legacy *core, uint64_t warps)
{
    if (warps == 0)
        return core->sm.blocks_used == 0 ? 0 : oldest_block(core)->launch->slot;
    return core->warps[warp_view_oldest(&core->view, warps)].slot;
}

/* A separate function, so that it costs nothing when launches do not overlap. */
static LEGACY_RARE void turn_shared(struct stalls *stalls, const struct legacy *core,
                                    uint32_t scheduler, uint32_t warp)
{
    uint64_t warps;
    enum sim_cpi_class found = SIM_CPI_issued;
    if (warp != SM_MAX_WARPS)
        warps = 1ull << warp;
    else
        found = stalled(stalls, core, scheduler, core->scheduler_warps[scheduler], &warps);
    stalls->cpi.classes[scheduler] = (uint8_t)found;
    stalls->cpi.slots[scheduler] = (uint8_t)charged_slot(core, warps);
}

static void turn(struct sm_observer *observer, struct sm *sm, uint32_t scheduler, uint32_t warp)
{
    struct stalls *stalls = (struct stalls *)observer;
    const struct legacy *core = (const struct legacy *)sm;
    uint64_t warps;
    if (stalls->cpi.shares != NULL)
        turn_shared(stalls, core, scheduler, warp);
    else if (warp != SM_MAX_WARPS)
        stalls->cpi.classes[scheduler] = SIM_CPI_issued;
    else
        stalls->cpi.classes[scheduler] =
            (uint8_t)stalled(stalls, core, scheduler, core->scheduler_warps[scheduler], &warps);
}

uint8_t legacy_stall(const struct sm *sm, uint32_t scheduler, uint32_t warp)
{
    const struct legacy *core = (const struct legacy *)sm;
    uint64_t warps;
    return (uint8_t)stalled((const struct stalls *)sm->cpi, core, scheduler,
                            core->scheduler_warps[scheduler] & 1ull << warp, &warps);
}

/* ---- the observer ---- */

static void serialize(struct sm_observer *observer, struct serializer *image)
{
    static const struct serializer_member without[] = {SERIALIZE_WITHOUT(struct stalls, cpi)};
    cpi_serialize(observer, image);
    SERIALIZE_STRUCT(image, (struct stalls *)observer, without);
}

bool legacy_stalls_create(struct legacy *core)
{
    static const struct sm_observer_hooks hooks = {
        .hazard = hazard,
        .issued = issued,
        .turn = turn,
        .no_turn = cpi_no_turn,
        .passed = cpi_passed,
        .serialize = serialize,
        .destroy = cpi_destroy,
    };
    return cpi_create(&core->sm, &hooks, sizeof(struct stalls));
}
