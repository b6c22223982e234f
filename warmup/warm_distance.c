#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "traces/base/map.h"
#include "warmup/launch_positions.h"
#include "warmup/order_reach.h"
#include "warmup/pass.h"
#include "warmup/policies.h"
#include "warmup/warm_distance.h"

/* A pass over a workload up to the last measured launch. */
struct follower {
    struct warmup_pass pass;
    const struct sim_config *config;
    const struct warmup_policy *policy;
    struct launch_positions index; /* of the measured launches */
    uint32_t *reach;               /* one for each of them */
    struct trace_reuse *reuse;
    struct trace_reuse_limits limits;
    uint64_t fill;   /* lines that fill L2 */
    bool code;       /* instructions are cached */
    struct map last; /* then: for each function the position of its last launch */
    size_t position; /* of the current launch */
    uint64_t fresh;  /* of all launches before it: lines that the launch before each one had
                        not touched */
    /* For each earlier launch, the latest last: its lines minus `fresh` up to it. A launch
     * with no more of these than a later one is never the answer of back_to_full(), so it is
     * not kept. */
    struct fill {
        size_t position;
        int64_t lines;
    } * fills;
    size_t fill_count;
};

static struct trace_reuse_limits limits_of(const struct sim_config *config, double percentile)
{
    return (struct trace_reuse_limits){
        .percentile = percentile,
        .capacity = sim_config_l2_bytes(config) / TRACE_LINE_BYTES,
        .copies_fill = warmup_copies_fill(config),
    };
}

/* The share of ways that stay empty if lines fall into sets at random, LOAD per set on average
 * (a Poisson distribution). */
static double empty_share(double load, uint32_t ways)
{
    double chance = exp(-load), empty = 0;
    for (uint32_t k = 0; k < ways; k++) {
        empty += (ways - k) * chance;
        chance *= load / (k + 1);
    }
    return empty / ways;
}

/* Lines that fill L2 up to PERCENTILE. They are more than L2 holds, since some sets get
 * few. */
static uint64_t lines_to_fill(uint64_t capacity, uint32_t ways, double percentile)
{
    double load = ways, most = 4.0 * ways;
    if (capacity <= ways) /* one set */
        return capacity;
    while (load < most && empty_share(load, ways) > 1 - percentile / 100)
        load += ways / 16.0;
    return (uint64_t)(load / ways * (double)capacity);
}

/* If copies fill L2, the copies before a launch count as part of it. */
static int back_to_reuse(const struct follower *follower,
                         const struct trace_footprint *footprint, uint32_t *back)
{
    const struct trace_reuse_limits *limits = &follower->limits;
    size_t count = footprint->source_count;
    struct trace_reuse_source *sources = calloc(count + 1, sizeof *sources);
    if (sources == NULL)
        return -1;
    for (size_t i = 0; i < count; i++) {
        sources[i] = footprint->sources[i];
        sources[i].copy = sources[i].copy && !limits->copies_fill;
    }
    *back = trace_reuse_back(sources, count, limits);
    free(sources);
    return 0;
}

/* True if the launch brings lines that L2 does not hold, and all launches so far touched more
 * than L2 can hold: the launch evicts what others left, and dirty data is written first. */
static bool pushes_out(const struct follower *follower, const struct trace_footprint *footprint)
{
    const struct trace_reuse_limits *limits = &follower->limits;
    struct trace_reuse_totals totals;
    uint64_t held = 0;
    trace_reuse_totals(follower->reuse, &totals);
    for (size_t i = 0; i < footprint->source_count; i++) {
        const struct trace_reuse_source *source = &footprint->sources[i];
        uint64_t newer = source->newer_lines + (limits->copies_fill ? source->newer_copied : 0);
        held += newer < limits->capacity ? source->sectors : 0;
    }
    double brought = (double)(footprint->sectors.all - held);
    return totals.lines > limits->capacity &&
           brought > (1 - limits->percentile / 100) * (double)footprint->sectors.all;
}

/* The fewest launches before the current one that together touched as many lines as fill L2.
 * Of the first of them all lines count, of each other one those that the launch before it had
 * not touched. All launches if they touched too few. */
