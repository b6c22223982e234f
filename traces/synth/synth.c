/* Synthetic workloads: the table of generators and what they stand on. */
#include "traces/synth/synth.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/spelling.h"
#include "traces/synth/hopper/coded.h"
#include "traces/synth/parameters/parameters.h"
#include "traces/synth/warp.h"

const struct synth_workload synth_workloads[] = {
#define SYNTH(name, least, description) {#name, least, description, synth_##name},
#include "traces/synth/synth.def"
#undef SYNTH
};
const size_t synth_workload_count = sizeof synth_workloads / sizeof *synth_workloads;

/* Where device memory begins, and the windows of shared and local memory,
 * above all of it: addresses as drivers give them out. */
#define MEMORY_BASE UINT64_C(0x7f2000000000)
#define SHARED_BASE UINT64_C(0x7ff000000000)
#define LOCAL_BASE  UINT64_C(0x7ff002000000)
#define LARGE       (UINT64_C(1) << 20)
#define LARGE_ALIGN (UINT64_C(2) << 20)
#define SMALL_ALIGN 512

uint64_t synth_root(uint64_t value, int dimensions)
{
    uint64_t root = 0;
    for (int bit = 31; bit >= 0; bit--) {
        uint64_t try = root | UINT64_C(1) << bit;
        __uint128_t power = (__uint128_t)try * try;
        if (dimensions == 3 && power <= UINT64_MAX)
            power *= try;
        if (power <= value)
            root = try;
    }
    return root;
}

static uint32_t clamp(__uint128_t value, uint32_t least)
{
    if (value > SYNTH_SIZE_MAX)
        return SYNTH_SIZE_MAX;
    return value < least ? least : (uint32_t)value;
}

uint32_t synth_scaled(const struct synth *synth, uint32_t value, uint32_t least)
{
    return clamp((__uint128_t)value * synth->scale / SYNTH_SCALE_ONE, least);
}

uint32_t synth_scaled_side(const struct synth *synth, uint32_t value, int dimensions,
                           uint32_t least)
{
    /* The root of scale with 20 more bits, so that small sides stay exact. */
    __uint128_t scale = synth->scale;
    scale <<= dimensions == 2 ? 20 : 40;
    uint64_t root = scale > UINT64_MAX ? UINT32_MAX : synth_root((uint64_t)scale, dimensions);
    return clamp((__uint128_t)value * root / SYNTH_SCALE_ONE, least);
}

uint64_t synth_random(struct synth *synth)
{
    return split_mix(synth->seed, synth->drawn++);
}

uint64_t synth_alloc(struct synth *synth, uint64_t bytes)
{
    uint64_t address = round_up(synth->top, bytes >= LARGE ? LARGE_ALIGN : SMALL_ALIGN);
    synth->top = address + bytes;
    if (synth->on_alloc != NULL)
        synth->on_alloc(synth->on_alloc_data, address, bytes);
    return address;
}

void synth_copy(struct synth *synth, uint64_t address, uint64_t bytes)
{
    if (!synth->failed)
        synth->failed =
            synth->sink->ops->copy(synth->sink, false, address, bytes, synth->err) != 0;
}

uint64_t synth_upload(struct synth *synth, uint64_t bytes)
{
    uint64_t address = synth_alloc(synth, bytes);
    synth_copy(synth, address, bytes);
    return address;
}

void *synth_host(struct synth *synth, uint64_t count, size_t size)
{
    void *memory = synth->failed ? NULL : calloc(count == 0 ? 1 : count, size);
    if (memory == NULL) {
        synth->failed = true;
        error_no_memory(synth->err);
    }
    return memory;
}

static int make_warp(struct synth *synth, const struct synth_launch *launch,
                     const uint32_t block[3], uint32_t index)
{
    struct warp warp = warp_begin(synth, launch, block, index);
    const struct trace_sink_ops *ops = synth->sink->ops;
    if (ops->begin_warp(synth->sink, index, TRACE_SINK_UNKNOWN, synth->err) != 0)
        return -1;
    warp_run(&warp);
    return synth->failed ? -1 : ops->end_warp(synth->sink, synth->err);
}

static int make_block(struct synth *synth, const struct synth_launch *launch, uint64_t number)
{
    const struct trace_sink_ops *ops = synth->sink->ops;
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    uint32_t index[3] = {
        (uint32_t)(number % launch->grid[0]),
        (uint32_t)(number / launch->grid[0] % launch->grid[1]),
        (uint32_t)(number / launch->grid[0] / launch->grid[1]),
    };
    if (ops->begin_block(synth->sink, index, synth->err) != 0)
        return -1;
    for (uint32_t w = 0; w < div_up(threads, WARP_SIZE); w++)
        if (make_warp(synth, launch, index, w) != 0)
            return -1;
    return ops->end_block(synth->sink, synth->err);
}

