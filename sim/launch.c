/* One launch: see sim_launch(). */
#include <stdlib.h>
#include <string.h>

#include "sim/core/access_rules.h"
#include "sim/core/code/code_state.h"
#include "sim/functional/compact_caches.h"
#include "sim/simulator.h"
#include "sim/start_state.h"
#include "sim/stats/intervals.h"
#include "sim/watch/ended_blocks.h"
#include "sim/watch/sm_events.h"

/* Where launches leave their parameters, beyond what traces have: places of so many bytes. */
#define PARAMETER_MEMORY (UINT64_C(1) << 47)
#define PARAMETER_BYTES  256
/* From one place to the next, so that some have their home in either half of L2
 * (after_read_64_one of ports). */
#define PARAMETER_STEP 4096

struct launch_run {
    struct sim *sim;
    struct dispatch dispatch;
    struct dispatch_launch blocks;
    const struct sim_hooks *hooks;
    uint64_t start;
    struct ended_blocks ended;
    struct sm_events *events; /* NULL: not wanted */
    struct deadlock patience;
    uint64_t step_end; /* up to which SMs may run by themselves: see engine_step() */
    bool stopped;
    struct launch_intervals stretches;
};

/* Blocks that have ended or were left out. */
static uint64_t blocks_done(const struct launch_run *launch)
{
    uint64_t last_end = 0;
    return dispatch_ended(&launch->dispatch, &launch->blocks, &last_end) +
           launch->blocks.skipped;
}

static bool keep_going(const void *data)
{
    const struct launch_run *launch = data;
    const struct sim *sim = launch->sim;
    if (launch->hooks == NULL || launch->hooks->progress == NULL)
        return true;
    struct sim_progress progress = {
        .cycle = sim->engine.window_end - launch->start,
        .warp_insts = engine_insts(&sim->engine) - sim->base.warp_insts,
        .blocks_done = blocks_done(launch),
        .blocks = launch->blocks.blocks,
    };
    return launch->hooks->progress(launch->hooks->data, &progress);
}

static bool finished(const struct launch_run *launch)
{
    return blocks_done(launch) == launch->blocks.blocks;
}

/* Up to where SMs run from cycle NOW on: to the end of the step, unless the window or an
 * interval ends in it. */
static uint64_t end_of_run(struct launch_run *launch, uint64_t now)
{
    struct engine *engine = &launch->sim->engine;
    if (now >= launch->step_end)
        launch->step_end = engine_step(engine, now);
    uint64_t end = launch->step_end;
    if (end > engine->window_end)
        end = engine->window_end;
    return end < launch->stretches.boundary ? end : launch->stretches.boundary;
}

/* Tells hooks of the interval that ends in cycle NOW, after what has ended in it. */
static int tell_interval(struct launch_run *launch, uint64_t now, struct error *err)
{
    if (finished(launch))
        return 0;
    if (!ended_blocks_tell(&launch->ended))
        return error_no_memory(err);
    launch_intervals_tell(&launch->stretches, now);
    return 0;
}

/* The SMs' part of the open window, from cycle *NOW on. Ends with block number
 * DONE, as the next launch may start in the same window: the crossbar must not
 * have run past it. */
static int run_window(struct launch_run *launch, uint64_t *now, struct error *err)
{
    while (*now < launch->sim->engine.window_end && !finished(launch)) {
        uint64_t end = end_of_run(launch, *now);
        if (dispatch_run(&launch->dispatch, end, err) != 0)
            return -1;
        *now = end;
        if (end == launch->stretches.boundary && tell_interval(launch, end, err) != 0)
            return -1;
    }
    return 0;
}

