/* What the generators of synthetic workloads are made with: device memory,
 * launches, random numbers. */
#ifndef HEARTH_TRACES_SYNTH_SYNTH_H
#define HEARTH_TRACES_SYNTH_SYNTH_H

#include "traces/base/split_mix.h"
#include "traces/sink.h"
#include "traces/synth/synth_workloads.h"
#include "traces/traces.h"

struct assembler;
struct trace_launch_facts;
struct trace_tensor_map;
struct warp;

/* What differs in the code that nvcc makes for an architecture. */
struct synth_arch {
    const char *name;        /* "sm_86" */
    uint32_t binary_version; /* 86 */
    bool uniform;            /* uniform datapath: ULDC, Turing and up */
    bool matrix_load;        /* LDSM, Turing and up */
    bool async_copy;         /* LDGSTS, Ampere and up */
};

/* NULL if no architecture has that name. */
const struct synth_arch *synth_arch_find(const char *name);

/* A workload while it is made. After a failure everything goes on without
 * effect, so that generators need not look: `failed` is looked at between
 * warps and by whoever runs the generator. */
struct synth {
    const struct synth_arch *arch;
    struct trace_sink *sink;
    struct error *err;
    bool failed;
    uint64_t scale; /* in 1/SYNTH_SCALE_ONE */
    uint64_t seed;
    uint64_t drawn; /* random numbers so far */
    uint64_t top;   /* end of the allocated device memory */
    uint64_t launches;
    uint32_t maps;               /* tensor maps so far */
    struct assembler *assembler; /* gets all instructions while a launch is looked at before it
                                  * is made; else NULL */
    struct assembler *code;      /* of the launch in hand; or NULL */
    const struct synth_workload *workload;
    const struct trace_synth_options *options;
    /* Called for every allocation; may be NULL. For tests. */
    void (*on_alloc)(void *data, uint64_t address, uint64_t bytes);
    void *on_alloc_data;
};

#define SYNTH_SCALE_ONE (UINT64_C(1) << 20)
#define SYNTH_SIZE_MAX  (UINT32_C(1) << 28) /* no scaled size is larger */

/* VALUE times the scale, at least LEAST; for a side, such that a square
 * (DIMENSIONS 2) or cube (3) of it is to scale. Integer arithmetic only:
 * equal on every machine. */
uint32_t synth_scaled(const struct synth *synth, uint32_t value, uint32_t least);
uint32_t synth_scaled_side(const struct synth *synth, uint32_t value, int dimensions,
                           uint32_t least);
/* The integer part of the DIMENSIONS-th root. */
uint64_t synth_root(uint64_t value, int dimensions);

/* VALUE up to the next multiple of STEP. */
static inline uint64_t round_up(uint64_t value, uint64_t step)
{
    return (value + step - 1) / step * step;
}

/* VALUE over STEP, rounded up. */
static inline uint32_t div_up(uint64_t value, uint64_t step)
{
    return (uint32_t)((value + step - 1) / step);
}

/* A number below N (32 bits at most) from random bits, by multiplication. */
static inline uint64_t random_below(uint64_t bits, uint64_t n)
{
    return (bits >> 32) * n >> 32;
}

/* The next number of the workload's own stream. */
uint64_t synth_random(struct synth *synth);

/* Device memory as cudaMalloc gives it: 512-byte aligned, from 1 MiB on
 * 2 MiB. */
uint64_t synth_alloc(struct synth *synth, uint64_t bytes);
/* The same, filled by a copy from the host. */
uint64_t synth_upload(struct synth *synth, uint64_t bytes);
void synth_copy(struct synth *synth, uint64_t address, uint64_t bytes);

/* What was asked for of the workload's parameter NAME, or its initial value. */
uint32_t synth_parameter(const struct synth *synth, const char *name);

/* Lists MAP, whose bytes do not matter. Returns its number, for launches that have it. */
uint32_t synth_tensor_map(struct synth *synth, const struct trace_tensor_map *map);

/* Host memory for a generator's own data, zeroed; NULL, and `failed` set,
 * when there is none. The generator frees it. */
void *synth_host(struct synth *synth, uint64_t count, size_t size);

/* One launch. */
struct synth_launch {
    const char *name;           /* mangled */
    uint32_t grid[3], block[3]; /* 0 stands for 1 */
    uint32_t regs, shmem;       /* a thread's registers, a block's bytes */
    void (*body)(struct warp *warp, const void *data); /* makes one warp; EXIT follows */
    const void *data;
    /* Of code with products of warp groups and copies of tensors; NULL: none. Then the launch
     * has machine code, too. */
    const struct trace_launch_facts *facts;
};

void synth_launch(struct synth *synth, const struct synth_launch *launch);
/* The same of its members: LAUNCH(synth, name, grid, block, regs, shmem, body,
 * data). */
#define LAUNCH(synth, ...) synth_launch(synth, &(struct synth_launch){__VA_ARGS__})

/* One line of the table of workloads. */
struct synth_workload {
    const char *name;
    uint32_t least; /* binary version that its instructions need */
    const char *description;
    void (*make)(struct synth *synth);
};

/* trace_synth() for a SYNTH of which nothing but on_alloc is set. */
int synth_run(struct synth *synth, const char *name, const struct trace_synth_options *options,
              struct trace_sink *sink, struct error *err);

extern const struct synth_workload synth_workloads[];
extern const size_t synth_workload_count;

/* One line of the table of parameters. */
struct synth_parameter {
    const char *workload, *name;
    uint32_t initial, least, most;
    const char *description;
};

#define SYNTH(name, least, description) void synth_##name(struct synth *synth);
#include "traces/synth/synth.def"
#undef SYNTH

#endif
