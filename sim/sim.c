#include "sim/sim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/core/core_model.h"
#include "sim/core/hopper/missing.h"
#include "sim/functional/compact_caches.h"
#include "sim/memory/queue.h"
#include "sim/simulator.h"
#include "traces/base/prefetch.h"

struct sim *sim_create(const struct sim_config *config, struct error *err)
{
    struct sim *sim = prefetch_alloc(1, sizeof *sim);
    if (sim == NULL) {
        error_no_memory(err);
        return NULL;
    }
    sim->config = config;
    if (engine_init(&sim->engine, config, NULL, err) != 0) {
        free(sim);
        return NULL;
    }
    if (config->options.hearth_parts && !part_counts_init(&sim->parts, &sim->engine)) {
        error_no_memory(err);
        sim_destroy(sim);
        return NULL;
    }
    sim->last_turn = sim->engine.spec.clusters - 1;
    if (sim->engine.spec.gpc_blocks &&
        (sim->visit = calloc(sim->engine.spec.clusters, sizeof *sim->visit)) == NULL) {
        error_no_memory(err);
        sim_destroy(sim);
        return NULL;
    }
    return sim;
}

int sim_set_threads(struct sim *sim, uint32_t threads, struct error *err)
{
    thread_pool_destroy(sim->pool);
    sim->pool = NULL;
    if (threads > 1 && (sim->pool = thread_pool_create(threads)) == NULL) {
        sim->engine.pool = NULL;
        return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "cannot start %u threads: %s",
                         threads, strerror(errno));
    }
    sim->engine.pool = sim->pool;
    return 0;
}

void sim_destroy(struct sim *sim)
{
    if (sim == NULL)
        return;
    engine_finish(&sim->engine);
    part_counts_finish(&sim->parts);
    sim_forget_next(sim);
    compact_caches_destroy(sim);
    loaded_code_finish(&sim->loaded);
    thread_pool_destroy(sim->pool);
    free(sim->report);
    free(sim->visit);
    free(sim->first);
    free(sim);
}

void sim_reset(struct sim *sim)
{
    struct error err = {0};
    compact_caches_drop(sim);
    engine_finish(&sim->engine);
    sim->now = sim->gap = sim->restored = 0;
    if (engine_init(&sim->engine, sim->config, sim->pool, &err) != 0)
        memory_short(); /* it could be built before */
    loaded_code_finish(&sim->loaded);
    sim->code_flushed = false;
    sim->untimed = false;
    sim->last_turn = sim->engine.spec.clusters - 1;
    memset(&sim->base, 0, sizeof sim->base);
    memset(sim->stacks, 0, sizeof sim->stacks);
    part_counts_reset(&sim->parts);
}

bool sim_wants_code(const struct sim *sim)
{
    const struct sm_spec *spec = &sim->engine.spec.sm;
    return spec->code.fetches || spec->code.constants || spec->model->describe != NULL;
}

bool sim_overlaps_followers(const struct sim_config *config)
{
    return config->options.hearth_programmatic != 0 &&
           core_model_find(config->options.hearth_core)->follows;
}

void sim_missing(const struct sim *sim, const struct trace_kernel *kernel, bool unseen,
                 void (*note)(void *data, const char *opcode, const char *part), void *data)
{
    uint32_t count;
    const struct trace_inst *insts = trace_kernel_insts(kernel, &count);
    bool in_turn =
        !sim_overlaps_followers(sim->config) || trace_kernel_programmatic(kernel) < 0;
    for (uint32_t i = 0; i < count; i++) {
        const char *opcode = trace_kernel_opcode(kernel, &insts[i]);
        const char *part = missing_part(opcode, unseen, in_turn);
        if (part != NULL)
            note(data, opcode, part);
    }
}

const char *sim_report(const struct sim *sim)
{
    return sim->report != NULL ? sim->report : "";
}

uint32_t sim_schedulers(const struct sim *sim)
{
    return sim->engine.spec.sm.cpi_stack ? sim->engine.spec.sm.schedulers : 0;
}

uint32_t sim_parts(const struct sim *sim, enum sim_part_kind kind)
{
    const struct spec *spec = &sim->engine.spec;
    if (sim->parts.count == 0)
        return 0;
    return kind == SIM_PART_SM      ? spec->sms
           : kind == SIM_PART_SLICE ? spec->slices
                                    : spec->channels;
}

const struct sim_part *sim_part(const struct sim *sim, uint32_t number)
{
    return &sim->parts.last[number];
}

const struct sim_cpi *sim_stack(const struct sim *sim, uint32_t scheduler)
{
    return &sim->stacks[1][scheduler];
}
