/* Adds up what the components have counted. */
#include <string.h>

#include "sim/engine.h"

/* Where the counts of a kind of access go: offsets in struct sim_counters. */
struct kind {
    enum cache_kind kind;
    size_t accesses, hits, pending, misses, sector_misses, fails;
    size_t mshr_hits; /* 0: not counted separately */
};

#define AT(name) offsetof(struct sim_counters, name)
#define WRITE(kind, name)                                                                      \
    {                                                                                          \
        kind, AT(name##s), AT(name##_hits), AT(name##_pending_hits), AT(name##_misses),        \
            AT(name##_sector_misses), AT(name##_reservation_fails), 0                          \
    }
#define READ(kind, name)                                                                       \
    {                                                                                          \
        kind, AT(name##s), AT(name##_hits), AT(name##_pending_hits), AT(name##_misses),        \
            AT(name##_sector_misses), AT(name##_reservation_fails), AT(name##_mshr_hits)       \
    }

static const struct kind l1_kinds[] = {
    READ(CACHE_GLOBAL_READ, l1d_global_load),
    READ(CACHE_LOCAL_READ, l1d_local_load),
    WRITE(CACHE_GLOBAL_WRITE, l1d_global_store),
    WRITE(CACHE_LOCAL_WRITE, l1d_local_store),
};

static const struct kind l2_kinds[] = {
    READ(CACHE_GLOBAL_READ, l2_global_read),
    READ(CACHE_LOCAL_READ, l2_local_read),
    READ(CACHE_ATOMIC, l2_atomic),
    WRITE(CACHE_GLOBAL_WRITE, l2_global_write),
    WRITE(CACHE_LOCAL_WRITE, l2_local_write),
    WRITE(CACHE_WRITE_BACK, l2_l1_write_back),
};

static void add(struct sim_counters *counters, size_t offset, uint64_t count)
{
    *(uint64_t *)((char *)counters + offset) += count;
}

static void count_kind(const struct cache_stats *stats, const struct kind *kind,
                       struct sim_counters *counters)
{
    const uint64_t *counts = stats->counts[kind->kind];
    uint64_t misses = counts[CACHE_MISS] + counts[CACHE_SECTOR_MISS];
    add(counters, kind->accesses, counts[CACHE_HIT] + counts[CACHE_PENDING] + misses);
    add(counters, kind->hits, counts[CACHE_HIT]);
    add(counters, kind->pending, counts[CACHE_PENDING]);
    add(counters, kind->misses, misses);
    add(counters, kind->sector_misses, counts[CACHE_SECTOR_MISS]);
    add(counters, kind->fails, counts[CACHE_FAIL]);
    if (kind->mshr_hits != 0)
        add(counters, kind->mshr_hits, stats->mshr_hits[kind->kind]);
}

static void count_l2(const struct cache_stats *stats, struct sim_counters *counters)
{
    for (size_t i = 0; i < sizeof l2_kinds / sizeof l2_kinds[0]; i++)
        count_kind(stats, &l2_kinds[i], counters);
    for (int kind = 0; kind < CACHE_CODE; kind++)
        counters->l2_read_first_pending += stats->first_pending[kind];
    const uint64_t *code = stats->counts[CACHE_CODE];
    uint64_t misses = code[CACHE_MISS] + code[CACHE_SECTOR_MISS];
    counters->l2_code_reads += code[CACHE_HIT] + code[CACHE_PENDING] + misses;
    counters->l2_code_read_misses += misses;
    counters->l2_evictions_dirty += stats->dirty_lines;
    counters->l2_evicted_dirty_sectors += stats->dirty_sectors;
    counters->dram_writes += stats->written;
}

static void count_dram(const struct dram_stats *stats, struct sim_counters *counters)
{
    counters->dram_reads += stats->reads;
    counters->dram_read_bytes += stats->read_bytes;
    counters->dram_write_bytes += stats->write_bytes;
    counters->dram_activates += stats->activates;
    counters->dram_precharges += stats->precharges;
    counters->dram_row_hits += stats->row_hits;
    counters->dram_row_misses += stats->row_misses;
}

static void count_code(const struct code_stats *stats, struct sim_counters *counters)
{
    counters->l0i_accesses += stats->fetches;
    counters->l0i_hits += stats->fetches - stats->l0_pending_hits - stats->l0_misses;
    counters->l0i_pending_hits += stats->l0_pending_hits;
    counters->l0i_misses += stats->l0_misses;
    counters->l0i_stream_hits += stats->stream_hits;
    counters->l1i_accesses += stats->l1_requests;
    counters->l1i_hits += stats->l1_requests - stats->l1_pending_hits - stats->l1_misses;
    counters->l1i_pending_hits += stats->l1_pending_hits;
    counters->l1i_misses += stats->l1_misses;
    counters->l1c_accesses += stats->constant_lookups;
    counters->l1c_hits +=
        stats->constant_lookups - stats->constant_pending_hits - stats->constant_misses;
    counters->l1c_pending_hits += stats->constant_pending_hits;
    counters->l1c_misses += stats->constant_misses;
}

static void count_l1(const struct cache_stats *stats, struct sim_counters *counters)
{
    for (size_t i = 0; i < sizeof l1_kinds / sizeof l1_kinds[0]; i++)
        count_kind(stats, &l1_kinds[i], counters);
}

static void count_sm(const struct sm_stats *stats, struct sim_counters *counters)
{
    counters->warp_insts += stats->warp_insts;
    counters->thread_insts += stats->thread_insts;
    counters->blocks += stats->blocks;
    counters->waited_insts += stats->waited_insts;
    counters->unknown_waits += stats->unknown_waits;
    counters->unseen_copies += stats->unseen_copies;
    counters->atomics += stats->atomics;
    counters->shmem_conflict_cycles += stats->shared_conflicts;
    counters->l1d_bank_conflict_cycles += stats->l1_conflicts;
    counters->sm_active_cycles += stats->active_cycles;
    counters->warp_cycles += stats->warp_cycles;
    counters->sm_dram_wait_cycles += stats->dram_waits;
#define ACTIVITY(name, unit, description) counters->name += stats->activity[SM_ACTIVITY_##name];
#include "sim/stats/activity.def"
#undef ACTIVITY
}

/* The kinds together. */
static void sum_l1(struct sim_counters *c)
{
    c->l1d_hits = c->l1d_global_load_hits + c->l1d_local_load_hits + c->l1d_global_store_hits +
                  c->l1d_local_store_hits;
    c->l1d_misses = c->l1d_global_load_misses + c->l1d_local_load_misses +
                    c->l1d_global_store_misses + c->l1d_local_store_misses;
    c->l1d_pending_hits = c->l1d_global_load_pending_hits + c->l1d_local_load_pending_hits +
                          c->l1d_global_store_pending_hits + c->l1d_local_store_pending_hits;
    c->l1d_accesses = c->l1d_hits + c->l1d_misses + c->l1d_pending_hits;
    c->l1d_reservation_fails =
        c->l1d_global_load_reservation_fails + c->l1d_local_load_reservation_fails +
        c->l1d_global_store_reservation_fails + c->l1d_local_store_reservation_fails;
}

static void sum_l2(struct sim_counters *c)
{
    c->l2_read_hits = c->l2_global_read_hits + c->l2_local_read_hits + c->l2_atomic_hits;
    c->l2_read_misses =
        c->l2_global_read_misses + c->l2_local_read_misses + c->l2_atomic_misses;
    c->l2_read_pending_hits = c->l2_global_read_pending_hits + c->l2_local_read_pending_hits +
                              c->l2_atomic_pending_hits;
    c->l2_reads = c->l2_read_hits + c->l2_read_misses + c->l2_read_pending_hits;
    c->l2_write_hits =
        c->l2_global_write_hits + c->l2_local_write_hits + c->l2_l1_write_back_hits;
    c->l2_write_misses =
        c->l2_global_write_misses + c->l2_local_write_misses + c->l2_l1_write_back_misses;
    c->l2_write_pending_hits = c->l2_global_write_pending_hits +
                               c->l2_local_write_pending_hits +
                               c->l2_l1_write_back_pending_hits;
    c->l2_writes = c->l2_write_hits + c->l2_write_misses + c->l2_write_pending_hits;
}

/* ---- CPI stacks ---- */

static void add_stack(struct sim_cpi *sum, const struct sim_cpi *stack)
{
    for (uint32_t c = 0; c < SIM_CPI_COUNT; c++)
        sum->cycles[c] += stack->cycles[c];
}

void engine_launch(struct engine *engine, uint64_t start, uint64_t first)
{
    engine->launch =
        (struct cpi_launch){.start = start, .first = first, .none_left = UINT64_MAX};
}

void engine_landed(struct engine *engine, uint64_t end)
{
    for (uint32_t s = 0; engine->spec.sm.cpi_stack && s < engine->spec.sms; s++) {
        struct sim_cpi rest = cpi_end(engine->sms[s], &engine->launch, end);
        add_stack(&engine->empty, &rest);
    }
    engine->launch.start = UINT64_MAX;
}

struct sim_cpi engine_stack(const struct engine *engine, uint32_t scheduler, uint64_t end)
{
    struct sim_cpi sum = {0};
    for (uint32_t s = 0; s < engine->spec.sms; s++) {
        const struct sm *sm = engine->sms[s];
        struct sim_cpi rest = cpi_rest(sm, &engine->launch, end);
        add_stack(&sum, &sm->cpi->stacks[scheduler]);
        add_stack(&sum, &rest);
    }
    return sum;
}

struct sim_cpi engine_stack_slot(const struct engine *engine, uint32_t slot, uint32_t scheduler)
{
    uint32_t schedulers = engine->spec.sm.schedulers;
    struct sim_cpi sum = {0};
    for (uint32_t s = 0; s < engine->spec.sms; s++) {
        size_t at = (size_t)s * engine->slots + slot;
        add_stack(&sum, &engine->cpi_shares[at * schedulers + scheduler]);
    }
    return sum;
}

static void count_stack(const struct sim_cpi *stack, struct sim_counters *counters)
{
    static const size_t classes[SIM_CPI_COUNT] = {
#define CPI(name, description) AT(cpi_##name),
#include "sim/stats/cpi.def"
#undef CPI
    };
    for (uint32_t c = 0; c < SIM_CPI_COUNT; c++)
        add(counters, classes[c], stack->cycles[c]);
}

/* The schedulers of an SM that have stacks. */
static uint32_t schedulers_of(const struct engine *engine)
{
    return engine->spec.sm.cpi_stack ? engine->spec.sm.schedulers : 0;
}

static void add_sm(const struct engine *engine, uint32_t number, struct sim_counters *counters)
{
    const struct sm *sm = engine->sms[number];
    const struct code_stats *code = sm_code_stats(sm);
    count_sm(sm_stats(sm), counters);
    count_l1(sm_l1_stats(sm), counters);
    if (code != NULL)
        count_code(code, counters);
}

static void add_slice(const struct engine *engine, uint32_t number,
                      struct sim_counters *counters)
{
    count_l2(&engine_slice(engine, number)->cache.stats, counters);
    counters->dram_writes += engine->flushed[number];
}

static void add_channel(const struct engine *engine, uint32_t number, uint64_t end,
                        struct sim_counters *counters)
{
    struct dram_stats dram = partition_dram(&engine->partitions[number], end);
    count_dram(&dram, counters);
    if (engine->spec.slice.disabled) /* no lines are written back */
        counters->dram_writes += dram.writes;
}

void engine_count(const struct engine *engine, uint64_t end, struct sim_counters *counters)
{
    memset(counters, 0, sizeof *counters);
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        add_sm(engine, s, counters);
    for (uint32_t s = 0; s < engine->spec.slices; s++)
        add_slice(engine, s, counters);
    for (uint32_t c = 0; c < engine->spec.channels; c++)
        add_channel(engine, c, end, counters);
    for (uint32_t s = 0; s < schedulers_of(engine); s++) {
        struct sim_cpi stack = engine_stack(engine, s, end);
        count_stack(&stack, counters);
    }
    sum_l1(counters);
    sum_l2(counters);
}

void engine_count_part(const struct engine *engine, uint32_t number, uint64_t end,
                       struct sim_counters *counters)
{
    const struct spec *spec = &engine->spec;
    memset(counters, 0, sizeof *counters);
    if (number < spec->sms)
        add_sm(engine, number, counters);
    else if (number - spec->sms < spec->slices)
        add_slice(engine, number - spec->sms, counters);
    else
        add_channel(engine, number - spec->sms - spec->slices, end, counters);
    sum_l1(counters);
    sum_l2(counters);
}

void engine_count_slot(const struct engine *engine, uint32_t slot,
                       struct sim_counters *counters)
{
    const struct spec *spec = &engine->spec;
    memset(counters, 0, sizeof *counters);
    for (uint32_t s = 0; s < spec->sms; s++) {
        count_sm(&engine->sm_shares[s * engine->slots + slot], counters);
        count_l1(&engine->l1_shares[s * engine->slots + slot], counters);
        count_code(&engine->code_shares[s * engine->slots + slot], counters);
    }
    for (uint32_t s = 0; s < spec->slices; s++)
        count_l2(&engine->l2_shares[s * engine->slots + slot], counters);
    for (uint32_t c = 0; c < spec->channels; c++) {
        const struct dram_stats *dram = &engine->partitions[c].dram.shares[slot];
        counters->dram_reads += dram->reads;
        counters->dram_read_bytes += dram->read_bytes;
        if (spec->slice.disabled)
            counters->dram_writes += dram->writes;
    }
    for (uint32_t s = 0; s < schedulers_of(engine); s++) {
        struct sim_cpi stack = engine_stack_slot(engine, slot, s);
        count_stack(&stack, counters);
    }
    sum_l1(counters);
    sum_l2(counters);
}

/* Counters of which no launch's share is known. */
static const size_t rest[] = {
    AT(l1d_reservation_fails),
    AT(l1d_global_load_reservation_fails),
    AT(l1d_local_load_reservation_fails),
    AT(l1d_global_store_reservation_fails),
    AT(l1d_local_store_reservation_fails),
    AT(l2_global_read_reservation_fails),
    AT(l2_local_read_reservation_fails),
    AT(l2_atomic_reservation_fails),
    AT(l2_global_write_reservation_fails),
    AT(l2_local_write_reservation_fails),
    AT(l2_l1_write_back_reservation_fails),
    AT(dram_activates),
    AT(dram_precharges),
    AT(dram_row_hits),
    AT(dram_row_misses),
    AT(dram_write_bytes),
    AT(sm_active_cycles),
};

void engine_count_rest(const struct engine *engine, struct sim_counters *counters)
{
    struct sim_counters all;
    engine_count(engine, UINT64_MAX, &all);
    memset(counters, 0, sizeof *counters);
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        add(counters, rest[i], *(const uint64_t *)((const char *)&all + rest[i]));
    for (uint32_t s = 0; s < engine->spec.slices; s++)
        counters->dram_writes += engine->flushed[s];
    for (uint32_t s = 0; s < schedulers_of(engine); s++)
        count_stack(&engine->empty, counters);
}

void engine_count_touches(const struct cache_stats *l1, const struct cache_stats *l2,
                          struct sim_counters *counters)
{
    for (size_t i = 0; i < sizeof l1_kinds / sizeof l1_kinds[0]; i++)
        count_kind(l1, &l1_kinds[i], counters);
    count_l2(l2, counters);
    sum_l1(counters);
    sum_l2(counters);
}
