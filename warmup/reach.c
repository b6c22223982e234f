#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "warmup/policies.h"

/* Follows a workload up to the last measured launch. */
struct follower {
    const struct warmup_task *task;
    uint32_t *reach; /* of each measured launch */
    struct trace_reuse *reuse;
    struct trace_reuse_limits limits;
    uint64_t fill;   /* lines that fill L2 */
    size_t position; /* launches so far */
    /* Of each of them: lines that it touched, and those that the one before had not. */
    struct touched {
        uint64_t lines, fresh;
    } * touched;
};

static struct trace_reuse_limits limits_of(const struct sim_config *config, double percentile)
{
    return (struct trace_reuse_limits){
        .percentile = percentile,
        .capacity = (uint64_t)config->l2.sets * config->l2.ways * config->l2.line /
                    TRACE_LINE_BYTES * config->options.gpgpu_n_mem *
                    config->options.gpgpu_n_sub_partition_per_mchannel,
        .copies_fill = config->options.gpgpu_perf_sim_memcpy,
    };
}

/* The share of ways that stay empty where lines fall into sets by chance, LOAD a set on
 * average: of a Poisson distribution. */
static double empty_share(double load, uint32_t ways)
{
    double chance = exp(-load), empty = 0;
    for (uint32_t k = 0; k < ways; k++) {
        empty += (ways - k) * chance;
        chance *= load / (k + 1);
    }
    return empty / ways;
}

/* Lines that fill L2 up to PERCENTILE: more than it holds, as some sets get few of them. */
static uint64_t lines_to_fill(uint64_t capacity, uint32_t ways, double percentile)
{
    double load = ways, most = 4.0 * ways;
    if (capacity <= ways) /* one set */
        return capacity;
    while (load < most && empty_share(load, ways) > 1 - percentile / 100)
        load += ways / 16.0;
    return (uint64_t)(load / ways * (double)capacity);
}

/* Where copies fill L2, those in front of a launch are part of it. */
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

/* True when the launch brings lines that L2 does not hold, and by now has more than it can
 * hold: it pushes out what others left, and where that is dirty it is written first. */
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

/* The fewest launches before the last one that together touched as many lines as fill L2. */
static uint32_t back_to_full(const struct follower *follower)
{
    uint64_t lines = 0; /* of the launches between, that the one before each had not */
    uint32_t back = 0;
    while (back + 1 < follower->position) {
        const struct touched *touched = &follower->touched[follower->position - 2 - back];
        back++;
        if (lines + touched->lines >= follower->fill)
            break;
        lines += touched->fresh;
    }
    return back;
}

static int reach_of(const struct follower *follower, const struct trace_footprint *footprint,
                    uint32_t *reach)
{
    uint32_t full = pushes_out(follower, footprint) ? back_to_full(follower) : 0;
    if (back_to_reuse(follower, footprint, reach) != 0)
        return -1;
    if (full > *reach)
        *reach = full;
    return 0;
}

/* The next launch of the workload; where it is measured it gets its reach. */
static int follow(struct follower *follower, struct trace_kernel *kernel, struct error *err)
{
    struct trace_footprint footprint;
    const struct warmup_task *task = follower->task;
    if (trace_reuse_launch(follower->reuse, kernel, NULL, &footprint, err) != 0)
        return -1;
    follower->touched[follower->position++] =
        (struct touched){footprint.lines.all, footprint.lines.all - footprint.lines.shared};
    for (size_t i = 0; i < task->count; i++)
        if (task->measured[i] == follower->position &&
            reach_of(follower, &footprint, &follower->reach[i]) != 0)
            return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
    return 0;
}

static int follow_command(struct follower *follower, const struct trace_workload *workload,
                          const struct trace_command *command, struct error *err)
{
    const struct trace_kernel_options options = {.memory_only = true, .workload = workload};
    if (command->kind == TRACE_COPY_HTOD)
        return trace_reuse_copy(follower->reuse, command->address, command->bytes, err);
    if (command->kind != TRACE_KERNEL)
        return 0;
    struct trace_kernel *kernel = trace_kernel_open(command->path, &options, err);
    int result = kernel == NULL ? -1 : follow(follower, kernel, err);
    trace_kernel_close(kernel);
    return result;
}

int warmup_reach(const struct trace_workload *workload, const struct sim_config *config,
                 double percentile, const struct warmup_task *task, uint32_t *reach,
                 struct error *err)
{
    size_t last = warmup_last(task);
    struct follower follower = {
        .task = task,
        .reach = reach,
        .reuse = trace_reuse_create(NULL, err),
        .limits = limits_of(config, percentile),
        .touched = calloc(last + 1, sizeof *follower.touched),
    };
    follower.fill = lines_to_fill(follower.limits.capacity, config->l2.ways, percentile);
    int result = follower.reuse != NULL && follower.touched != NULL ? 0 : -1;
    if (follower.touched == NULL)
        error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
    for (size_t i = 0; i < workload->count && follower.position < last && result == 0; i++)
        result = follow_command(&follower, workload, &workload->commands[i], err);
    trace_reuse_destroy(follower.reuse);
    free(follower.touched);
    return result;
}
