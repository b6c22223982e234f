#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

#include "sim/needs.h"
#include "sim/phase.h"
#include "sim/report.h"
#include "sim/simulator.h"
#include "sim/snapshot.h"

/* Cycles without any instruction issued before it is asked whether a launch
 * is deadlocked. */
#define PATIENCE 4096
/* The same for a launch in which something still moves: nothing takes so long. */
#define LONG_PATIENCE 1000000000

struct sim *sim_create(const struct sim_config *config, struct error *err)
{
    struct sim *sim = calloc(1, sizeof *sim);
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
    pool_destroy(sim->pool);
    free(sim->followers);
    free(sim->report);
    free(sim);
}

void sim_reset(struct sim *sim)
{
    struct error ignored = {0}; /* it could be built before */
    engine_finish(&sim->engine);
    engine_init(&sim->engine, sim->config, sim->pool, &ignored);
    sim->now = sim->gap = sim->restored = 0;
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

/* ---- one launch ---- */

struct launch {
    struct sim *sim;
    struct dispatch dispatch;
    struct dispatch_launch blocks;
    const struct sim_hooks *hooks;
    uint64_t start;
    uint64_t blocks_before; /* ended in launches before */
    uint32_t *told;         /* of each SM: ended blocks told to the observer */
    struct patience patience;
    bool stopped;
    uint64_t interval_start, boundary; /* cycles of the running interval; UINT64_MAX: none */
    struct sim_counters at_start;      /* counters up to there */
};

uint64_t sim_insts(const struct engine *engine)
{
    uint64_t insts = 0;
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        insts += engine->sms[s]->stats.warp_insts;
    return insts;
}

static uint64_t sum_blocks(const struct engine *engine)
{
    uint64_t blocks = 0;
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        blocks += engine->sms[s]->blocks_ended;
    return blocks;
}

static bool keep_going(struct launch *launch)
{
    struct sim *sim = launch->sim;
    if (launch->hooks == NULL || launch->hooks->progress == NULL)
        return true;
    struct sim_progress progress = {
        .cycle = sim->engine.window_end - launch->start,
        .warp_insts = sim_insts(&sim->engine) - sim->base.warp_insts,
        .blocks_done =
            sum_blocks(&sim->engine) - launch->blocks_before + launch->blocks.skipped,
        .blocks = launch->blocks.blocks,
    };
    return launch->hooks->progress(launch->hooks->data, &progress);
}

/* True when every block has ended or was left out. */
static bool finished(const struct launch *launch)
{
    uint64_t ended = sum_blocks(&launch->sim->engine) - launch->blocks_before;
    return ended + launch->blocks.skipped == launch->blocks.blocks;
}

/* The SM whose oldest untold end is the earliest, or NULL; AT holds how many
 * of each SM's have been told. */
static struct sm *next_ended(const struct engine *engine, const uint32_t *at)
{
    struct sm *first = NULL;
    for (uint32_t s = 0; s < engine->spec.sms; s++) {
        struct sm *sm = engine->sms[s];
        if (at[s] < sm->log_count &&
            (first == NULL || sm->log[at[s]].end < first->log[at[first->number]].end))
            first = sm;
    }
    return first;
}

/* Tells the observer of the blocks that ended in the window. */
static void tell_ended(struct launch *launch)
{
    struct engine *engine = &launch->sim->engine;
    const struct sim_hooks *hooks = launch->hooks;
    struct sm *sm;
    if (hooks == NULL || hooks->block_ended == NULL)
        return;
    memset(launch->told, 0, engine->spec.sms * sizeof *launch->told);
    while ((sm = next_ended(engine, launch->told)) != NULL) {
        const struct sm_ended *ended = &sm->log[launch->told[sm->number]++];
        struct sim_block block = {
            .order = ended->order,
            .index = {ended->index[0], ended->index[1], ended->index[2]},
            .sm = sm->number,
            .begin = ended->begin - launch->start,
            .end = ended->end - launch->start,
        };
        hooks->block_ended(hooks->data, &block);
    }
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        engine->sms[s]->log_count = 0;
}

/* True while a timed block keeps its place: nothing need be issued. */
static bool any_timed(const struct engine *engine)
{
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        if (engine->sms[s]->timed_end != UINT64_MAX)
            return true;
    return false;
}

/* True when no SM waits for anything that its own clock would bring. */
static bool all_stuck(const struct engine *engine)
{
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        if (!sm_stuck(engine->sms[s]))
            return false;
    return true;
}

bool sim_deadlocked(struct sim *sim, struct patience *patience)
{
    struct engine *engine = &sim->engine;
    uint64_t insts = sim_insts(engine);
    if (insts != patience->insts || any_timed(engine)) {
        patience->insts = insts;
        patience->last_issue = engine->window_end;
        engine_hurry(engine, false);
        return false;
    }
    uint64_t idle = engine->window_end - patience->last_issue;
    /* Warps may wait for stores that wait in DRAM for more stores. */
    engine_hurry(engine, idle > PATIENCE);
    return idle > LONG_PATIENCE ||
           (idle > PATIENCE && !engine_busy(engine) && all_stuck(engine));
}

int sim_fail_deadlock(struct sim *sim, const struct patience *patience, struct error *err)
{
    free(sim->report);
    sim->report = report_deadlock(&sim->engine, sim->engine.window_end);
    return error_set(err, ERROR_SIMULATION, NULL, 0, 0,
                     "deadlock: no instruction was issued for %llu cycles",
                     (unsigned long long)(sim->engine.window_end - patience->last_issue));
}

/* ---- intervals ---- */

static void set_boundary(struct launch *launch, uint64_t boundary)
{
    launch->boundary = boundary;
    launch->sim->engine.limit = boundary;
}

static void begin_intervals(struct launch *launch)
{
    const struct sim_hooks *hooks = launch->hooks;
    launch->boundary = UINT64_MAX;
    if (hooks == NULL || hooks->interval_ended == NULL || hooks->interval == 0)
        return;
    launch->interval_start = launch->start;
    engine_count(&launch->sim->engine, launch->start, &launch->at_start);
    set_boundary(launch, launch->start + hooks->interval);
}

/* SMs stand at cycle END; partitions too, or with nothing of the launch in L2. */
static void tell_interval(struct launch *launch, uint64_t end)
{
    struct sim_interval interval = {
        .begin = launch->interval_start - launch->start,
        .end = end - launch->start,
    };
    struct sim_counters total;
    engine_count(&launch->sim->engine, end, &total);
    interval.counters = total;
    sim_counters_subtract(&interval.counters, &launch->at_start);
    launch->at_start = total;
    launch->interval_start = end;
    launch->hooks->interval_ended(launch->hooks->data, &interval);
    set_boundary(launch, end + launch->hooks->interval);
}

static void end_intervals(struct launch *launch, uint64_t end)
{
    if (launch->boundary != UINT64_MAX && !launch->stopped && end > launch->interval_start)
        tell_interval(launch, end);
    launch->sim->engine.limit = UINT64_MAX;
}

/* Opens the window that holds CYCLE; SMs are idle until then. */
static void pass_idle(struct launch *launch, uint64_t cycle)
{
    while (launch->boundary <= cycle) {
        engine_open(&launch->sim->engine, launch->boundary - 1);
        tell_interval(launch, launch->boundary);
    }
    engine_open(&launch->sim->engine, cycle);
}

/* The SMs' part of the open window, from cycle NOW on. Ends with block number
 * DONE, as the next launch may start in the same window: the crossbar must not
 * have run past it. */
static int run_window(struct launch *launch, uint64_t now, struct error *err)
{
    struct engine *engine = &launch->sim->engine;
    while (now < engine->window_end && !finished(launch)) {
        uint64_t end = engine_step(engine, now);
        if (end > launch->boundary)
            end = launch->boundary;
        if (dispatch_run(&launch->dispatch, end, err) != 0)
            return -1;
        now = end;
        if (now == launch->boundary && !finished(launch))
            tell_interval(launch, now);
    }
    return 0;
}

/* Windows until the last block has ended; SMs stand at cycle NOW. */
static int run_blocks(struct launch *launch, uint64_t now, struct error *err)
{
    struct sim *sim = launch->sim;
    struct engine *engine = &sim->engine;
    for (uint64_t window = 0;; window++) {
        if (run_window(launch, now, err) != 0)
            return -1;
        now = engine->window_end;
        tell_ended(launch);
        if (finished(launch))
            return 0;
        if (sim_deadlocked(sim, &launch->patience))
            return sim_fail_deadlock(sim, &launch->patience, err);
        if (window % PROGRESS_WINDOWS == PROGRESS_WINDOWS - 1 && !keep_going(launch)) {
            launch->stopped = true;
            return 0;
        }
        engine_open(engine, engine->window_end);
    }
}

int sim_check_end(struct trace_kernel *kernel, struct error *err)
{
    struct trace_block *block;
    int more = trace_kernel_next_block(kernel, &block, err);
    if (more > 0) {
        trace_block_release(block);
        return error_set(err, ERROR_TRACE, NULL, 0, 0,
                         "the trace has more blocks than its grid");
    }
    return more;
}

void sim_describe(struct sim *sim, struct dispatch_launch *launch,
                  const struct occupancy *occupancy, uint32_t places)
{
    const struct spec *spec = &sim->engine.spec;
    struct sm_launch *sm = &launch->sm;
    /* The same word of a block's threads, then of the blocks in the same place of all SMs,
     * stand side by side; or of all threads of an SM. */
    bool by_block = sim->config->options.gpgpu_local_mem_map;
    sm->local_threads = 32 * (by_block ? occupancy->block_warps : spec->sm.warps);
    sm->local_stride = 4ull * sm->local_threads * (by_block ? places : 1) * spec->sms;
    sm->local_groups = spec->sms;
    sm->needs = occupancy->needs;
    sm->blocks_max = occupancy->blocks;
    sm->l1_ways = occupancy->l1_ways;
    sm->l1_on_fill = occupancy->l1_on_fill;
    sm->code = icache_place(&spec->sm.icache, sm->header->name);
    sm->number = ++sim->launches;
    sm->observed = launch->hooks != NULL && launch->hooks->block_ended != NULL;
}

static void begin_sms(struct launch *launch, uint64_t first)
{
    struct engine *engine = &launch->sim->engine;
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        sm_begin(engine->sms[s], &launch->blocks.sm, launch->start);
    dispatch_add(&launch->dispatch, &launch->blocks);
    dispatch_begin(&launch->dispatch, first);
}

static uint64_t last_end(const struct engine *engine)
{
    uint64_t last = 0;
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        if (engine->sms[s]->last_end > last)
            last = engine->sms[s]->last_end;
    return last + 1;
}

static void take_stacks(struct sim *sim, uint64_t end)
{
    for (uint32_t s = 0; s < sim_schedulers(sim); s++) {
        struct sim_cpi total = engine_stack(&sim->engine, s, end);
        for (uint32_t c = 0; c < SIM_CPI_COUNT; c++)
            sim->stacks[1][s].cycles[c] = total.cycles[c] - sim->stacks[0][s].cycles[c];
        sim->stacks[0][s] = total;
    }
}

static void take_channels(const struct engine *engine, struct sim_result *result)
{
    result->channel_bytes = result->busiest_channel_bytes = 0;
    for (uint32_t c = 0; c < engine->spec.channels; c++) {
        struct dram_stats stats = partition_dram(&engine->partitions[c], result->end_cycle);
        uint64_t bytes = stats.read_bytes + stats.write_bytes;
        result->channel_bytes += bytes;
        if (bytes > result->busiest_channel_bytes)
            result->busiest_channel_bytes = bytes;
    }
}

static void take_result(struct launch *launch, struct sim_result *result)
{
    struct sim *sim = launch->sim;
    struct sim_counters total;
    result->start_cycle = launch->start;
    result->end_cycle = launch->stopped ? sim->engine.window_end : last_end(&sim->engine);
    engine_count(&sim->engine, result->end_cycle, &total);
    take_channels(&sim->engine, result);
    end_intervals(launch, result->end_cycle);
    take_stacks(sim, result->end_cycle);
    engine_landed(&sim->engine, result->end_cycle);
    result->gap_cycles = sim->gap;
    result->restored_sectors = sim->restored;
    result->counters = total;
    result->peaks = sim_peaks_of(sim->config);
    result->stopped = launch->stopped;
    sim_counters_subtract(&result->counters, &sim->base);
    sim->base = total;
    sim->now = result->end_cycle;
    sim->gap = sim->restored = 0;
}

uint64_t sim_latency(const struct sim *sim, const struct dispatch_launch *launch)
{
    const struct sim_options *options = &sim->config->options;
    return options->gpgpu_kernel_launch_latency +
           launch->blocks * options->gpgpu_TB_launch_latency;
}

static int run_launch(struct launch *launch, const struct occupancy *occupancy,
                      struct sim_result *result, struct error *err)
{
    struct sim *sim = launch->sim;
    sim_take_turns(sim, launch->blocks.sm.header->id);
    uint64_t first = sim->now + sim_latency(sim, &launch->blocks);
    launch->start = sim->now;
    launch->patience.insts = sim_insts(&sim->engine);
    launch->blocks_before = sum_blocks(&sim->engine);
    launch->blocks.hooks = launch->hooks;
    launch->blocks.start = launch->start;
    sim_describe(sim, &launch->blocks, occupancy, occupancy->blocks);
    engine_launch(&sim->engine, launch->start, first);
    begin_intervals(launch);
    pass_idle(launch, first);
    launch->patience.last_issue = sim->engine.window_end;
    begin_sms(launch, first);
    if (run_blocks(launch, first, err) != 0)
        return -1;
    for (uint32_t s = 0; s < sim->engine.spec.sms; s++)
        sm_end(sim->engine.sms[s], launch->blocks.last_given);
    if (!launch->stopped && sim_check_end(launch->blocks.feed.kernel, err) != 0)
        return -1;
    take_result(launch, result);
    return 0;
}

int sim_occupancy(const struct sim *sim, const struct trace_kernel *kernel,
                  struct occupancy *occupancy, struct error *err)
{
    if (occupancy_compute(occupancy, sim->config, trace_kernel_header(kernel), err) != 0)
        return -1;
    if (occupancy->block_warps * occupancy->blocks > sim->engine.spec.sm.warps ||
        occupancy->blocks > SM_MAX_BLOCKS)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "a block of %u warps does not fit on an SM", occupancy->block_warps);
    return 0;
}

