// Stamps of blocks by the clock of their SM, and rows: of the programs of this folder and of
// ../ports.
#ifndef HEARTH_TRACER_CALIBRATION_SHARING_STAMPS_CUH
#define HEARTH_TRACER_CALIBRATION_SHARING_STAMPS_CUH

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../../examples/check.h"

// The compiler cannot know that this never happens, so that what leads to VALUE stays; what
// follows waits for it.
#define KEEP(value, out)                                                                       \
    do {                                                                                       \
        if ((value) == 0x5eed1234u)                                                            \
            *(out) = 1;                                                                        \
    } while (0)

static const size_t MB = 1 << 20;

__device__ __forceinline__ uint32_t now32()
{
    uint32_t cycle;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(cycle)::"memory");
    return cycle;
}

__device__ __forceinline__ uint32_t smid()
{
    uint32_t sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

__device__ __forceinline__ uint64_t gtime()
{
    uint64_t ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
    return ns;
}

// Past L1.
__device__ __forceinline__ uint32_t ldcg(const char *from)
{
    uint32_t value;
    asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}

// How many cycles a record holds, for how many it has room, and how many records there are; a
// program that wants others defines them before it includes this file.
#ifndef SHARING_STAMPS
#define SHARING_STAMPS      12
#define SHARING_STAMPS_ROOM 14
#define SHARING_MOST_STAMPS 4608
#endif

static const int STAMPS = SHARING_STAMPS, MOST_STAMPS = SHARING_MOST_STAMPS;

// Of a block, or a warp: its SM, the time, and cycles.
struct stamps {
    uint32_t sm, n;
    uint64_t gt;
    uint32_t t[SHARING_STAMPS_ROOM];
};

// What launches use.
struct areas {
    char *data, *big; // 64 MB; 36 GB
    float *in;
    uint32_t *out; // never written
};

static int number;
static stamps *st, *host; // of the GPU, and a copy
static FILE *raw;         // where stamps are written; nullptr: nowhere
static char name[256];

#define NAME(...) (snprintf(name, sizeof name, __VA_ARGS__), name)

// The launch ABOUT is done: prints its row, and COUNT stamps.
static void done(const char *about, int grid, int block, int count)
{
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
    printf("%d,%s,%d,%d\n", ++number, about, grid, block);
    if (count == 0 || raw == nullptr)
        return;
    CUDA(cudaMemcpy(host, st, count * sizeof *st, cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; i++) {
        fprintf(raw, "%d,%s,%d,%u,%llu", number, about, i, host[i].sm,
                (unsigned long long)host[i].gt);
        for (uint32_t k = 0; k < host[i].n && k < STAMPS; k++)
            fprintf(raw, ",%u", host[i].t[k]);
        fprintf(raw, "\n");
    }
}

static void prepare(int argc, char **argv)
{
    raw = argc > 1 ? fopen(argv[1], "w") : nullptr;
    CUDA(cudaMalloc(&st, MOST_STAMPS * sizeof *st));
    CUDA(cudaMemset(st, 0, MOST_STAMPS * sizeof *st));
    host = (stamps *)malloc(MOST_STAMPS * sizeof *st);
    printf("launch,label,grid,block\n");
}

#endif
