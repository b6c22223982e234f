/* Launches that begin before the ones before them have ended (griddepcontrol of PTX): their
 * warps wait at ACQBULK. The caller of the SMs says when that is over (sm_launch.waits_until).
 */
#include "sim/core/modern/async/async_parts.h"

void async_launch_wait(struct modern *core, uint32_t warp)
{
    if (core_launch_of(core, &core->warps[warp])->waits_until > core->sm.now)
        async_of(core)->waiting_launch |= 1ull << warp;
}

void core_async_launches(struct modern *core)
{
    for (uint64_t rest = core->async->waiting_launch; rest != 0; rest &= rest - 1) {
        uint32_t warp = (uint32_t)__builtin_ctzll(rest);
        if (core_launch_of(core, &core->warps[warp])->waits_until > core->sm.now)
            continue;
        core->async->waiting_launch &= ~(1ull << warp);
        core->moved = true;
        core_place(core, warp);
    }
}

uint64_t core_async_next_launch(const struct modern *core)
{
    uint64_t next = UINT64_MAX;
    for (uint64_t rest = core->async->waiting_launch; rest != 0; rest &= rest - 1) {
        const struct modern_warp *warp = &core->warps[__builtin_ctzll(rest)];
        uint64_t until = core_launch_of(core, warp)->waits_until;
        next = until < next ? until : next;
    }
    return next;
}
