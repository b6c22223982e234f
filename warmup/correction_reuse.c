#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "warmup/launch_positions.h"
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
    uint64_t copies;                     /* from the host, before it */
    uint64_t addresses;                  /* of the previous launch */
    struct correction_addresses read[2]; /* of the previous launch and of this one */
    const char *before;                  /* trace of the previous launch */
};

/* The sectors of SOURCE, a copy just before the launch, that L2 still holds when the launch
 * starts: all or none. */
static uint64_t brought(const struct sim_config *config,
                        const struct trace_reuse_source *source)
{
    uint64_t newer = source->newer_lines + source->newer_copied;
    bool held =
        warmup_copies_fill(config) && newer < sim_config_l2_bytes(config) / TRACE_LINE_BYTES;
    return held ? source->sectors : 0;
}

static void take(const struct reuse_reading *reading, const struct trace_footprint *footprint,
                 struct correction_reuse *reuse)
{
    double copied = 0;
    for (size_t i = 0; i < footprint->source_count; i++) {
        const struct trace_reuse_source *source = &footprint->sources[i];
        if (source->copy && source->distance == 0)
            copied += (double)brought(reading->config, source);
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
        .lines = (uint64_t)(cold / of_line + 0.5),
        .copies = reading->copies,
    };
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
        reading->copies += command->kind == TRACE_COPY_HTOD;
        if (warmup_pass_copies(reading->config, command)) {
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
    if (!launch_positions_init(&reading.index, task->measured, task->count))
        error_no_memory(err);
    else if ((reading.reuse = trace_reuse_create(&options, err)) != NULL)
        result = read_all(&reading, err);
    trace_reuse_destroy(reading.reuse);
    correction_addresses_finish(&reading.read[0]);
    correction_addresses_finish(&reading.read[1]);
    launch_positions_finish(&reading.index);
    return result;
}
