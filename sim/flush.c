/* Between launches: what drains, empties and fills caches. */
#include "sim/config/flush_places.h"
#include "sim/core/code/code_caches.h"
#include "sim/functional/compact_caches.h"
#include "sim/simulator.h"
#include "sim/state/frames.h"

void sim_wait_until(struct sim *sim, uint64_t cycle)
{
    if (cycle <= sim->now)
        return;
    sim->gap += cycle - sim->now;
    sim->now = cycle;
}

void sim_come_to_rest(struct sim *sim)
{
    sim_wait_until(sim, engine_drain(&sim->engine, sim->now));
}

int sim_end_stores(struct sim *sim, uint64_t *now, struct deadlock *patience,
                   bool (*keep_going)(const void *data), const void *data, struct error *err)
{
    for (uint64_t window = 1; engine_storing(&sim->engine); window++) {
        if (deadlock_found(sim, patience))
            return deadlock_fail(sim, patience, err);
        if (window % PROGRESS_WINDOWS == 0 && !keep_going(data))
            return 0;
        *now = engine_pass(&sim->engine, *now, UINT64_MAX);
    }
    engine_finish_partitions(&sim->engine); /* what they have counted will be read */
    return 1;
}

uint64_t sim_end_posted(struct sim *sim, uint64_t now)
{
    struct engine *engine = &sim->engine;
    uint64_t posted = 0;
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        posted += engine->sms[s]->posted;
    return posted != 0 ? engine_drain(engine, now) : now;
}

void sim_drain(struct sim *sim)
{
    sim_come_to_rest(sim);
    compact_caches_give(sim);
}

static void flush_l2(struct sim *sim, bool drop)
{
    struct engine *engine = &sim->engine;
    sim_drain(sim);
    loaded_code_finish(&sim->loaded);
    sim->code_flushed = true;
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        if (engine->sms[s]->code != NULL)
            code_caches_clear(engine->sms[s]->code);
    for (uint32_t s = 0; s < engine->spec.slices; s++)
        engine->flushed[s] += slice_flush(engine_slice(engine, s), s, drop);
    sim_drain(sim);
}

void sim_flush(struct sim *sim, unsigned levels, bool drop)
{
    struct engine *engine = &sim->engine;
    if (levels & SIM_L1 && engine->spec.sm.l1_enabled && !compact_caches_flush_l1(sim))
        for (uint32_t s = 0; s < engine->spec.sms; s++)
            sm_flush_l1(engine->sms[s]);
    if (levels & SIM_L2)
        flush_l2(sim, drop);
}

/* Accel-Sim counts slices of L2 as it counts channels, and drops lines that it should write. */
static void flush_l2_like_accelsim(struct sim *sim)
{
    struct engine *engine = &sim->engine;
    sim_drain(sim);
    for (uint32_t s = 0; s < engine->spec.channels; s++)
        slice_drop_dirty(engine_slice(engine, s));
}

static void flush_l2_between(struct sim *sim)
{
    const struct sim_options *options = &sim->config->options;
    if (!options->gpgpu_flush_l2_cache)
        return;
    if (options->hearth_flush_like_accelsim)
        flush_l2_like_accelsim(sim);
    else
        sim_flush(sim, SIM_L2, false);
}

static const struct flush_place *place_of(const struct sim *sim)
{
    const char *name = sim->config->options.hearth_flush_at;
    return (const struct flush_place *)policy_find(flush_places, name);
}

void sim_flush_start(struct sim *sim)
{
    if (sim->config->options.gpgpu_flush_l1_cache)
        sim_flush(sim, SIM_L1, false);
    if (place_of(sim)->start)
        flush_l2_between(sim);
}

void sim_flush_end(struct sim *sim)
{
    if (place_of(sim)->end)
        flush_l2_between(sim);
}

/* The end of a copy, of this many times the size of L2, replaces everything that
 * L2 held, in every set, however sets are hashed. */
#define COPIES_HELD 4

static uint64_t l2_bytes(const struct engine *engine)
{
    const struct sim_cache_config *l2 = &engine->spec.config->l2;
    return (uint64_t)l2->sets * l2->ways * l2->line * engine->spec.slices;
}

void sim_copy(struct sim *sim, uint64_t address, uint64_t bytes, bool on_device)
{
    struct engine *engine = &sim->engine;
    if (!sim_config_copies_fill(sim->config, on_device) || bytes == 0)
        return;
    sim_drain(sim);
    uint64_t first = address & ~(uint64_t)(SECTOR_BYTES - 1), last = address + (bytes - 1);
    uint64_t held = COPIES_HELD * l2_bytes(engine);
    if (last - first > held) /* nothing of what comes before stays */
        first = (last - held) & ~(uint64_t)(SECTOR_BYTES - 1);
    for (uint64_t at = first; at - first <= last - first; at += SECTOR_BYTES) {
        uint32_t set, slice = address_table_of(&engine->spec.places, at, &set);
        engine->flushed[slice] += slice_copy(engine_slice(engine, slice), at);
        if (sim->frames != NULL)
            frames_access(sim->frames, slice, set, at);
    }
}
