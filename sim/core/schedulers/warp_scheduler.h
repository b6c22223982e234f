/* Warp schedulers: which of the warps that can issue does so. To add one: a file here with a
 * struct warp_scheduler, its line in schedulers.def, and the file's name in sim/meson.build. */
#ifndef HEARTH_SIM_CORE_SCHEDULERS_WARP_SCHEDULER_H
#define HEARTH_SIM_CORE_SCHEDULERS_WARP_SCHEDULER_H

#include <stddef.h>
#include <stdint.h>

#include "sim/core/limits.h"
#include "traces/base/policy.h"

/* What a scheduler sees of the warps of its core, by slot. */
struct warp_view {
    uint64_t age[SM_MAX_WARPS]; /* order of arrival on the core: the lower, the older */
};

/* Each scheduler of a core has a STATE of its own: plain bytes without pointers, as it is saved
 * and restored with the core. It begins as zeros. Hooks may be NULL but for `choose`. */
struct warp_scheduler {
    struct policy policy;
    size_t state_size; /* bytes; that of a struct; 0: none */
    /* Returns which of the READY warps (bit = slot; at least one) issues next. It then issues
     * at once. */
    uint32_t (*choose)(void *state, const struct warp_view *warps, uint64_t ready);
    /* WARP has issued an instruction; of two in one cycle, for each. */
    void (*issued)(void *state, uint32_t warp);
    /* WARP has retired: its slot is free. */
    void (*retired)(void *state, uint32_t warp);
    /* Leaves the state as other work would have, which issued WARP last (sim/start_state.h). */
    void (*scatter)(void *state, uint32_t warp);
};

/* All of them: struct warp_scheduler begins with its struct policy. */
extern const struct policy *const warp_schedulers[];

/* NULL if no warp scheduler has that name. */
static inline const struct warp_scheduler *warp_scheduler_find(const char *name)
{
    return (const struct warp_scheduler *)policy_find(warp_schedulers, name);
}

/* The oldest of the READY warps. */
static inline uint32_t warp_view_oldest(const struct warp_view *warps, uint64_t ready)
{
    uint32_t oldest = (uint32_t)__builtin_ctzll(ready);
    for (uint64_t rest = ready & (ready - 1); rest != 0; rest &= rest - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(rest);
        if (warps->age[number] < warps->age[oldest])
            oldest = number;
    }
    return oldest;
}

#endif
