/* Compiler-guided greedy then youngest: the warp that issued last as long as it can, then the
 * youngest. Which warps can is up to the control bits that the compiler wrote. Source:
 * "Dissecting and Modeling the Architecture of Modern GPU Cores" (MICRO 2025), section 5.1. */
#include "sim/core/schedulers/warp_scheduler.h"

struct cggty {
    uint32_t after_last; /* the slot after the warp that issued last; 0: none has */
};

static uint32_t youngest(const struct warp_view *warps, uint64_t ready)
{
    uint32_t found = (uint32_t)__builtin_ctzll(ready);
    for (uint64_t rest = ready & (ready - 1); rest != 0; rest &= rest - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(rest);
        if (warps->age[number] > warps->age[found])
            found = number;
    }
    return found;
}

static uint32_t choose(void *state, const struct warp_view *warps, uint64_t ready)
{
    struct cggty *cggty = state;
    if (cggty->after_last != 0 && (ready >> (cggty->after_last - 1) & 1))
        return cggty->after_last - 1;
    uint32_t warp = youngest(warps, ready);
    cggty->after_last = warp + 1;
    return warp;
}

static void scatter(void *state, uint32_t warp)
{
    struct cggty *cggty = state;
    cggty->after_last = warp + 1;
}

const struct warp_scheduler warp_scheduler_cggty = {
    .policy = {"cggty", NULL,
               "greedy then youngest: the warp that issued last as long as it can, then the "
               "youngest"},
    .state_size = sizeof(struct cggty),
    .choose = choose,
    .scatter = scatter,
};
