/* Greedy then oldest. */
#include "sim/core/schedulers/warp_scheduler.h"

struct gto {
    uint32_t after_last; /* the slot after the warp that issued last; 0: none has */
};

static uint32_t choose(void *state, const struct warp_view *warps, uint64_t ready)
{
    struct gto *gto = state;
    if (gto->after_last != 0 && (ready >> (gto->after_last - 1) & 1))
        return gto->after_last - 1;
    uint32_t warp = warp_view_oldest(warps, ready);
    gto->after_last = warp + 1;
    return warp;
}

static void scatter(void *state, uint32_t warp)
{
    struct gto *gto = state;
    gto->after_last = warp + 1;
}

const struct warp_scheduler warp_scheduler_gto = {
    .policy =
        {"gto", NULL,
         "greedy then oldest: the warp that issued last as long as it can, then the oldest"},
    .state_size = sizeof(struct gto),
    .choose = choose,
    .scatter = scatter,
};
