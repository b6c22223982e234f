#include <stdlib.h>

#include "warmup/warmup.h"

/* Where copies fill L2, those in front of a launch are part of it. */
static uint32_t back_of(const struct trace_footprint *footprint,
                        const struct sim_config *config, double percentile, bool *good)
{
    const struct trace_reuse_limits limits = {
        .percentile = percentile,
        .capacity = (uint64_t)config->l2.sets * config->l2.ways * config->l2.line /
                    TRACE_LINE_BYTES * config->options.gpgpu_n_mem *
                    config->options.gpgpu_n_sub_partition_per_mchannel,
        .copies_fill = config->options.gpgpu_perf_sim_memcpy,
    };
    size_t count = footprint->source_count;
    struct trace_reuse_source *sources = calloc(count + 1, sizeof *sources);
    *good = sources != NULL;
    if (sources == NULL)
        return 0;
    for (size_t i = 0; i < count; i++) {
        sources[i] = footprint->sources[i];
        sources[i].copy = sources[i].copy && !limits.copies_fill;
    }
    uint32_t back = trace_reuse_back(sources, count, &limits);
    free(sources);
    return back;
}

/* The next launch of the workload, at POSITION; those measured there get their reach. */
static int follow(struct trace_reuse *reuse, struct trace_kernel *kernel, size_t position,
                  const struct sim_config *config, double percentile,
                  const struct warmup_task *task, uint32_t *reach, struct error *err)
{
    struct trace_footprint footprint;
    bool good = true;
    if (trace_reuse_launch(reuse, kernel, NULL, &footprint, err) != 0)
        return -1;
    for (size_t i = 0; i < task->count && good; i++)
        if (task->measured[i] == position)
            reach[i] = back_of(&footprint, config, percentile, &good);
    return good ? 0 : error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
}

static size_t last_measured(const struct warmup_task *task)
{
    size_t last = 0;
    for (size_t i = 0; i < task->count; i++)
        if (task->measured[i] > last)
            last = task->measured[i];
    return last;
}

int warmup_reach(const struct trace_workload *workload, const struct sim_config *config,
                 double percentile, const struct warmup_task *task, uint32_t *reach,
                 struct error *err)
{
    const struct trace_kernel_options options = {.memory_only = true, .workload = workload};
    struct trace_reuse *reuse = trace_reuse_create(NULL, err);
    size_t position = 0, last = last_measured(task);
    int result = reuse != NULL ? 0 : -1;
    for (size_t i = 0; i < workload->count && position < last && result == 0; i++) {
        const struct trace_command *command = &workload->commands[i];
        if (command->kind == TRACE_COPY_HTOD)
            result = trace_reuse_copy(reuse, command->address, command->bytes, err);
        if (command->kind != TRACE_KERNEL)
            continue;
        struct trace_kernel *kernel = trace_kernel_open(command->path, &options, err);
        result = kernel == NULL
                     ? -1
                     : follow(reuse, kernel, ++position, config, percentile, task, reach, err);
        trace_kernel_close(kernel);
    }
    trace_reuse_destroy(reuse);
    return result;
}