int sim_launch(struct sim *sim, struct trace_kernel *kernel, const struct sim_hooks *hooks,
               struct sim_result *result, struct error *err)
{
    struct occupancy occupancy;
    struct launch launch = {.sim = sim, .hooks = hooks};
    memset(result, 0, sizeof *result);
    if (sim_occupancy(sim, kernel, &occupancy, err) != 0)
        return -1;
    int status = -1;
    launch.told = calloc(sim->engine.spec.sms, sizeof *launch.told);
    bool made = dispatch_init(&launch.dispatch, &sim->engine, 1, false, &sim->last_cluster);
    if (!dispatch_launch_init(&launch.blocks, &sim->engine, kernel, 0) || !made ||
        launch.told == NULL)
        error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
    else
        status = run_launch(&launch, &occupancy, result, err);
    if (status != 0 || launch.stopped)
        sim_reset(sim); /* blocks of the launch are still in the SMs */
    dispatch_launch_finish(&launch.blocks);
    dispatch_finish(&launch.dispatch);
    free(launch.told);
    return status;
}

/* ---- between launches ---- */

void sim_drain(struct sim *sim)
{
    uint64_t quiet = engine_drain(&sim->engine, sim->now);
    sim->gap += quiet - sim->now;
    sim->now = quiet;
}