static uint32_t back_to_full(const struct follower *follower)
{
    int64_t wanted = (int64_t)follower->fill - (int64_t)follower->fresh;
    size_t low = 0, high = follower->fill_count; /* `lines` falls from each entry to the next */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (follower->fills[middle].lines >= wanted)
            low = middle + 1;
        else
            high = middle;
    }
    size_t first = low > 0 ? follower->fills[low - 1].position : 1;
    return (uint32_t)(follower->position - first);
}

uint32_t warm_distance_to_full(const struct warm_distance *at)
{
    return back_to_full(at->follower);
}

bool warm_distance_counts(const struct warm_distance *at,
                          const struct trace_reuse_source *source)
{
    return !source->copy || at->limits->copies_fill;
}

/* Adds the current launch to those before the next one. */
static void keep(struct follower *follower, const struct trace_touched *lines)
{
    follower->fresh += lines->all - lines->shared;
    struct fill fill = {follower->position, (int64_t)lines->all - (int64_t)follower->fresh};
    while (follower->fill_count > 0 &&
           follower->fills[follower->fill_count - 1].lines <= fill.lines)
        follower->fill_count--;
    follower->fills[follower->fill_count++] = fill;
}

/* To the launch that left the current one's code in the caches of instructions; 0 if there is
 * none. */
static uint32_t back_to_code(const struct follower *follower)
{
    uint32_t last = map_get(&follower->last, follower->pass.function);
    return last != MAP_NONE ? (uint32_t)follower->position - last : 0;
}

static int reach_of(const struct follower *follower, const struct trace_footprint *footprint,
                    uint32_t *reach)
{
    if (follower->policy->distance != NULL) {
        const struct warm_distance at = {footprint, &follower->limits, follower};
        *reach = follower->policy->distance(&at);
        return 0;
    }
    uint32_t full = pushes_out(follower, footprint) ? back_to_full(follower) : 0;
    if (back_to_reuse(follower, footprint, reach) != 0)
        return -1;
    uint32_t code = back_to_code(follower);
    if (full > *reach)
        *reach = full;
    if (code > *reach)
        *reach = code;
    return 0;
}

/* Reads the next launch of the workload, and finds its reach if it is measured. */
static int follow(struct follower *follower, const char *name, struct error *err)
{
    struct trace_footprint footprint;
    int result = warmup_pass_read(&follower->pass, name, follower->position + 1,
                                  follower->reuse, &footprint, err);
    if (result != 0)
        return result;
    follower->position++;
    for (size_t i = launch_positions_at(&follower->index, follower->position); i > 0;
         i = follower->index.next[i])
        if (reach_of(follower, &footprint, &follower->reach[i - 1]) != 0)
            return error_no_memory(err);
    keep(follower, &footprint.lines);
    if (follower->code &&
        !map_set(&follower->last, follower->pass.function, (uint32_t)follower->position))
        return error_no_memory(err);
    return 0;
}

static int follow_command(struct follower *follower, const struct trace_command *command,
                          struct error *err)
{
    if (warmup_pass_copies(follower->config, command))
        return trace_reuse_copy(follower->reuse, command->copy.address, command->copy.bytes,
                                err);
    return command->kind == TRACE_KERNEL ? follow(follower, command->text, err) : 0;
}

int warmup_reach(const struct trace_workload *workload, const struct sim_config *config,
                 const struct warmup *warmup, const struct warmup_task *task, uint32_t *reach,
                 struct error *err)
{
    double percentile = warmup->percentile;
    if (warmup->after_state != NULL)
        return order_reach(workload, config, percentile, task, reach, err);
    size_t last = warmup_last(task);
    struct follower follower = {
        .pass = {.workload = workload, .watch = task->watch},
        .config = config,
        .policy = warmup->policy,
        .reach = reach,
        .reuse = trace_reuse_create(NULL, err),
        .limits = limits_of(config, percentile),
        .fills = calloc(last + 1, sizeof *follower.fills),
        .code = config->options.hearth_icache,
    };
    follower.fill = lines_to_fill(follower.limits.capacity, config->l2.ways, percentile);
    int result = follower.reuse != NULL ? 0 : -1;
    if (follower.fills == NULL ||
        !launch_positions_init(&follower.index, task->measured, task->count))
        result = error_no_memory(err);
    for (size_t i = 0; i < workload->count && follower.position < last && result == 0; i++)
        result = follow_command(&follower, &workload->commands[i], err);
    trace_reuse_destroy(follower.reuse);
    launch_positions_finish(&follower.index);
    map_finish(&follower.last);
    free(follower.fills);
    return result;
}
