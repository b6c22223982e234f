// Kernels of control flow, and of the caches of instructions and constants.
#ifndef HEARTH_TRACER_CALIBRATION_CONTROL_CUH
#define HEARTH_TRACER_CALIBRATION_CONTROL_CUH

#include "chains.cuh"

template <int COUNT>
__device__ __forceinline__ void dependent_ffma(float &value, float factor, float term)
{
#pragma unroll
    for (int u = 0; u < COUNT; u++)
        asm volatile("fma.rn.f32 %0,%0,%1,%2;" : "+f"(value) : "f"(factor), "f"(term));
}

enum wait { wait_block, wait_fence_block, wait_fence };

// ROUNDS x 8 barriers or fences, with an FADD beside each.
template <wait WAIT>
__global__ void waits(uint64_t *clock, const float *in, uint32_t *out, int rounds)
{
    float value = in[threadIdx.x % 32], term = in[32];
    const uint64_t begin = now();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int u = 0; u < 8; u++) {
            if (WAIT == wait_block)
                asm volatile("bar.sync 0;" ::: "memory");
            if (WAIT == wait_fence_block)
                __threadfence_block();
            if (WAIT == wait_fence)
                __threadfence();
            asm volatile("add.f32 %0,%0,%1;" : "+f"(value) : "f"(term));
        }
    }
    KEEP(__float_as_uint(value), out);
    stop(clock, begin);
}

// Lanes take one of two ways: with MASK 0 all the same, with 1 half of them each.
__global__ void two_ways(uint64_t *clock, const float *in, uint32_t *out, int rounds,
                         uint32_t mask)
{
    const uint32_t lane = threadIdx.x % 32;
    float value = in[lane], a = in[lane + 32], b = in[lane + 64];
    const uint64_t begin = now();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        if (lane & mask)
            dependent_ffma<24>(value, a, b);
        else
            dependent_ffma<24>(value, b, a);
    }
    stop(clock, begin);
    KEEP(__float_as_uint(value), out);
}

#define WAY(n)                                                                                 \
    case n:                                                                                    \
        asm volatile("add.f32 %0,%0,0f3f8000%1;" : "+f"(value) : "n"(10 + n));                 \
        dependent_ffma<4>(value, a, b);                                                        \
        break;
#define FOUR_WAYS(n) WAY(n) WAY(n + 1) WAY(n + 2) WAY(n + 3)

// An indirect branch to one of 32 places: with MASK 0 the same one for all lanes, with 31
// another one for each.
__global__ void many_ways(uint64_t *clock, const float *in, uint32_t *out, int rounds,
                          uint32_t mask)
{
    const uint32_t lane = threadIdx.x % 32;
    float value = in[lane], a = in[lane + 32], b = in[lane + 64];
    const uint64_t begin = now();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        switch ((lane + i) & mask) {
            FOUR_WAYS(0)
            FOUR_WAYS(4)
            FOUR_WAYS(8)
            FOUR_WAYS(12)
            FOUR_WAYS(16)
            FOUR_WAYS(20)
            FOUR_WAYS(24)
            FOUR_WAYS(28)
        }
    }
    stop(clock, begin);
    KEEP(__float_as_uint(value), out);
}

// ROUNDS times through KB of straight code, of 16 bytes an instruction.
template <int KB>
__global__ void straight(uint64_t *clock, const float *in, uint32_t *out, int rounds)
{
    const uint32_t lane = threadIdx.x % 32;
    float a = in[lane], b = in[lane + 1], c = in[lane + 2], d = in[lane + 3];
    float factor = in[lane + 32], term = in[lane + 64];
    const uint64_t begin = now();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int u = 0; u < KB * 16; u++)
            asm volatile("fma.rn.f32 %0,%0,%4,%5; fma.rn.f32 %1,%1,%4,%5;"
                         "fma.rn.f32 %2,%2,%4,%5; fma.rn.f32 %3,%3,%4,%5;"
                         : "+f"(a), "+f"(b), "+f"(c), "+f"(d)
                         : "f"(factor), "f"(term));
    }
    stop(clock, begin);
    KEEP(__float_as_uint(a + b + c + d), out);
}

__constant__ float constants[4096];

// 1,024 dependent FFMA, whose operands are the first SPAN words of constant memory in turn.
template <int SPAN>
__global__ void constant_operands(uint64_t *clock, const float *in, uint32_t *out)
{
    float value = in[threadIdx.x], term = in[threadIdx.x + 32];
    const uint64_t begin = now();
#pragma unroll
    for (int u = 0; u < 1024; u++)
        asm volatile("fma.rn.f32 %0,%0,%1,%2;"
                     : "+f"(value)
                     : "f"(constants[u % SPAN]), "f"(term));
    stop(clock, begin);
    KEEP(__float_as_uint(value), out);
}

#endif
