#include "sim/dispatch.h"

#include <stdlib.h>
#include <string.h>

bool dispatch_init(struct dispatch *dispatch, struct engine *engine, struct trace_kernel *kernel,
                   uint32_t *last_cluster, struct error *err)
{
    const struct trace_header *header = trace_kernel_header(kernel);
    *dispatch = (struct dispatch){
        .engine = engine,
        .kernel = kernel,
        .blocks = (uint64_t)header->grid[0] * header->grid[1] * header->grid[2],
        .posts = calloc(engine->spec.sms, sizeof *dispatch->posts),
        .last_core = calloc(engine->spec.clusters, sizeof *dispatch->last_core),
        .last_cluster = last_cluster,
        .err = err,
    };
    for (uint32_t c = 0; dispatch->last_core != NULL && c < engine->spec.clusters; c++)
        dispatch->last_core[c] = engine->spec.sms_per_cluster - 1;
    return dispatch->posts != NULL && dispatch->last_core != NULL;
}

void dispatch_finish(struct dispatch *dispatch)
{
    inst_table_finish(&dispatch->insts);
    free(dispatch->posts);
    free(dispatch->last_core);
}

void dispatch_begin(struct dispatch *dispatch, uint64_t first)
{
    for (uint32_t s = 0; s < dispatch->engine->spec.sms; s++) {
        dispatch->engine->sms[s]->now = first + 1;
        dispatch->posts[s] = first;
    }
}

/* Gives the next block of the trace to an SM at the end of CYCLE. */
static int give_block(struct dispatch *dispatch, struct sm *sm, uint64_t cycle)
{
    struct trace_block *block;
    int got = trace_kernel_next_block(dispatch->kernel, &block, dispatch->err);
    if (got < 0)
        return -1;
    if (got == 0)
        return error_set(dispatch->err, ERROR_TRACE, NULL, 0, 0, "the trace ends before its grid");
    if (!inst_table_update(&dispatch->insts, dispatch->kernel, dispatch->engine->spec.config)) {
        trace_block_release(block);
        return error_set(dispatch->err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
    }
    sm_take_block(sm, block, cycle);
    dispatch->given++;
    dispatch->last_given = cycle;
    return 0;
}

/* One block to one SM of the cluster that posted CYCLE: returns 1 if given. */
static int serve_cluster(struct dispatch *dispatch, uint32_t cluster, uint64_t cycle)
{
    uint32_t cores = dispatch->engine->spec.sms_per_cluster;
    for (uint32_t i = 0; i < cores; i++) {
        uint32_t core = (dispatch->last_core[cluster] + 1 + i) % cores;
        uint32_t number = cluster * cores + core;
        if (dispatch->posts[number] != cycle)
            continue;
        if (give_block(dispatch, dispatch->engine->sms[number], cycle) != 0)
            return -1;
        dispatch->last_core[cluster] = core;
        return 1;
    }
    return 0;
}

static int serve(struct dispatch *dispatch, uint64_t cycle)
{
    uint32_t clusters = dispatch->engine->spec.clusters, last = *dispatch->last_cluster;
    for (uint32_t i = 0; i < clusters && dispatch->given < dispatch->blocks; i++) {
        uint32_t cluster = (last + 1 + i) % clusters;
        int given = serve_cluster(dispatch, cluster, cycle);
        if (given < 0)
            return -1;
        if (given > 0)
            *dispatch->last_cluster = cluster;
    }
    for (uint32_t s = 0; s < dispatch->engine->spec.sms; s++)
        if (dispatch->posts[s] == cycle)
            dispatch->posts[s] = DISPATCH_NONE;
    return 0;
}

/* Runs every SM until it posts a free place or reaches END; returns the
 * earliest post before END. */
static uint64_t earliest_post(struct dispatch *dispatch, uint64_t end)
{
    uint64_t first = DISPATCH_NONE;
    for (uint32_t s = 0; s < dispatch->engine->spec.sms; s++) {
        struct sm *sm = dispatch->engine->sms[s];
        if (dispatch->posts[s] == DISPATCH_NONE && sm_run(sm, end, true))
            dispatch->posts[s] = sm->now - 1;
        if (dispatch->posts[s] < first)
            first = dispatch->posts[s];
    }
    return first < end ? first : DISPATCH_NONE;
}

int dispatch_run(struct dispatch *dispatch, uint64_t end)
{
    struct engine *engine = dispatch->engine;
    while (dispatch->given < dispatch->blocks) {
        uint64_t cycle = earliest_post(dispatch, end);
        if (cycle == DISPATCH_NONE)
            return 0;
        if (serve(dispatch, cycle) != 0)
            return -1;
    }
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        sm_run(engine->sms[s], end, false);
    return dispatch->err->kind == ERROR_NONE ? 0 : -1;
}