/* Windows until the last block has ended. SMs stand at cycle *NOW, before and after. */
static int run_blocks(struct launch_run *launch, uint64_t *now, struct error *err)
{
    struct sim *sim = launch->sim;
    struct engine *engine = &sim->engine;
    for (uint64_t window = 0;; window++) {
        if (run_window(launch, now, err) != 0)
            return -1;
        if (!ended_blocks_tell(&launch->ended))
            return error_no_memory(err);
        sm_events_tell(launch->events);
        if (finished(launch))
            return 0;
        *now = engine->window_end;
        if (deadlock_found(sim, &launch->patience))
            return deadlock_fail(sim, &launch->patience, err);
        if (window % PROGRESS_WINDOWS == PROGRESS_WINDOWS - 1 && !keep_going(launch)) {
            launch->stopped = true;
            return 0;
        }
        warm_blocks_settle(&launch->blocks.warm, engine);
        engine_open(engine, engine->window_end);
    }
}

/* Whether stores are on their way shows at the end of a step: if an interval has ended within
 * the last one, SMs go on from cycle NOW to there. Returns where they stand. */
static uint64_t end_step(struct launch_run *launch, uint64_t now)
{
    struct engine *engine = &launch->sim->engine;
    launch_intervals_free_windows(&launch->stretches);
    while (now < launch->step_end && engine_storing(engine))
        now = engine_pass(engine, now, launch->step_end);
    return now;
}