static void flush_slice(struct engine *engine, struct slice *slice, uint32_t number, bool drop)
{
    struct tags *tags = &slice->cache.tags;
    uint32_t lines = tags->spec.sets * tags->max_ways;
    for (uint32_t i = 0; i < lines && !drop; i++) {
        uint32_t dirty = (uint32_t)__builtin_popcount(tags->lines[i].dirty);
        if (dirty == 0)
            continue;
        struct packet back = {
            .address = tags->lines[i].address,
            .bytes = dirty * tags->spec.sector_bytes,
            .slice = (uint16_t)number,
            .kind = PACKET_WRITE_BACK,
        };
        queue_push(&slice->cache.misses, &back, 0);
        engine->flushed_sectors += back.bytes / SECTOR_BYTES;
    }
    tags_clear(tags, tags->spec.ways);
}

static void flush_l2(struct sim *sim, bool drop)
{
    struct engine *engine = &sim->engine;
    sim_drain(sim);
    for (uint32_t s = 0; s < engine->spec.slices; s++) {
        struct partition *partition = &engine->partitions[s / engine->spec.partition.slices];
        flush_slice(engine, &partition->slices[s % engine->spec.partition.slices], s, drop);
    }
    sim_drain(sim);
}

void sim_flush(struct sim *sim, unsigned levels, bool drop)
{
    struct engine *engine = &sim->engine;
    if (levels & SIM_L1 && engine->spec.sm.l1_enabled)
        for (uint32_t s = 0; s < engine->spec.sms; s++)
            tags_clear(&engine->sms[s]->l1.tags, engine->sms[s]->l1.tags.spec.ways);
    if (levels & SIM_L2)
        flush_l2(sim, drop);
}

