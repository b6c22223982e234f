#include "sim/dispatch.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

bool dispatch_init(struct dispatch *dispatch, struct engine *engine,
                   struct trace_kernel *kernel, uint32_t *last_cluster)
{
    const struct trace_header *header = trace_kernel_header(kernel);
    const struct spec *spec = &engine->spec;
    *dispatch = (struct dispatch){
        .engine = engine,
        .blocks = (uint64_t)header->grid[0] * header->grid[1] * header->grid[2],
        .states = calloc(spec->sms, sizeof *dispatch->states),
        .posts = calloc(spec->sms, sizeof *dispatch->posts),
        .last_core = calloc(spec->clusters, sizeof *dispatch->last_core),
        .errors = calloc(spec->sms + 1, sizeof *dispatch->errors),
        .last_cluster = last_cluster,
    };
    feed_init(&dispatch->feed, kernel, spec->config, dispatch->blocks);
    pthread_mutex_init(&dispatch->mutex, NULL);
    for (uint32_t c = 0; dispatch->last_core != NULL && c < spec->clusters; c++)
        dispatch->last_core[c] = spec->sms_per_cluster - 1;
    return dispatch->states && dispatch->posts && dispatch->last_core && dispatch->errors;
}

void dispatch_finish(struct dispatch *dispatch)
{
    pthread_mutex_destroy(&dispatch->mutex);
    feed_finish(&dispatch->feed);
    free(dispatch->states);
    free(dispatch->posts);
    free(dispatch->last_core);
    free(dispatch->errors);
}

void dispatch_begin(struct dispatch *dispatch, uint64_t first)
{
    for (uint32_t s = 0; s < dispatch->engine->spec.sms; s++) {
        sm_set_clock(dispatch->engine->sms[s], first + 1);
        dispatch->states[s] = DISPATCH_POSTED;
        dispatch->posts[s] = first;
        dispatch->count[DISPATCH_POSTED]++;
    }
}

/* What the hooks make of a block. */
static enum sim_block_choice ask(const struct dispatch *dispatch,
                                 const struct trace_block *block, const struct sm *sm,
                                 uint64_t cycle, uint64_t *cycles)
{
    if (dispatch->hooks == NULL || dispatch->hooks->block_begins == NULL)
        return SIM_BLOCK_RUN;
    struct sim_block about = {
        .order = dispatch->given,
        .index = {block->index[0], block->index[1], block->index[2]},
        .sm = sm->number,
        .begin = cycle - dispatch->start,
    };
    return dispatch->hooks->block_begins(dispatch->hooks->data, &about, cycles);
}

/* Gives the next block of the trace that is not left out to an SM at the end
 * of CYCLE. */
static int give_block(struct dispatch *dispatch, struct sm *sm, uint64_t cycle)
{
    while (dispatch->given < dispatch->blocks) {
        struct trace_block *block =
            feed_take(&dispatch->feed, &dispatch->errors[dispatch->engine->spec.sms]);
        uint64_t cycles = 1;
        if (block == NULL)
            return -1;
        enum sim_block_choice choice = ask(dispatch, block, sm, cycle, &cycles);
        uint64_t order = dispatch->given++;
        if (choice == SIM_BLOCK_RUN) {
            sm_take_block(sm, block, order, cycle);
        } else {
            if (choice == SIM_BLOCK_TIMED)
                sm_take_timed(sm, block->index, order, cycles, cycle);
            trace_block_release(block);
        }
        if (choice != SIM_BLOCK_SKIP) {
            dispatch->last_given = cycle;
            return 0;
        }
        dispatch->skipped++;
    }
    return 0;
}

/* One block to one SM of the cluster that posted CYCLE: returns 1 if given. */
static int serve_cluster(struct dispatch *dispatch, uint32_t cluster, uint64_t cycle)
{
    uint32_t cores = dispatch->engine->spec.sms_per_cluster;
    for (uint32_t i = 0; i < cores; i++) {
        uint32_t core = (dispatch->last_core[cluster] + 1 + i) % cores;
        uint32_t number = cluster * cores + core;
        if (dispatch->states[number] != DISPATCH_POSTED || dispatch->posts[number] != cycle)
            continue;
        if (give_block(dispatch, dispatch->engine->sms[number], cycle) != 0)
            return -1;
        dispatch->last_core[cluster] = core;
        return 1;
    }
    return 0;
}

static void set_state(struct dispatch *dispatch, uint32_t number, enum dispatch_state state)
{
    dispatch->count[dispatch->states[number]]--;
    dispatch->count[state]++;
    dispatch->states[number] = (uint8_t)state;
}

/* SMs whose post has been answered go on. */
static void release(struct dispatch *dispatch, uint32_t number)
{
    bool more = dispatch->engine->sms[number]->now < dispatch->end;
    set_state(dispatch, number, more ? DISPATCH_READY : DISPATCH_DONE);
}

