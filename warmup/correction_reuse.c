#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "warmup/launch_positions.h"
#include "warmup/lru_layers.h"
#include "warmup/pass.h"
#include "warmup/warmup.h"

/* A pass over the workload's launches. */
struct reuse_reading {
    struct warmup_pass pass;
    const struct sim_config *config;
    struct launch_positions index;    /* of the measured launches */
    struct correction_reuse *results; /* one for each of them */
    struct trace_reuse *reuse;
    size_t position;                     /* of the current launch */
    uint64_t copies;                     /* before it */
    uint64_t addresses;                  /* of the previous launch */
    struct lru_layers layers;            /* what L2 holds before it */
    struct correction_addresses read[2]; /* of the previous launch and of this one */
    const char *before;                  /* trace of the previous launch */
};

double correction_retained(uint64_t source, uint64_t newer, uint64_t receiver,
                           uint64_t capacity)
{
    uint64_t low = source < receiver ? source : receiver;
    uint64_t high = source < receiver ? receiver : source;
    if (high + newer <= capacity)
        return 1;
    if (low + newer >= capacity)
        return 0;
    return (double)(capacity - newer - low) / (double)(high - low);
}

static void take(const struct reuse_reading *reading, const struct trace_footprint *footprint,
                 struct correction_reuse *reuse)
{
    double held = 0, copied = 0, fetched = (double)footprint->fetched, hits = 0;
    for (size_t i = 0; i < footprint->source_count; i++) {
        const struct trace_reuse_source *source = &footprint->sources[i];
        double share = lru_layers_held(&reading->layers, footprint, source);
        bool cold_too = source->copy && source->distance == 0;
        *(cold_too ? &copied : &held) += share * (double)source->sectors;
        if (cold_too)
            fetched -= share * (double)source->fetched;
        else
            hits += share * (double)(source->fetched - source->never);
    }
    double cold = (double)footprint->sectors.all - copied;
    double of_line = footprint->lines.all > 0
                         ? (double)footprint->sectors.all / (double)footprint->lines.all
                         : 1;
    *reuse = (struct correction_reuse){
        .forward = reading->position == 1 ? 0
                   : reading->addresses == 0
                       ? NAN
                       : (double)footprint->shared_addresses / (double)reading->addresses,
        .received = fetched > 0 ? hits / fetched : 0,
        .lines = (uint64_t)(cold / of_line + 0.5),
        .copies = reading->copies,
        .pushed = lru_layers_pushed(&reading->layers, footprint),
    };
    if (reading->config->options.gpgpu_flush_l2_cache) /* before the launch */
        reuse->received = reuse->pushed = 0;
}

/* The reuse between the launch at PATH and the previous one, as the scripts count it. */
static int read_addresses(struct reuse_reading *reading, const char *name, double *forward,
                          struct error *err)
{
    *forward = 0;
    if (reading->before == NULL)
        return 0;
    int result =
        correction_addresses_read(&reading->read[0], reading->before, &reading->pass, err);
    if (result == 0)
        result = correction_addresses_read(&reading->read[1], name, &reading->pass, err);
    if (result == 0)
        *forward = correction_addresses_forward(&reading->read[0], &reading->read[1]);
    return result;
}

static void keep(struct reuse_reading *reading, const struct trace_footprint *footprint,
                 const char *name)
{
    struct trace_reuse_totals totals;
    trace_reuse_totals(reading->reuse, &totals);
    lru_layers_launch(&reading->layers, footprint, totals.lines);
    reading->addresses = footprint->addresses;
    reading->before = name;
    reading->copies = 0;
}

/* Reads the next launch, whose trace is at PATH. */
static int follow(struct reuse_reading *reading, const char *name, struct error *err)
{
    struct trace_footprint footprint;
    int result = warmup_pass_read(&reading->pass, name, reading->position + 1, reading->reuse,
                                  &footprint, err);
    if (result != 0)
        return result;
    reading->position++;
    for (size_t i = launch_positions_at(&reading->index, reading->position);
         i > 0 && result == 0; i = reading->index.next[i]) {
        take(reading, &footprint, &reading->results[i - 1]);
        result = read_addresses(reading, name, &reading->results[i - 1].forward_artifact, err);
    }
    keep(reading, &footprint, name);
    return result;
}

static int read_all(struct reuse_reading *reading, struct error *err)
{
    const struct trace_workload *workload = reading->pass.workload;
    int result = 0;
    for (size_t i = 0; i < workload->count && result == 0; i++) {
        const struct trace_command *command = &workload->commands[i];
        if (reading->position == reading->index.last)
            break;
        if (command->kind == TRACE_COPY_HTOD) {
            reading->copies++;
            lru_layers_copy(&reading->layers, command->copy.address, command->copy.bytes);
            result = trace_reuse_copy(reading->reuse, command->copy.address,
                                      command->copy.bytes, err);
        } else if (command->kind == TRACE_KERNEL) {
            result = follow(reading, command->text, err);
        }
    }
    return result;
}

int correction_read(const struct trace_workload *workload, const struct sim_config *config,
                    const struct warmup_task *task, struct correction_reuse *reuse,
                    struct error *err)
{
    const struct trace_reuse_options options = {.addresses = true};
    struct reuse_reading reading = {.pass = {.workload = workload, .watch = task->watch},
                                    .config = config,
                                    .results = reuse};
    int result = -1;
    if (!launch_positions_init(&reading.index, task->measured, task->count) ||
        !lru_layers_init(&reading.layers, workload->count,
                         sim_config_l2_bytes(config) / TRACE_LINE_BYTES,
                         config->options.gpgpu_perf_sim_memcpy))
        error_no_memory(err);
    else if ((reading.reuse = trace_reuse_create(&options, err)) != NULL)
        result = read_all(&reading, err);
    trace_reuse_destroy(reading.reuse);
    correction_addresses_finish(&reading.read[0]);
    correction_addresses_finish(&reading.read[1]);
    launch_positions_finish(&reading.index);
    lru_layers_finish(&reading.layers);
    return result;
}