/* The last so many times L2's size of a copy replace all that L2 held, in
 * every set, however sets are hashed. */
#define COPIES_HELD 4

static uint64_t l2_bytes(const struct engine *engine)
{
    const struct sim_cache_config *l2 = &engine->spec.config->l2;
    return (uint64_t)l2->sets * l2->ways * l2->line * engine->spec.slices;
}

void sim_copy(struct sim *sim, uint64_t address, uint64_t bytes)
{
    struct engine *engine = &sim->engine;
    if (!sim->config->options.gpgpu_perf_sim_memcpy || bytes == 0)
        return;
    sim_drain(sim);
    uint64_t first = address & ~(uint64_t)(SECTOR_BYTES - 1), last = address + (bytes - 1);
    uint64_t held = COPIES_HELD * l2_bytes(engine);
    if (last - first > held) /* nothing of what comes before stays */
        first = (last - held) & ~(uint64_t)(SECTOR_BYTES - 1);
    for (uint64_t at = first; at - first <= last - first; at += SECTOR_BYTES) {
        uint32_t set, slice = place_of(&engine->spec.places, at, &set);
        engine->flushed_sectors += slice_copy(engine_slice(engine, slice), at);
    }
}

static int need_l2(const struct sim *sim, const char *name, struct error *err)
{
    if (sim->config->l2.enabled)
        return 0;
    return error_set(err, ERROR_USAGE, name, 0, 0, "the configuration has no L2");
}

