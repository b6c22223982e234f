/* CPI stacks: why a scheduler did not issue. */
#include "sim/core/cpi.h"
#include "sim/core/modern/core.h"

/* Of WARPS, which wait for a counter or a register, those with an access on its way. */
static uint64_t on_memory(const struct modern *core, uint64_t warps)
{
    uint64_t found = 0;
    for (uint64_t rest = warps; rest != 0; rest &= rest - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(rest);
        const struct modern_warp *warp = &core->warps[number];
        if (warp->loads != 0 || warp->accesses != 0)
            found |= 1ull << number;
    }
    return found;
}

/* The class of the warp nearest to issue, of OWN, which are SCHEDULER's; one at a barrier waits
 * for others, so that their reasons come first. *WARPS: those that it is due to, 0 for none. */
static enum sim_cpi_class stalled(const struct modern *core, uint32_t scheduler, uint64_t own,
                                  uint64_t *warps)
{
    uint64_t products = core->async != NULL ? core->async->waiting_product : 0;
    uint64_t held = core->waiting_barrier | core->waiting_membar | core->waiting_copy |
                    (core_async_held(core->async) & ~products);
    uint64_t going = own & ~held,
             waits = core->waiting_counter | core->waiting_register | products;
    uint64_t memory = on_memory(core, going & waits);
    if ((*warps = going & core->ready) != 0)
        return core->subs[scheduler].issue_free > core->sm.now ? SIM_CPI_operand_collection
                                                               : SIM_CPI_unit_busy;
    uint64_t stalling = 0;
    for (uint64_t rest = core->stalled_any; rest != 0; rest &= rest - 1)
        stalling |= core->stalled[__builtin_ctzll(rest)];
    if ((*warps = going & (stalling | (waits & ~memory))) != 0)
        return SIM_CPI_scoreboard_compute;
    if ((*warps = going & memory) != 0)
        return SIM_CPI_scoreboard_memory;
    if ((*warps = own & held) != 0)
        return SIM_CPI_barrier;
    if ((*warps = own & core->ended) != 0)
        return SIM_CPI_drain;
    for (uint64_t rest = own & core->sm.warps_used; rest != 0; rest &= rest - 1)
        if (core->warps[__builtin_ctzll(rest)].trace != NULL)
            *warps |= rest & -rest;
    return *warps != 0 ? SIM_CPI_fetch : SIM_CPI_no_warp;
}

/* The slot of the launch that a stall is charged to: that of the oldest warp. */
static uint32_t charged_slot(const struct modern *core, uint64_t warps)
{
    if (warps != 0)
        return core->warps[warp_view_oldest(&core->view, warps)].slot;
    for (uint32_t b = 0; b < core->sm.spec->blocks; b++)
        if (core->sm.blocks[b].launch != NULL)
            return core->sm.blocks[b].launch->slot;
    return 0;
}

static void turn(struct sm_observer *observer, struct sm *sm, uint32_t scheduler, uint32_t warp)
{
    struct cpi *cpi = (struct cpi *)observer;
    const struct modern *core = (const struct modern *)sm;
    uint64_t warps = warp != SM_MAX_WARPS ? 1ull << warp : 0;
    enum sim_cpi_class found = SIM_CPI_issued;
    if (warp == SM_MAX_WARPS)
        found = stalled(core, scheduler, core->subs[scheduler].warps, &warps);
    cpi->classes[scheduler] = (uint8_t)found;
    if (cpi->shares != NULL)
        cpi->slots[scheduler] = (uint8_t)charged_slot(core, warps);
}

uint8_t modern_stall(const struct sm *sm, uint32_t scheduler, uint32_t warp)
{
    const struct modern *core = (const struct modern *)sm;
    uint64_t warps;
    return (uint8_t)stalled(core, scheduler, core->subs[scheduler].warps & 1ull << warp,
                            &warps);
}

bool modern_stalls_create(struct modern *core)
{
    static const struct sm_observer_hooks hooks = {
        .turn = turn,
        .no_turn = cpi_no_turn,
        .passed = cpi_passed,
        .serialize = cpi_serialize,
        .destroy = cpi_destroy,
    };
    return cpi_create(&core->sm, &hooks, sizeof(struct cpi));
}
