/* What the launches of a group have caused. */
#include <stdlib.h>
#include <string.h>

#include "sim/concurrent.h"

bool concurrent_has_ended(const struct concurrent *group,
                          const struct concurrent_launch *member, uint64_t *last)
{
    if (member->state != CONCURRENT_RUNS || member->blocks.given < member->blocks.blocks)
        return false;
    *last = member->blocks.start;
    return dispatch_ended(&group->dispatch, &member->blocks, last) == member->blocks.blocks;
}

/* ---- counters ---- */

static void add_slot(struct concurrent *group, uint32_t slot, struct sim_counters *sum)
{
    struct sim_counters counted, base = group->bases[slot];
    engine_count_slot(&group->sim->engine, slot, &counted);
    group->bases[slot] = counted;
    sim_counters_subtract(&counted, &base);
    sim_counters_add(sum, &counted);
}

/* What no launch can be named for goes to the one that ends next, and to the last one what
 * others have caused since they ended. */
static void count_events(struct concurrent *group, const struct concurrent_launch *member,
                         struct sim_counters *counters)
{
    struct sim_counters rest;
    engine_count_rest(&group->sim->engine, &rest);
    *counters = rest;
    sim_counters_subtract(counters, &group->rest);
    group->rest = rest;
    sim_counters_add(counters, &group->extra);
    memset(&group->extra, 0, sizeof group->extra);
    add_slot(group, member->blocks.sm.slot, counters);
    for (uint32_t slot = 0; group->count == 1 && !group->more && slot < group->slots; slot++)
        add_slot(group, slot, counters);
}

/* ---- CPI stacks ---- */

static void add_difference(struct sim_cpi *sum, const struct sim_cpi *now,
                           const struct sim_cpi *before)
{
    for (uint32_t c = 0; c < SIM_CPI_COUNT; c++)
        sum->cycles[c] += now->cycles[c] - before->cycles[c];
}

static void take_stacks(struct concurrent *group, uint32_t slot)
{
    struct sim *sim = group->sim;
    const struct engine *engine = &sim->engine;
    uint32_t schedulers = sim_schedulers(sim);
    for (uint32_t s = 0; s < schedulers; s++) {
        struct sim_cpi now = engine_stack_slot(engine, slot, s), stack = {0};
        struct sim_cpi *before = &group->stacks[slot * schedulers + s];
        add_difference(&stack, &now, before);
        add_difference(&stack, &engine->empty, &group->empty);
        sim->stacks[1][s] = stack;
        *before = now;
    }
    group->empty = engine->empty;
}

void concurrent_begin_idle(struct concurrent *group, uint64_t start, uint64_t first)
{
    engine_launch(&group->sim->engine, start, first);
}

void concurrent_next_idle(struct concurrent *group)
{
    engine_landed(&group->sim->engine, group->now);
    concurrent_begin_idle(group, group->now, group->now - 1);
}

/* SMs hold blocks up to here, as far as they have run. */
static uint64_t busy_until(const struct concurrent *group, bool *any_left)
{
    uint64_t last, end = 0;
    *any_left = false;
    for (const struct concurrent_launch *m = group->members; m != NULL; m = m->next) {
        if (concurrent_has_ended(group, m, &last))
            end = last + 1 > end ? last + 1 : end;
        else
            *any_left |= m->state == CONCURRENT_RUNS;
    }
    return *any_left ? group->now : end;
}

void concurrent_end_idle(struct concurrent *group)
{
    struct engine *engine = &group->sim->engine;
    uint64_t none_left = engine->launch.none_left;
    bool any_left;
    uint64_t end = busy_until(group, &any_left);
    engine_landed(engine, end);
    group->empty_since = end;
    if (!any_left)
        return;
    concurrent_begin_idle(group, end, end - 1);
    engine->launch.none_left = none_left;
}

/* ---- from begin to end ---- */

bool concurrent_begin_counts(struct concurrent *group)
{
    struct sim *sim = group->sim;
    const struct engine *engine = &sim->engine;
    uint32_t schedulers = sim_schedulers(sim);
    group->bases = calloc(group->slots, sizeof *group->bases);
    group->stacks = calloc((size_t)group->slots * schedulers + 1, sizeof *group->stacks);
    if (group->bases == NULL || group->stacks == NULL)
        return false;
    struct sim_counters total;
    engine_count(engine, UINT64_MAX, &total);
    group->extra = total;
    sim_counters_subtract(&group->extra, &sim->base);
    engine_count_rest(engine, &group->rest);
    for (uint32_t slot = 0; slot < group->slots; slot++)
        engine_count_slot(engine, slot, &group->bases[slot]);
    for (uint32_t i = 0; i < group->slots * schedulers; i++)
        group->stacks[i] = engine_stack_slot(engine, i / schedulers, i % schedulers);
    group->empty = engine->empty;
    group->empty_since = sim->now;
    return true;
}

void concurrent_finish_counts(struct concurrent *group)
{
    free(group->bases);
    free(group->stacks);
}

void concurrent_count(struct concurrent *group, const struct concurrent_launch *member,
                      uint64_t end, struct sim_result *result)
{
    struct sim *sim = group->sim;
    *result = (struct sim_result){
        .start_cycle = member->blocks.start,
        .end_cycle = end,
        .gap_cycles = sim->gap,
        .restored_sectors = sim->restored,
        .peaks = sim_peaks_of(sim->config),
    };
    count_events(group, member, &result->counters);
    take_stacks(group, member->blocks.sm.slot);
    part_counts_take(&sim->parts, &sim->engine, UINT64_MAX);
    sim->gap = sim->restored = 0;
}

void concurrent_end_counts(struct concurrent *group)
{
    struct sim *sim = group->sim;
    engine_count(&sim->engine, UINT64_MAX, &sim->base);
    part_counts_skip(&sim->parts, &sim->engine);
    for (uint32_t s = 0; s < sim_schedulers(sim); s++)
        sim->stacks[0][s] = engine_stack(&sim->engine, s, UINT64_MAX);
}
