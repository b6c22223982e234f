#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

#include "sim/functional/compact_caches.h"
#include "sim/handle.h"
#include "traces/base/prefetch.h"

struct sim *sim_create(const struct sim_config *config, struct error *err)
{
    struct sim *sim = near_alloc(1, sizeof *sim);
    if (sim == NULL) {
        error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
        return NULL;
    }
    sim->config = config;
    if (engine_init(&sim->engine, config, NULL, err) != 0) {
        free(sim);
        return NULL;
    }
    sim->last_cluster = sim->engine.spec.clusters - 1;
    return sim;
}

int sim_set_threads(struct sim *sim, uint32_t threads, struct error *err)
{
    pool_destroy(sim->pool);
    sim->pool = NULL;
    if (threads > 1 && (sim->pool = pool_create(threads)) == NULL) {
        sim->engine.pool = NULL;
        return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "cannot start %u threads", threads);
    }
    sim->engine.pool = sim->pool;
    return 0;
}

void sim_destroy(struct sim *sim)
{
    if (sim == NULL)
        return;
    engine_finish(&sim->engine);
    compacts_destroy(sim);
    pool_destroy(sim->pool);
    free(sim->followers);
    free(sim->report);
    free(sim);
}

int sim_what_if(struct sim *sim, struct error *err)
{
    if (sim->now != 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "sim_what_if() comes before the first launch");
    if (!engine_what_if(&sim->engine))
        return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
    sim->what_if = true;
    return 0;
}

void sim_reset(struct sim *sim)
{
    struct error ignored = {0}; /* it could be built before */
    compacts_drop(sim);
    engine_finish(&sim->engine);
    engine_init(&sim->engine, sim->config, sim->pool, &ignored);
    sim->now = sim->gap = sim->restored = 0;
    if (sim->what_if)
        sim_what_if(sim, &ignored);
    sim->untimed = false;
    sim->last_cluster = sim->engine.spec.clusters - 1;
    memset(&sim->base, 0, sizeof sim->base);
    memset(sim->stacks, 0, sizeof sim->stacks);
}

const char *sim_report(const struct sim *sim)
{
    return sim->report != NULL ? sim->report : "";
}

uint32_t sim_schedulers(const struct sim *sim)
{
    return sim->engine.spec.sm.cpi_stack ? sim->engine.spec.sm.schedulers : 0;
}

const struct sim_cpi *sim_stack(const struct sim *sim, uint32_t scheduler)
{
    return &sim->stacks[1][scheduler];
}