int sim_save(struct sim *sim, FILE *out, const char *name, struct error *err)
{
    if (need_l2(sim, name, err) != 0)
        return -1;
    sim_drain(sim);
    return snapshot_save(&sim->engine, NULL, out, name, err);
}

struct sim_needs {
    struct needs needs;
};

struct sim_needs *sim_needs_create(struct sim *sim, struct error *err)
{
    if (need_l2(sim, NULL, err) != 0)
        return NULL;
    sim_drain(sim);
    struct sim_needs *needs = calloc(1, sizeof *needs);
    if (needs != NULL && needs_init(&needs->needs, &sim->engine))
        return needs;
    free(needs);
    error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
    return NULL;
}

void sim_needs_destroy(struct sim_needs *needs)
{
    if (needs != NULL)
        needs_finish(&needs->needs);
    free(needs);
}

void sim_needs_add(struct sim_needs *needs, uint64_t line, uint8_t sectors)
{
    needs_add(&needs->needs, line, sectors);
}

void sim_needs_all(struct sim_needs *needs)
{
    needs->needs.all = true;
}

int sim_save_needed(struct sim *sim, const struct sim_needs *needs, FILE *out, const char *name,
                    struct error *err)
{
    if (need_l2(sim, name, err) != 0)
        return -1;
    return snapshot_save(&sim->engine, &needs->needs, out, name, err);
}

int sim_restore(struct sim *sim, FILE *in, const char *name, struct error *err)
{
    if (need_l2(sim, name, err) != 0)
        return -1;
    sim_drain(sim);
    sim_flush(sim, SIM_L1, false);
    sim->untimed = true;
    if (snapshot_restore(&sim->engine, in, &sim->restored, name, err) == 0)
        return 0;
    sim->restored = 0;
    sim_flush(sim, SIM_L2, true);
    return -1;
}
