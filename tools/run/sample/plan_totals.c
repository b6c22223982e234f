#include "tools/run/sample/plan_totals.h"

#include <math.h>
#include <string.h>

enum totals_part { WARP_INSTS, THREAD_INSTS, CYCLES, ONE };

/* A statistic is PART over WHOLE. */
static const struct {
    const char *name;
    enum totals_part part, whole;
} table[] = {
    {"warp_insts", WARP_INSTS, ONE},         {"thread_insts", THREAD_INSTS, ONE},
    {"warp_ipc", WARP_INSTS, CYCLES},        {"ipc", THREAD_INSTS, CYCLES},
    {"ipc_corrected", THREAD_INSTS, CYCLES}, {"threads_per_inst", THREAD_INSTS, WARP_INSTS},
};

static struct sampling_estimate estimate_of(enum totals_part part,
                                            const struct sample_design *design,
                                            struct sampling_estimate cycles)
{
    const struct sampling_estimate of[] = {
        [WARP_INSTS] = {design->warp_insts, 0},
        [THREAD_INSTS] = {design->thread_insts, 0},
        [CYCLES] = cycles,
        [ONE] = {1, 0},
    };
    return of[part];
}

void plan_totals_replace(struct sampling_estimate *estimate, const char *name,
                         const struct sample_design *design, struct sampling_estimate cycles)
{
    size_t i = 0, count = sizeof table / sizeof table[0];
    while (i < count && strcmp(table[i].name, name) != 0)
        i++;
    if (i == count)
        return;
    struct sampling_estimate part = estimate_of(table[i].part, design, cycles);
    struct sampling_estimate whole = estimate_of(table[i].whole, design, cycles);
    if (isnan(part.value) || !(whole.value > 0))
        return;
    double ratio = part.value / whole.value;
    *estimate = (struct sampling_estimate){ratio, ratio * whole.error / whole.value};
}
