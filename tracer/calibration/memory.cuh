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

// ROUNDS x 8 loads from shared memory whose lanes are STRIDE bytes apart.
__global__ void shared_loads(uint64_t *clock, const uint32_t *in, uint32_t *out, int rounds,
                             uint32_t stride, uint32_t zero)
{
    __shared__ uint32_t words[4096];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x)
        words[i] = i + in[threadIdx.x % 32];
    const uint32_t base = (uint32_t)__cvta_generic_to_shared(words) + threadIdx.x % 32 * stride;
    uint32_t sum = 0;
    __syncthreads();
    const uint64_t begin = now();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        uint32_t loaded[8];
#pragma unroll
        for (int u = 0; u < 8; u++)
            asm volatile("ld.shared.u32 %0,[%1];"
                         : "=r"(loaded[u])
                         : "r"(base + (i & zero) + u * 512)
                         : "memory");
#pragma unroll
        for (int u = 0; u < 8; u++)
            sum ^= loaded[u];
    }
    __syncthreads();
    stop(clock, begin);
    KEEP(sum, out);
}

// ROUNDS x 8 loads that hit in L1, each of 32 lines; one round more before that brings them.
__global__ void divergent_loads(uint64_t *clock, const char *from, uint32_t *out, int rounds,
                                uint32_t zero)
{
    const char *base = from + threadIdx.x * 128;
    uint32_t sum = 0;
    uint64_t begin = 0;
#pragma unroll 1
    for (int i = 0; i <= rounds; i++) {
        uint32_t loaded[8];
        if (i == 1) {
            KEEP(sum, out);
            __syncthreads();
            begin = now();
        }
#pragma unroll
        for (int u = 0; u < 8; u++)
            asm volatile("ld.global.ca.u32 %0,[%1];"
                         : "=r"(loaded[u])
                         : "l"(base + (i & zero) + u * (blockDim.x * 128))
                         : "memory");
#pragma unroll
        for (int u = 0; u < 8; u++)
            sum ^= loaded[u];
    }
    KEEP(sum, out);
    __syncthreads();
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

// Follows a ring of pointers: 8 x WARM hops, then 8 x ROUNDS that are timed. Only block BLOCK
// does.
template <bool L1>
__global__ void chase(uint64_t *clock, const uint64_t *ring, uint32_t *out, int warm,
                      int rounds, int block)
{
    if ((int)blockIdx.x != block)
        return;
    uint64_t at = hops<L1>(*ring, warm);
    KEEP((uint32_t)at, out);
    const uint64_t begin = now();
    at = hops<L1>(at, rounds);
    KEEP((uint32_t)at, out);
    if (threadIdx.x == 0)
        *clock = now() - begin;
}

// ROUNDS x 8 hops in L1, with a branch after every 8; 40 before that bring the ring.
__global__ void hits(uint64_t *clock, const uint64_t *ring, uint32_t *out, int rounds)
{
    uint64_t at = hops<true>(*ring, 5);
    KEEP((uint32_t)at, out);
    const uint64_t begin = now();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int u = 0; u < 8; u++)
            at = hop<true>(at);
        KEEP((uint32_t)at, out);
    }
    stop(clock, begin);
}

// The same with addresses that are computed: STRIDE bytes apart, or with 0 random ones, as far
// as MASK. ROUNDS x 4 hops.
__global__ void computed_chase(uint64_t *clock, const char *from, uint32_t *out, int rounds,
                               uint32_t stride, uint32_t mask, uint32_t seed, uint32_t zero)
{
    uint32_t h = seed, next = 0, loaded = 0;
    const uint64_t begin = now();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int u = 0; u < 4; u++) {
            uint32_t offset = next;
            next += stride;
            if (stride == 0) {
                h = h * 1664525u + 1013904223u;
                offset = (h >> 2) & mask;
            }
            offset += loaded & zero;
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

// A word in each sector of 8 KB a warp.
__global__ void partial(uint64_t *clock, char *area)
{
    const uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const uint32_t lane = threadIdx.x % 32;
    const uint64_t begin = now();
    char *at = area + (uint64_t)warp * 8192 + lane * 32;
#pragma unroll
    for (int u = 0; u < 8; u++)
        asm volatile("st.global.u32 [%0],%1;" ::"l"(at + u * 1024), "r"(lane) : "memory");
    stop(clock, begin);
}

enum atomic { atomic_reduction, atomic_result, atomic_chain };

// ROUNDS x 4 additions, of lanes that use the same word (MASK 0) or one each (31): without a
// result, with one, and one that needs the last one's.
template <atomic KIND>
__global__ void atomics(uint64_t *clock, uint32_t *words, const uint32_t *in, uint32_t *out,
                        int rounds, uint32_t mask)
{
    const uint32_t lane = threadIdx.x % 32;
    uint32_t *at = words + (lane & mask), value = in[lane], sum = 0;
    const uint64_t begin = now();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        uint32_t old[4] = {0, 0, 0, 0};
#pragma unroll
        for (int u = 0; u < 4; u++) {
            if (KIND == atomic_reduction)
                asm volatile("red.global.add.u32 [%0],%1;" ::"l"(at), "r"(value) : "memory");
            if (KIND == atomic_result)
                asm volatile("atom.global.add.u32 %0,[%1],%2;"
                             : "=r"(old[u])
                             : "l"(at), "r"(value)
                             : "memory");
            if (KIND == atomic_chain)
                asm volatile("atom.global.add.u32 %0,[%1],%2;"
                             : "=r"(value)
                             : "l"(at), "r"(value)
                             : "memory");
        }
        sum ^= old[0] ^ old[1] ^ old[2] ^ old[3];
    }
    KEEP(sum ^ value, out);
    stop(clock, begin);
}

#endif
