#include "sim/functional/l2_followers.h"

#include <stdlib.h>
#include <string.h>

#include "sim/functional/cache_functional.h"
#include "sim/functional/compact_access.h"
#include "sim/functional/compact_caches.h"
#include "sim/functional/l2_functional.h"
#include "sim/simulator.h"

/* Most ways of a set. */
#define SETTLED_MOST UINT16_MAX

uint64_t l2_followers_now(const struct sim *sim)
{
    const struct partition_spec *partition = &sim->engine.spec.partition;
    uint64_t now = (sim->now + 1) * (1 + (uint64_t)(partition->l2_hz / partition->core_hz)) + 1;
    /* below that, cache_functional_settle() would number lines from 0 on */
    return now > SETTLED_MOST ? now : SETTLED_MOST + 1;
}

void l2_followers_settle(struct sim *sim)
{
    struct engine *engine = &sim->engine;
    sim->untimed = true;
    if (sim->compacts != NULL && sim->compacts->hold)
        return;
    for (uint32_t s = 0; engine->spec.sm.l1_enabled && s < engine->spec.sms; s++)
        cache_functional_settle(&engine->sms[s]->l1.tags, sim->now);
    for (uint32_t s = 0; sim->config->l2.enabled && s < engine->spec.slices; s++) {
        struct slice *slice = engine_slice(engine, s);
        cache_functional_settle(&slice->cache.tags, slice->tick);
    }
}

void l2_followers_packet(const struct sim *sim, const struct packet *packet, uint64_t now)
{
    for (uint32_t f = 0; f < sim->follower_count; f++)
        l2_functional_access(&sim->followers[f]->engine, packet, now);
}

/* Returns the slice of FOLLOWER's L2 that ADDRESS maps to; *SET becomes its set. */
static struct compact *find_compact(const struct sim *follower, uint64_t address, uint32_t *set)
{
    uint32_t slice = address_table_of(&follower->engine.spec.places, address, set);
    *set = compact_set(&follower->compacts->l2[slice], *set);
    return &follower->compacts->l2[slice];
}

void l2_followers_read(const struct sim *sim, uint64_t address, uint8_t sectors, bool atomic)
{
    for (uint32_t f = 0; f < sim->follower_count; f++) {
        uint32_t set;
        struct compact *l2 = find_compact(sim->followers[f], address, &set);
        compact_read(l2, set, compact_name(address), sectors, atomic ? sectors : 0);
    }
}

void l2_followers_write(const struct sim *sim, uint64_t address, uint8_t sectors, uint8_t whole,
                        const uint32_t bytes[4])
{
    for (uint32_t f = 0; f < sim->follower_count; f++) {
        uint32_t set;
        struct compact *l2 = find_compact(sim->followers[f], address, &set);
        compact_write(l2, set, compact_name(address), sectors, whole, bytes);
    }
}

void l2_followers_prefetch(const struct sim *sim, uint64_t address)
{
    for (uint32_t f = 0; f < sim->follower_count; f++) {
        uint32_t set;
        struct compact *l2 = find_compact(sim->followers[f], address, &set);
        compact_prefetch(l2, set, compact_name(address));
    }
}

/* ---- what must be the same ---- */

static int differs(const char *what, struct error *err)
{
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "one pass cannot serve both configurations: they differ in %s", what);
}

static bool same_l1(const struct sim_config *a, const struct sim_config *b)
{
    const struct sim_options *x = &a->options, *y = &b->options;
    return strcmp(x->gpgpu_cache_dl1, y->gpgpu_cache_dl1) == 0 &&
           x->gpgpu_gmem_skip_L1D == y->gpgpu_gmem_skip_L1D &&
           x->gpgpu_l1_cache_write_ratio == y->gpgpu_l1_cache_write_ratio &&
           x->gpgpu_flush_l1_cache == y->gpgpu_flush_l1_cache;
}

static bool same_l2_lines(const struct sim_config *a, const struct sim_config *b)
{
    return a->l2.enabled && b->l2.enabled && a->l2.line == b->l2.line &&
           a->l2.sectored == b->l2.sectored;
}

static const char *difference(const struct spec *a, const struct spec *b)
{
    if (a->clusters != b->clusters || a->sms_per_cluster != b->sms_per_cluster)
        return "SMs (gpgpu_n_clusters, gpgpu_n_cores_per_cluster)";
    if (a->sm.schedulers != b->sm.schedulers || a->sm.warps != b->sm.warps)
        return "what an SM holds (gpgpu_num_sched_per_core, gpgpu_shader_core_pipeline)";
    if (a->config->options.gpgpu_local_mem_map != b->config->options.gpgpu_local_mem_map)
        return "where local memory lies (gpgpu_local_mem_map)";
    if (!same_l1(a->config, b->config))
        return "L1 (gpgpu_cache:dl1, gpgpu_gmem_skip_L1D, gpgpu_l1_cache_write_ratio, "
               "gpgpu_flush_l1_cache)";
    if (!same_l2_lines(a->config, b->config))
        return "lines or sectors of L2 (gpgpu_cache:dl2), or have none";
    if (a->config->options.gpgpu_flush_l2_cache != b->config->options.gpgpu_flush_l2_cache)
        return "flushes of L2 (gpgpu_flush_l2_cache)";
    return NULL;
}

int sim_follow(struct sim *sim, struct sim *follower, struct error *err)
{
    const char *what = difference(&sim->engine.spec, &follower->engine.spec);
    if (what != NULL)
        return differs(what, err);
    uint32_t count = sim->follower_count + 1;
    struct sim **followers = reallocarray(sim->followers, count, sizeof *followers);
    if (followers == NULL)
        return error_no_memory(err);
    sim->followers = followers;
    sim->followers[sim->follower_count++] = follower;
    return 0;
}

int l2_followers_check(const struct sim *sim, const struct trace_kernel *kernel,
                       const struct occupancy *occupancy, struct error *err)
{
    for (uint32_t f = 0; f < sim->follower_count; f++) {
        struct occupancy other;
        if (sim_occupancy(sim->followers[f], kernel, &other, err) != 0)
            return -1;
        if (other.blocks != occupancy->blocks || other.l1_ways != occupancy->l1_ways)
            return differs("how many blocks of a launch an SM holds, or in what they leave to "
                           "L1",
                           err);
        sim_come_to_rest(sim->followers[f]);
    }
    return 0;
}
