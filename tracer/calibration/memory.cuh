// Kernels of memory: chases of dependent loads give latencies, streams of all SMs give
// bandwidths.
#ifndef HEARTH_TRACER_CALIBRATION_MEMORY_CUH
#define HEARTH_TRACER_CALIBRATION_MEMORY_CUH

#include "chains.cuh"

// ROUNDS x 32 dependent loads from shared memory.
__global__ void shared_chase(uint64_t *clock, uint32_t *out, int rounds)
{
    __shared__ uint32_t next[1024];
    const uint32_t base = (uint32_t)__cvta_generic_to_shared(next);
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        next[i] = base + 4 * ((i + 33) % 1024);
    __syncthreads();
    uint32_t at = base + 4 * threadIdx.x;
    const uint64_t begin = now();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int u = 0; u < 32; u++)
            asm volatile("ld.shared.u32 %0,[%0];" : "+r"(at)::"memory");
    }
    KEEP(at, out);
    stop(clock, begin);
}

// With L1, or past it.
template <bool L1> __device__ __forceinline__ uint64_t hop(uint64_t at)
{
    if (L1)
        asm volatile("ld.global.ca.u64 %0,[%0];" : "+l"(at)::"memory");
    else
        asm volatile("ld.global.cg.u64 %0,[%0];" : "+l"(at)::"memory");
    return at;
}

template <bool L1> __device__ __forceinline__ uint64_t hops(uint64_t at, int rounds)
{
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int u = 0; u < 8; u++)
            at = hop<L1>(at);
    }
    return at;
}

// Follows a ring of pointers: 8 x WARM hops, then 8 x ROUNDS that are timed.
template <bool L1>
__global__ void chase(uint64_t *clock, const uint64_t *ring, uint32_t *out, int warm,
                      int rounds)
{
    uint64_t at = hops<L1>(*ring, warm);
    KEEP((uint32_t)at, out);
    const uint64_t begin = now();
    at = hops<L1>(at, rounds);
    KEEP((uint32_t)at, out);
    stop(clock, begin);
}

// The same with addresses that are computed: random ones, as far as MASK. ROUNDS x 4 hops.
__global__ void computed_chase(uint64_t *clock, const char *from, uint32_t *out, int rounds,
                               uint32_t mask, uint32_t seed, uint32_t zero)
{
    uint32_t h = seed, loaded = 0;
    const uint64_t begin = now();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int u = 0; u < 4; u++) {
            h = h * 1664525u + 1013904223u;
            const uint32_t offset = ((h >> 2) & mask) + (loaded & zero);
            asm volatile("ld.global.cg.u32 %0,[%1];"
                         : "=r"(loaded)
                         : "l"(from + offset)
                         : "memory");
        }
    }
    KEEP(loaded, out);
    stop(clock, begin);
}

// Touches LINES lines of 128 bytes.
__global__ void warm(uint64_t *clock, const char *from, uint32_t *out, uint32_t lines)
{
    const uint64_t begin = now();
    uint32_t sum = 0;
#pragma unroll 4
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < lines;
         i += gridDim.x * blockDim.x) {
        uint32_t loaded;
        asm volatile("ld.global.cg.u32 %0,[%1];"
                     : "=r"(loaded)
                     : "l"(from + (uint64_t)i * 128));
        sum ^= loaded;
    }
    KEEP(sum, out);
    stop(clock, begin);
}

// Each warp reads or writes ROUNDS x 4 KB, which lie side by side and start again after MASK +
// 1 bytes.
template <bool WRITE>
__global__ void stream(uint64_t *clock, char *area, uint32_t *out, int rounds, uint64_t mask)
{
    const uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32,
                   warps = gridDim.x * blockDim.x / 32;
    const uint32_t lane = threadIdx.x % 32;
    const uint64_t begin = now();
    uint32_t sum = 0;
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        char *at = area + ((uint64_t)(warp + i * warps) * 4096 & mask) + 16 * lane;
        uint4 loaded[8];
#pragma unroll
        for (int u = 0; u < 8; u++) {
            uint4 &l = loaded[u];
            if (WRITE)
                asm volatile("st.global.cg.v4.u32 [%0],{%1,%1,%1,%1};" ::"l"(at + 512 * u),
                             "r"(lane)
                             : "memory");
            else
                asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3},[%4];"
                             : "=r"(l.x), "=r"(l.y), "=r"(l.z), "=r"(l.w)
                             : "l"(at + 512 * u)
                             : "memory");
        }
#pragma unroll
        for (int u = 0; u < 8 && !WRITE; u++)
            sum ^= loaded[u].x ^ loaded[u].y ^ loaded[u].z ^ loaded[u].w;
    }
    KEEP(sum, out);
    stop(clock, begin);
}

#endif