/* SMs stand at cycle *NOW, before and after. */
static int end_stores(struct launch_run *launch, uint64_t *now, struct error *err)
{
    int done = sim_end_stores(launch->sim, now, &launch->patience, keep_going, launch, err);
    launch->stopped = done == 0;
    return done < 0 ? -1 : 0;
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

/* How much of the first MOST bytes is FUNCTION's; 0: its code is not known. */
static uint32_t code_bytes(const struct trace_function *function, uint32_t most)
{
    uint64_t bytes = function != NULL ? (uint64_t)function->count * TRACE_CODE_BYTES : 0;
    return bytes < most ? (uint32_t)bytes : most;
}

/* Code of FUNCTION that lies where its NAME alone would put it moves to where it was loaded. */
static void move_code(struct sim *sim, const struct trace_function *function, const char *name,
                      uint64_t address)
{
    uint64_t from = code_place_address(name, 0);
    const struct spec *spec = &sim->engine.spec;
    if (function == NULL || !sim->code_by_name || !spec->sm.code.fetches || from == address)
        return;
    uint64_t beyond = (uint64_t)spec->sm.code.stream * spec->sm.code.line;
    for (uint32_t s = 0; s < spec->sms; s++)
        code_state_move(sim->engine.sms[s]->code, from, address,
                        (uint64_t)function->count * TRACE_CODE_BYTES + beyond);
    if (loaded_code_has(&sim->loaded, from))
        loaded_code_add(&sim->loaded, address);
}

/* The bytes of the bank of parameters that FUNCTION has, or as many as its code reads. */
static uint32_t parameter_bytes(const struct trace_function *function)
{
    uint32_t bytes = 0, bank, offset;
    bool reg;
    if (function == NULL || function->constants != 0)
        return function != NULL ? function->constants : 0;
    for (uint32_t i = 0; i < function->count; i++)
        if (trace_code_constant(function->code[i], &bank, &offset, &reg) && bank == 0 &&
            offset >= bytes)
            bytes = offset + 4;
    return bytes;
}

static uint64_t parameter_place(const struct sim *sim, uint64_t id)
{
    return PARAMETER_MEMORY +
           id % sim->config->options.hearth_param_slots * (uint64_t)PARAMETER_STEP;
}

/* Whether launches leave parameters in places of memory. */
static bool has_places(const struct sim *sim)
{
    const struct code_spec *code = &sim->engine.spec.sm.code;
    return sim->config->options.hearth_param_slots != 0 && code->constants &&
           code->l2_latency != 0;
}

uint32_t sim_parameter_places(const struct sim *sim)
{
    return has_places(sim) ? sim->config->options.hearth_param_slots : 0;
}

void sim_leave_parameters(struct sim *sim, uint64_t id)
{
    if (has_places(sim))
        engine_bring(&sim->engine, parameter_place(sim, id), PARAMETER_BYTES);
}

/* Launch number ID leaves its parameters in their place. Returns whether that has to be read
 * from DRAM before the launch has them: L2 lacks it, and they do not fill it. */
static bool leave_parameters(struct sim *sim, const struct trace_function *function,
                             uint64_t id)
{
    const struct sim_options *options = &sim->config->options;
    if (!has_places(sim))
        return false;
    bool held = engine_holds(&sim->engine, parameter_place(sim, id), PARAMETER_BYTES);
    sim_leave_parameters(sim, id);
    return !held && (options->hearth_param_whole == 0 ||
                     parameter_bytes(function) < options->hearth_param_whole);
}

/* The half of L2 in which the parameters of launch number ID have their home. */
static uint8_t parameter_half(const struct sim *sim, uint64_t id)
{
    if (!has_places(sim))
        return 0;
    uint32_t set, slice = engine_home(&sim->engine, parameter_place(sim, id), &set);
    return halves_of_slice(&sim->engine.spec.halves, slice);
}

struct code_place launch_place_code(struct sim *sim, const struct trace_kernel *kernel)
{
    const struct trace_function *function = trace_kernel_function(kernel);
    struct code_place place = {.address =
                                   code_place_address(trace_kernel_header(kernel)->name,
                                                      function != NULL ? function->address : 0),
                               .number = ++sim->launches,
                               .brought = sim->engine.spec.sm.code.ahead};
    place.bytes = code_bytes(function, place.brought);
    place.late = leave_parameters(sim, function, trace_kernel_header(kernel)->id);
    place.params_half = parameter_half(sim, trace_kernel_header(kernel)->id);
    move_code(sim, function, trace_kernel_header(kernel)->name, place.address);
    place.fresh =
        sim->engine.spec.sm.code.fetches && !loaded_code_add(&sim->loaded, place.address);
    /* the launch brings the begin of its function near, as far as that is known: L2 has it */
    if (sim->engine.spec.sm.code.l2_latency != 0)
        engine_bring(&sim->engine, place.address, place.bytes);
    return place;
}

/* Sub-cores that a block of WARPS begins on. */
static uint32_t begins_on(const struct spec *spec, uint32_t warps)
{
    return warps < spec->sm.schedulers ? warps : spec->sm.schedulers;
}

uint64_t launch_latency(const struct sim *sim, const struct dispatch_launch *launch)
{
    const struct sim_options *options = &sim->config->options;
    return options->gpgpu_kernel_launch_latency +
           launch->blocks * options->gpgpu_TB_launch_latency;
}

void launch_describe(struct sim *sim, struct dispatch_launch *launch,
                     const struct occupancy *occupancy, uint32_t places, uint64_t first)
{
    struct sm_launch *sm = &launch->sm;
    sm->local = access_local_layout(sim->config, occupancy->block_warps, places);
    sm->needs = occupancy->needs;
    sm->blocks_max = occupancy->blocks;
    sm->l1_ways = occupancy->l1_ways;
    sm->l1_on_fill = occupancy->l1_on_fill;
    sm->code = launch_place_code(sim, sm->kernel);
    sm->number = sm->code.number;
    sm->code.in_memory = true;
    sim_seat_sms(sim, launch);
    sm->code.seats = launch->seats;
    sm->code.askers = begins_on(&sim->engine.spec, occupancy->block_warps);
    sm->code.slot = (uint8_t)sm->slot;
    sm->code.begin = first;
    if (sim->engine.spec.sm.code.l2_latency == 0)
        return;
    sm->code.cold = sm->code.fresh && sim->code_flushed;
    if (sm->code.cold) /* it reads that from DRAM, with what else it needs */
        engine_count_code(&sim->engine, sm->code.slot, sm->code.address,
                          sm->code.bytes + (uint64_t)sim->config->options.hearth_cold_sectors *
                                               SECTOR_BYTES);
    else if (sm->code.late)
        engine_count_code(&sim->engine, sm->code.slot,
                          parameter_place(sim, trace_kernel_header(sm->kernel)->id),
                          PARAMETER_BYTES);
}

static void begin_sms(struct launch_run *launch, uint64_t first)
{
    struct engine *engine = &launch->sim->engine;
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        sm_begin(engine->sms[s], &launch->blocks.sm, launch->start);
    launch->dispatch.order.first = launch->sim->first;
    launch->dispatch.order.first_count = launch->sim->first_count;
    dispatch_add(&launch->dispatch, &launch->blocks);
    dispatch_begin(&launch->dispatch, first);
}

static int run_launch(struct launch_run *launch, const struct occupancy *occupancy,
                      struct sim_result *result, struct error *err)
{
    struct sim *sim = launch->sim;
    engine_clean(&sim->engine);
    start_state_take_turns(sim, launch->blocks.sm.header->id);
    if (!sim_begin_order(sim, launch->blocks.blocks, occupancy->blocks))
        return error_no_memory(err);
    uint64_t first = sim->now + launch_latency(sim, &launch->blocks);
    launch->start = sim->now;
    if (!ended_blocks_begin(&launch->ended, &sim->engine, launch->hooks, launch->start))
        return error_no_memory(err);
    if (launch->hooks != NULL && launch->hooks->sm_event != NULL &&
        (launch->events = sm_events_create(&sim->engine, launch->hooks, launch->start)) == NULL)
        return error_no_memory(err);
    launch->dispatch.next = sim->next;
    launch->patience.insts = engine_insts(&sim->engine);
    launch->blocks.hooks = launch->hooks;
    launch->blocks.start = launch->start;
    launch_intervals_begin(&launch->stretches, &sim->engine, launch->hooks, launch->start);
    launch_describe(sim, &launch->blocks, occupancy, occupancy->blocks, first);
    engine_launch(&sim->engine, launch->start, first);
    launch_intervals_pass_idle(&launch->stretches, first);
    launch->patience.last_issue = sim->engine.window_end;
    begin_sms(launch, first);
    uint64_t now = first;
    if (run_blocks(launch, &now, err) != 0)
        return -1;
    if (!launch->stopped)
        now = end_step(launch, now);
    uint64_t settled = now;
    if (!launch->stopped && end_stores(launch, &settled, err) != 0)
        return -1;
    if (sm_events_end(launch->events) != 0)
        return error_no_memory(err);
    for (uint32_t s = 0; s < sim->engine.spec.sms; s++)
        sm_end(sim->engine.sms[s], launch->blocks.last_given);
    if (!launch->stopped && !launch->blocks.ended_early &&
        sim_check_end(launch->blocks.feed->kernel, err) != 0)
        return -1;
    if (settled == now) /* its last stores were not on their way */
        settled = result_end(&sim->engine);
    if (!launch->stopped)
        settled = sim_end_posted(sim, settled);
    result_take(sim, &launch->stretches, launch->stopped, result);
    sim_wait_until(sim, settled);
    return 0;
}

/* SMs of the largest GPC. */
static uint32_t largest_gpc(const struct spec *spec)
{
    uint32_t most = 0;
    for (uint32_t gpc = 0; gpc < spec->gpcs; gpc++) {
        uint32_t sms = 0;
        for (uint32_t s = 0; s < spec->sms; s++)
            sms += spec->sm_gpcs[s] == gpc;
        most = sms > most ? sms : most;
    }
    return most;
}

/* Clusters of KERNEL must make up its grid, and one must find room in a GPC. */
static int check_cluster(const struct sim *sim, const struct trace_kernel *kernel,
                         struct error *err)
{
    const struct spec *spec = &sim->engine.spec;
    const uint32_t *cluster = trace_kernel_cluster(kernel);
    if (cluster == NULL || !sim->config->options.hearth_clusters)
        return 0;
    const struct trace_header *header = trace_kernel_header(kernel);
    for (int i = 0; i < 3; i++)
        if (cluster[i] == 0 || header->grid[i] % cluster[i] != 0)
            return error_set(err, ERROR_TRACE, NULL, 0, 0,
                             "launch %s: a grid of %u x %u x %u blocks cannot consist of "
                             "clusters of %u x %u x %u",
                             header->name, header->grid[0], header->grid[1], header->grid[2],
                             cluster[0], cluster[1], cluster[2]);
    uint64_t blocks = (uint64_t)cluster[0] * cluster[1] * cluster[2];
    uint32_t room = largest_gpc(spec);
    if (blocks <= CLUSTER_MOST && blocks <= room)
        return 0;
    return error_set(
        err, ERROR_USAGE, NULL, 0, 0,
        "launch %s: a cluster of %llu blocks needs as many SMs in a GPC; there are "
        "%u, and this model has at most %u",
        header->name, (unsigned long long)blocks, room, CLUSTER_MOST);
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
    return check_cluster(sim, kernel, err);
}

int sim_places(const struct sim *sim, const struct trace_kernel *kernel,
               struct sim_places *places, struct error *err)
{
    struct occupancy occupancy;
    if (sim_occupancy(sim, kernel, &occupancy, err) != 0)
        return -1;
    const uint32_t *grid = trace_kernel_header(kernel)->grid;
    const struct dispatch_launch launch = {.blocks = (uint64_t)grid[0] * grid[1] * grid[2]};
    *places = (struct sim_places){
        .sms = sim->engine.spec.sms,
        .blocks = occupancy.blocks,
        .first = launch_latency(sim, &launch),
        .l2_bytes = sim->engine.spec.slice.disabled ? 0 : sim_config_l2_bytes(sim->config),
        .dram_bytes = sim_peaks_of(sim->config).dram_bytes,
        .schedulers = sim->engine.spec.sm.schedulers,
        .alu_cycles = sim->config->units[TRACE_UNIT_INT].latency,
        .l1_cycles = sim->engine.spec.sm.l1_latency};
    return 0;
}

bool sim_reads_ahead(const struct sim *sim)
{
    return sim->pool != NULL;
}

void sim_forget_next(struct sim *sim)
{
    block_reader_destroy(sim->next);
    sim->next = NULL;
}

/* What has been read of KERNEL, if it was the next one of the launch before; NULL otherwise. */
static struct block_reader *take_next(struct sim *sim, const struct trace_kernel *kernel)
{
    struct block_reader *feed = sim->next;
    if (feed == NULL || feed->kernel != kernel)
        return NULL;
    sim->next = NULL;
    return feed;
}

/* Without memory for it, nothing is read ahead. */
static void set_next(struct sim *sim, const struct sim_hooks *hooks)
{
    sim_forget_next(sim);
    if (hooks != NULL && hooks->next != NULL && sim_reads_ahead(sim))
        sim->next = block_reader_create(hooks->next, sim->config);
}

int sim_launch(struct sim *sim, struct trace_kernel *kernel, const struct sim_hooks *hooks,
               struct sim_result *result, struct error *err)
{
    struct occupancy occupancy;
    struct launch_run launch = {.sim = sim, .hooks = hooks};
    memset(result, 0, sizeof *result);
    struct block_reader *feed = take_next(sim, kernel);
    if (sim_occupancy(sim, kernel, &occupancy, err) != 0) {
        block_reader_destroy(feed);
        return -1;
    }
    int status = -1;
    set_next(sim, hooks);
    compact_caches_give(sim);
    bool made =
        dispatch_init(&launch.dispatch, &sim->engine, 1, false, &sim->last_turn, sim->visit);
    if (!dispatch_launch_init(&launch.blocks, &sim->engine, kernel, feed, 0) || !made)
        error_no_memory(err);
    else
        status = run_launch(&launch, &occupancy, result, err);
    ended_blocks_finish(&launch.ended);
    sm_events_destroy(launch.events);
    if (status != 0 || launch.stopped)
        sim_reset(sim); /* blocks of the launch are still in the SMs */
    dispatch_launch_finish(&launch.blocks);
    dispatch_finish(&launch.dispatch);
    return status;
}
