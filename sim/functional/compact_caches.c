#include "sim/functional/compact_caches.h"

#include <stdlib.h>

static bool fits(const struct cache *cache)
{
    return cache->block_bytes == cache->tags.spec.sector_bytes && !cache->prefetches &&
           compact_fits(&cache->tags.spec, cache->write_policy, cache->write_allocate);
}

bool compact_caches_fit(const struct sim *sim)
{
    const struct engine *engine = &sim->engine;
    const struct cache *l1 = &engine->sms[0]->l1;
    const struct slice *l2 = engine_slice(engine, 0);
    if (!engine->spec.config->l2.enabled || engine->spec.sm.code.l2_latency != 0 ||
        !engine->spec.places.whole || !fits(&l2->cache) || l2->spec.halves->slices != 0 ||
        l2->cache.dirty_ways != 0 || l2->cache.dirty_kept != 0 || l2->cache.write_grain > 1)
        return false;
    /* a write-through L1 writes nothing back */
    return !engine->spec.sm.l1_enabled || (fits(l1) && l1->write_policy == 'T');
}

/* Makes COUNT caches like CACHE. *MADE is how many there are: fewer when memory is short. */
static struct compact *create(uint32_t count, const struct cache *cache, uint32_t *made)
{
    struct tags_spec spec = cache->tags.spec;
    struct compact *all = calloc(count, sizeof *all);
    spec.ways = cache->tags.max_ways;
    for (*made = 0; all != NULL && *made < count; (*made)++)
        if (!compact_init(&all[*made], &spec, cache->write_policy))
            break;
    return all;
}

static void destroy(struct compact *all, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        compact_finish(&all[i]);
    free(all);
}

void compact_caches_destroy(struct sim *sim)
{
    struct compact_caches *compacts = sim->compacts;
    if (compacts == NULL)
        return;
    destroy(compacts->l1, compacts->l1_count);
    destroy(compacts->l2, compacts->l2_count);
    free(compacts);
    sim->compacts = NULL;
}

static bool make(struct sim *sim)
{
    const struct engine *engine = &sim->engine;
    uint32_t sms = engine->spec.sm.l1_enabled ? engine->spec.sms : 0;
    struct compact_caches *compacts = sim->compacts = calloc(1, sizeof *compacts);
    if (compacts == NULL)
        return false;
    if (sms != 0)
        compacts->l1 = create(sms, &engine->sms[0]->l1, &compacts->l1_count);
    compacts->l2 =
        create(engine->spec.slices, &engine_slice(engine, 0)->cache, &compacts->l2_count);
    return compacts->l1_count == sms && compacts->l2_count == engine->spec.slices;
}

int compact_caches_take(struct sim *sim, struct error *err)
{
    const struct engine *engine = &sim->engine;
    if (sim->compacts == NULL && !make(sim)) {
        compact_caches_destroy(sim);
        return error_no_memory(err);
    }
    struct compact_caches *compacts = sim->compacts;
    for (uint32_t s = 0; s < compacts->l1_count && !compacts->hold; s++)
        compact_load(&compacts->l1[s], &engine->sms[s]->l1.tags);
    for (uint32_t s = 0; s < compacts->l2_count && !compacts->hold; s++)
        compact_load(&compacts->l2[s], &engine_slice(engine, s)->cache.tags);
    compacts->hold = true;
    return 0;
}

void compact_caches_give(struct sim *sim)
{
    const struct engine *engine = &sim->engine;
    struct compact_caches *compacts = sim->compacts;
    if (compacts == NULL || !compacts->hold)
        return;
    for (uint32_t s = 0; s < compacts->l1_count; s++)
        compact_store(&compacts->l1[s], &engine->sms[s]->l1.tags, sim->now);
    for (uint32_t s = 0; s < compacts->l2_count; s++) {
        struct slice *slice = engine_slice(engine, s);
        compact_store(&compacts->l2[s], &slice->cache.tags, slice->tick);
    }
    compacts->hold = false;
}

void compact_caches_drop(struct sim *sim)
{
    if (sim->compacts != NULL)
        sim->compacts->hold = false;
}

bool compact_caches_flush_l1(struct sim *sim)
{
    struct compact_caches *compacts = sim->compacts;
    if (compacts == NULL || !compacts->hold)
        return false;
    for (uint32_t s = 0; s < compacts->l1_count; s++)
        compact_clear(&compacts->l1[s], compacts->l1[s].ways);
    return true;
}
