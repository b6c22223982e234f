/* Functional launches: see sim_functional(). */
#include "sim/functional/functional.h"

#include <stdlib.h>
#include <string.h>

#include "sim/core/access_rules.h"
#include "sim/core/code/code_state.h"
#include "sim/functional/cache_functional.h"
#include "sim/functional/compact_caches.h"
#include "sim/start_state.h"

/* Instructions between two calls of the progress hook, approximately. */
#define PROGRESS_INSTS 131072

/* Calls the progress hook. Returns false if it stops the launch. */
static bool goes_on(const struct functional *launch, const struct sim_hooks *hooks)
{
    const struct sim_progress progress = {.warp_insts = launch->counters.warp_insts,
                                          .blocks_done = launch->ended,
                                          .blocks = launch->blocks};
    return hooks == NULL || hooks->progress == NULL || hooks->progress(hooks->data, &progress);
}

/* Returns 1 if the hook stops the launch, -1 on error. */
static int run(struct functional *launch, const struct sim_hooks *hooks)
{
    uint64_t reported = 0; /* instructions */
    while (launch->ended < launch->blocks) {
        if (functional_give_blocks(launch) != 0)
            return -1;
        if (launch->ended < launch->blocks && functional_turn(launch) != 0)
            return -1;
        if (launch->counters.warp_insts - reported < PROGRESS_INSTS)
            continue;
        reported = launch->counters.warp_insts;
        if (!goes_on(launch, hooks))
            return 1;
    }
    return launch->ended_early ? 0 : sim_check_end(launch->reader->kernel, launch->err);
}

/* ---- the launch ---- */

/* Allocates what LAUNCH, which is all zero, needs. */
static bool allocate(struct functional *launch, struct trace_kernel *kernel)
{
    const struct spec *spec = &launch->sim->engine.spec;
    launch->reader = block_reader_create(kernel, launch->sim->config);
    launch->sms = calloc(spec->sms, sizeof *launch->sms);
    launch->block_order = (struct block_order){
        .clusters = spec->clusters,
        .sms_per_cluster = spec->sms_per_cluster,
        .visit = launch->sim->visit,
        .last_turn = &launch->last_turn,
    };
    bool turns = block_order_init(&launch->block_order);
    const struct order_times times = order_times_of(spec);
    bool ordered =
        warp_order_init(&launch->warp_order, spec->sms, SM_MAX_WARPS, spec->channels, &times);
    return launch->reader != NULL && launch->sms != NULL && turns && ordered;
}

/* Leaves the simulator as it was if it fails. */
static int begin(struct functional *launch, struct trace_kernel *kernel)
{
    struct sim *sim = launch->sim;
    struct occupancy *occupancy = &launch->occupancy;
    const struct trace_header *header = launch->header = trace_kernel_header(kernel);
    if (sim_occupancy(sim, kernel, occupancy, launch->err) != 0)
        return -1;
    if (!allocate(launch, kernel))
        return error_no_memory(launch->err);
    if (sim_keeps_l1(sim)) /* whose L1 a block finds should be as in the timed launch */
        start_state_place(sim, header->id);
    launch->blocks = (uint64_t)header->grid[0] * header->grid[1] * header->grid[2];
    if (!sim_begin_order(sim, launch->blocks, occupancy->blocks))
        return error_no_memory(launch->err);
    launch->block_order.first = sim->first;
    launch->block_order.first_count = sim->first_count;
    launch->last_turn = sim->last_turn;
    launch->local = access_local_layout(sim->config, occupancy->block_warps, occupancy->blocks);
    for (uint32_t s = 0; s < sim->engine.spec.sms; s++)
        launch->sms[s].number = s;
    launch->free = sim->engine.spec.sms * occupancy->blocks;
    launch->offers = true;
    sim_come_to_rest(sim);
    launch->code = launch_place_code(sim, kernel);
    return access_queue_init(&launch->queue, sim, occupancy->l1_ways, launch->err);
}

/* The caches of instructions hold the function. Views of memory accesses do not say what
 * branches leave out of it; without its code it is taken to end with its last instruction. */
static void leave_code(const struct functional *launch)
{
    struct sim *sim = launch->sim;
    const struct spec *spec = &sim->engine.spec;
    const struct trace_function *function = trace_kernel_function(launch->reader->kernel);
    if (!spec->sm.code.fetches)
        return;
    uint32_t bytes =
        function != NULL ? function->count * TRACE_CODE_BYTES : launch->last_pc + 1;
    for (uint32_t s = 0; s < spec->sms; s++)
        if (launch->sms[s].sub_cores != 0)
            code_state_ran(sim->engine.sms[s]->code, launch->sms[s].sub_cores, &launch->code,
                           bytes);
    sim->code_by_name = true;
}

/* The caches forget what the queue's clock was. */
static void settle(struct functional *launch)
{
    struct sim *sim = launch->sim;
    struct engine *engine = &sim->engine;
    access_queue_finish(&launch->queue);
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

/* Memory traffic since the last launch, such as flushes, counts for this launch, as for a timed
 * one. */
static void take_between(struct sim *sim, struct sim_counters *counters)
{
    struct sim_counters total, between;
    engine_count(&sim->engine, UINT64_MAX, &total);
    between = total;
    sim_counters_subtract(&between, &sim->base);
    sim_counters_add(counters, &between);
    sim->base = total;
}

static void take_result(const struct functional *launch, struct sim_result *result)
{
    struct sim *sim = launch->sim;
    result->start_cycle = result->end_cycle = sim->now;
    result->restored_sectors = sim->restored;
    sim->restored = 0;
    result->counters = launch->counters;
    result->counters.blocks = launch->ended - launch->left_out;
    sim_counters_add(&result->counters, &launch->queue.counters);
    engine_count_touches(&launch->queue.l1, &launch->queue.l2, &result->counters);
    take_between(sim, &result->counters);
    result->peaks = sim_peaks_of(sim->config);
}

/* Returns 1 if the hook stops the launch, -1 on error. */
static int execute(struct functional *launch, struct trace_kernel *kernel,
                   const struct sim_hooks *hooks, struct sim_result *result)
{
    struct sim *sim = launch->sim;
    if (begin(launch, kernel) != 0)
        return -1;
    int status = run(launch, hooks);
    functional_release_blocks(launch);
    leave_code(launch);
    settle(launch);
    take_result(launch, result);
    if (sim_keeps_l1(sim)) /* whose L1 the next launch's blocks find depends on it */
        sim->last_turn = launch->last_turn;
    result->stopped = status > 0;
    if (status != 0)
        sim_reset(sim);
    return status;
}

int sim_functional(struct sim *sim, struct trace_kernel *kernel, const struct sim_hooks *hooks,
                   struct sim_result *result, struct error *err)
{
    memset(result, 0, sizeof *result);
    struct functional *launch = calloc(1, sizeof *launch);
    if (launch == NULL)
        return error_no_memory(err);
    launch->sim = sim;
    launch->err = err;
    launch->hooks = hooks;
    int status = execute(launch, kernel, hooks, result);
    block_reader_destroy(launch->reader);
    warp_order_finish(&launch->warp_order);
    free(launch->block_order.last_sm);
    free(launch->sms);
    free(launch);
    return status < 0 ? -1 : 0;
}