static void serve(struct dispatch *dispatch, uint64_t cycle)
{
    uint32_t clusters = dispatch->engine->spec.clusters, last = *dispatch->last_cluster;
    for (uint32_t i = 0; i < clusters && dispatch->given < dispatch->blocks; i++) {
        uint32_t cluster = (last + 1 + i) % clusters;
        int given = serve_cluster(dispatch, cluster, cycle);
        if (given < 0) {
            dispatch->failed = true;
            return;
        }
        if (given > 0)
            *dispatch->last_cluster = cluster;
    }
    bool none_left = dispatch->given == dispatch->blocks;
    if (none_left)
        dispatch->engine->launch.none_left = cycle;
    for (uint32_t s = 0; s < dispatch->engine->spec.sms; s++)
        if (dispatch->states[s] == DISPATCH_POSTED &&
            (none_left || dispatch->posts[s] == cycle))
            release(dispatch, s);
}

/* A ready SM, in turn; there is one. */
static uint32_t choose(struct dispatch *dispatch)
{
    uint32_t sms = dispatch->engine->spec.sms;
    while (dispatch->states[dispatch->next] != DISPATCH_READY)
        dispatch->next = (dispatch->next + 1) % sms;
    return dispatch->next;
}

/* The earliest post, if no SM can post an earlier one any more. */
static bool can_serve(const struct dispatch *dispatch, uint64_t *cycle)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t s = 0; s < dispatch->engine->spec.sms; s++)
        if (dispatch->states[s] == DISPATCH_POSTED && dispatch->posts[s] < first)
            first = dispatch->posts[s];
    if (first == UINT64_MAX)
        return false;
    for (uint32_t s = 0; s < dispatch->engine->spec.sms; s++)
        if (dispatch->states[s] <= DISPATCH_RUNS && sm_clock(dispatch->engine->sms[s]) <= first)
            return false;
    *cycle = first;
    return true;
}

static void run_one(struct dispatch *dispatch, uint32_t number)
{
    struct sm *sm = dispatch->engine->sms[number];
    bool yield = dispatch->given < dispatch->blocks;
    set_state(dispatch, number, DISPATCH_RUNS);
    pthread_mutex_unlock(&dispatch->mutex);
    bool posted = sm_run(sm, dispatch->end, yield);
    pthread_mutex_lock(&dispatch->mutex);
    if (posted && dispatch->given < dispatch->blocks) {
        set_state(dispatch, number, DISPATCH_POSTED);
        dispatch->posts[number] = sm->now - 1;
    } else {
        release(dispatch, number);
    }
}

/* While no SM can go on: what has to be done in this window or the next ones. */
static void use_wait(struct dispatch *dispatch)
{
    pthread_mutex_unlock(&dispatch->mutex);
    if (!engine_run_ahead(dispatch->engine) &&
        !feed_read_ahead(&dispatch->feed, 2 * dispatch->ahead))
        sched_yield();
    pthread_mutex_lock(&dispatch->mutex);
}

/* What each thread does in a step: runs SMs, serves posts, waits. */
static void run_sms(struct dispatch *dispatch)
{
    uint32_t sms = dispatch->engine->spec.sms;
    uint64_t cycle;
    pthread_mutex_lock(&dispatch->mutex);
    while (!dispatch->failed && dispatch->count[DISPATCH_DONE] != sms) {
        if (dispatch->count[DISPATCH_READY] != 0)
            run_one(dispatch, choose(dispatch));
        else if (dispatch->given < dispatch->blocks && can_serve(dispatch, &cycle))
            serve(dispatch, cycle);
        else
            use_wait(dispatch);
    }
    pthread_mutex_unlock(&dispatch->mutex);
}

/* Reading blocks comes first: it is the longest piece that only one thread can do. */
static void work(void *data)
{
    struct dispatch *dispatch = data;
    while (feed_read_ahead(&dispatch->feed, dispatch->ahead))
        continue;
    run_sms(dispatch);
    while (engine_run_ahead(dispatch->engine))
        continue;
}

/* As many blocks are read ahead as a step has needed lately, and some more. */
static void plan_reading(struct dispatch *dispatch)
{
    uint64_t used = dispatch->given - dispatch->given_before;
    dispatch->given_before = dispatch->given;
    dispatch->ahead =
        dispatch->engine->pool == NULL ? 0 : (uint32_t)(used < FEED_MAX ? used : FEED_MAX) + 2;
}

int dispatch_run(struct dispatch *dispatch, uint64_t end, struct error *err)
{
    uint32_t sms = dispatch->engine->spec.sms;
    dispatch->end = end;
    plan_reading(dispatch);
    for (uint32_t s = 0; s < sms; s++)
        if (dispatch->states[s] == DISPATCH_DONE)
            set_state(dispatch, s, DISPATCH_READY);
    pool_run(dispatch->engine->pool, work, dispatch);
    for (uint32_t s = 0; s <= sms; s++) {
        if (dispatch->errors[s].kind == ERROR_NONE)
            continue;
        *err = dispatch->errors[s];
        return -1;
    }
    return 0;
}
