/* The oldest warp first. */
#include "sim/core/schedulers/warp_scheduler.h"

static uint32_t choose(void *state, const struct warp_view *warps, uint64_t ready)
{
    return warp_view_oldest(warps, ready);
}

const struct warp_scheduler warp_scheduler_oldest = {
    .policy = {"oldest", "old", "the warp that came to the SM first"},
    .choose = choose,
};
