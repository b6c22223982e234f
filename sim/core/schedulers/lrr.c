/* Loose round robin. */
#include "sim/core/schedulers/warp_scheduler.h"

struct lrr {
    uint32_t next; /* the slot after the warp that issued last: it comes first */
};

static uint32_t choose(void *state, const struct warp_view *warps, uint64_t ready)
{
    struct lrr *lrr = state;
    uint64_t from = lrr->next < 64 ? ready & ~0ull << lrr->next : 0;
    uint32_t warp = (uint32_t)__builtin_ctzll(from != 0 ? from : ready);
    lrr->next = warp + 1;
    return warp;
}

static void scatter(void *state, uint32_t warp)
{
    struct lrr *lrr = state;
    lrr->next = warp + 1;
}

const struct warp_scheduler warp_scheduler_lrr = {
    .policy = {"lrr", NULL, "loose round robin: the next warp after the one that issued last"},
    .state_size = sizeof(struct lrr),
    .choose = choose,
    .scatter = scatter,
};