static int make_launch(struct synth *synth, const struct synth_launch *launch)
{
    const struct trace_sink_ops *ops = synth->sink->ops;
    struct trace_header header = {
        .name = (char *)launch->name,
        .id = ++synth->launches,
        .has_id = true,
        .shmem = launch->shmem,
        .regs = launch->regs,
        .binary_version = synth->arch->binary_version,
        .shmem_base = SHARED_BASE,
        .local_base = LOCAL_BASE,
        .version = 50,
        .grouped = true,
    };
    memcpy(header.grid, launch->grid, sizeof header.grid);
    memcpy(header.block, launch->block, sizeof header.block);
    uint64_t blocks = (uint64_t)header.grid[0] * header.grid[1] * header.grid[2];
    struct trace_function function;
    if (launch->facts != NULL && coded_begin(synth, launch, &header, &function) != 0)
        return -1;
    if (ops->begin_launch(synth->sink, &header, launch->facts != NULL ? &function : NULL, false,
                          synth->err) != 0)
        return -1;
    for (uint64_t b = 0; b < blocks; b++)
        if (make_block(synth, launch, b) != 0)
            return -1;
    return ops->end_launch(synth->sink, synth->err);
}

void synth_launch(struct synth *synth, const struct synth_launch *launch)
{
    struct synth_launch whole = *launch;
    for (int i = 0; i < 3; i++) {
        whole.grid[i] = whole.grid[i] == 0 ? 1 : whole.grid[i];
        whole.block[i] = whole.block[i] == 0 ? 1 : whole.block[i];
    }
    if (!synth->failed)
        synth->failed = make_launch(synth, &whole) != 0;
    coded_end(synth);
}

/* ---- the public face ---- */

const char *trace_synth_name(size_t i, const char **description)
{
    if (i >= synth_workload_count)
        return NULL;
    *description = synth_workloads[i].description;
    return synth_workloads[i].name;
}

static const struct synth_workload *find(const char *name)
{
    for (size_t i = 0; i < synth_workload_count; i++)
        if (strcmp(synth_workloads[i].name, name) == 0)
            return &synth_workloads[i];
    return NULL;
}

#define NORMAL "sm_86"
#define NEWEST "sm_90"

static int check_arch(const struct synth_workload *workload, const char *name,
                      const struct synth_arch **arch, struct error *err)
{
    const struct synth_arch *normal = synth_arch_find(NORMAL);
    if (name == NULL)
        name = workload->least > normal->binary_version ? NEWEST : NORMAL;
    *arch = synth_arch_find(name);
    if (*arch == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "architecture \"%s\": expected sm_70, sm_75, sm_80, sm_86 or sm_90",
                         name);
    if ((*arch)->binary_version < workload->least)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "architecture \"%s\": %s has instructions of sm_%u", name,
                         workload->name, workload->least);
    return 0;
}

static int check_options(const struct synth_workload *workload,
                         const struct trace_synth_options *options,
                         const struct synth_arch **arch, struct error *err)
{
    if (check_arch(workload, options->arch, arch, err) != 0)
        return -1;
    if (!(options->scale >= TRACE_SYNTH_SCALE_MIN && options->scale <= TRACE_SYNTH_SCALE_MAX))
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "scale %g: expected %g to %g",
                         options->scale, TRACE_SYNTH_SCALE_MIN, TRACE_SYNTH_SCALE_MAX);
    return parameters_check(workload->name, options, err);
}

/* What the workload is made with, in one line. */
static void describe(const struct synth *synth, char *note, size_t room)
{
    const struct trace_synth_options *options = synth->options;
    int used =
        snprintf(note, room, "%s --scale %.17g --seed %" PRIu64 " --arch %s",
                 synth->workload->name, options->scale, options->seed, synth->arch->name);
    for (size_t i = 0; i < options->parameter_count && used < (int)room; i++)
        used += snprintf(note + used, room - (size_t)used, " --parameter %s",
                         options->parameters[i]);
}

static int no_workload(const char *name, struct error *err)
{
    char hint[SPELLING_HINT];
    struct spelling_guess guess = spelling_guess(name);
    for (size_t i = 0; i < synth_workload_count; i++)
        spelling_consider(&guess, synth_workloads[i].name);
    return error_set(err, ERROR_USAGE, NULL, 0, 0, "there is no synthetic workload \"%s\"%s",
                     name, spelling_hint(&guess, "", hint));
}

int synth_run(struct synth *synth, const char *name, const struct trace_synth_options *options,
              struct trace_sink *sink, struct error *err)
{
    const struct synth_workload *workload = find(name);
    if (workload == NULL)
        return no_workload(name, err);
    if (check_options(workload, options, &synth->arch, err) != 0)
        return -1;
    synth->sink = sink;
    synth->err = err;
    synth->scale = (uint64_t)(options->scale * (double)SYNTH_SCALE_ONE);
    synth->seed = split_mix(options->seed, 0);
    synth->top = MEMORY_BASE;
    synth->workload = workload;
    synth->options = options;
    char note[512];
    describe(synth, note, sizeof note);
    if (sink->ops->begin(sink, note, err) != 0)
        return -1;
    workload->make(synth);
    return synth->failed ? -1 : sink->ops->end(sink, err);
}

int trace_synth(const char *name, const struct trace_synth_options *options,
                struct trace_sink *sink, struct error *err)
{
    struct synth synth = {0};
    return synth_run(&synth, name, options, sink, err);
}
