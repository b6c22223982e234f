#include "sim/core/cpi.h"

#include <stdlib.h>

#include "traces/base/serialize.h"

const char *const sim_cpi_names[SIM_CPI_COUNT] = {
#define CPI(name, description) #name,
#include "sim/stats/cpi.def"
#undef CPI
};

void cpi_passed(struct sm_observer *observer, struct sm *sm, uint64_t cycles)
{
    struct cpi *cpi = (struct cpi *)observer;
    uint32_t schedulers = sm->spec->schedulers;
    if (sm->blocks_used == 0)
        return;
    cpi->charged += cycles;
    for (uint32_t s = 0; s < schedulers; s++)
        cpi->stacks[s].cycles[cpi->classes[s]] += cycles;
    for (uint32_t s = 0; cpi->shares != NULL && s < schedulers; s++)
        cpi->shares[cpi->slots[s] * schedulers + s].cycles[cpi->classes[s]] += cycles;
}

void cpi_no_turn(struct sm_observer *observer, struct sm *sm)
{
    for (uint32_t s = 0; s < sm->spec->schedulers; s++)
        observer->hooks->turn(observer, sm, s, SM_MAX_WARPS);
}

/* ---- the observer ---- */

void cpi_serialize(struct sm_observer *observer, struct serializer *image)
{
    static const struct serializer_member without[] = {SERIALIZE_WITHOUT(struct cpi, observer),
                                                       SERIALIZE_WITHOUT(struct cpi, shares)};
    SERIALIZE_STRUCT(image, (struct cpi *)observer, without);
}

void cpi_destroy(struct sm_observer *observer)
{
    free(observer);
}

bool cpi_create(struct sm *sm, const struct sm_observer_hooks *hooks, size_t size)
{
    sm->cpi = calloc(1, size);
    if (sm->cpi == NULL)
        return false;
    sm->cpi->observer.hooks = hooks;
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
