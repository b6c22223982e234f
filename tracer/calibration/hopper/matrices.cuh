// Matrices to and from shared memory; elections, registers, named barriers, fences.
#ifndef HEARTH_TRACER_CALIBRATION_HOPPER_MATRICES_CUH
#define HEARTH_TRACER_CALIBRATION_HOPPER_MATRICES_CUH

#include "device.cuh"

template <int X, bool TRANS>
__device__ __forceinline__ void matrix_load(uint32_t (&r)[4], uint32_t at)
{
    if (X == 1)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0},[%1];"
                     : "=r"(r[0])
                     : "r"(at)
                     : "memory");
    if (X == 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1},[%2];"
                     : "=r"(r[0]), "=r"(r[1])
                     : "r"(at)
                     : "memory");
    if (X == 4 && !TRANS)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(at)
                     : "memory");
    if (X == 4 && TRANS)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3},[%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(at)
                     : "memory");
}

template <int X, bool TRANS>
__device__ __forceinline__ void matrix_store(uint32_t at, uint32_t value)
{
    if (X == 1)
        asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0],{%1};" ::"r"(at), "r"(value)
                     : "memory");
    if (X == 4 && !TRANS)
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0],{%1,%1,%1,%1};" ::"r"(at),
                     "r"(value)
                     : "memory");
    if (X == 4 && TRANS)
        asm volatile(
            "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0],{%1,%1,%1,%1};" ::"r"(at),
            "r"(value)
            : "memory");
}

// Three parts: ROUNDS x 16, the same, twice as many.
template <int X, bool TRANS>
__device__ __forceinline__ uint32_t matrix_loads(const place &p, int part, uint32_t at,
                                                 int rounds, uint32_t zero)
{
    uint32_t sum = 0, loaded[16][4] = {};
#pragma unroll 1
    for (int s = 0; s < 3; s++) {
        const int turns = s == 2 ? 2 * rounds : rounds;
        __syncthreads();
        const uint64_t begin = now();
#pragma unroll 1
        for (int r = 0; r < turns; r++) {
#pragma unroll
            for (int u = 0; u < 16; u++)
                matrix_load<X, TRANS>(loaded[u], at + u * 512 + (r & zero));
        }
#pragma unroll
        for (int u = 0; u < 16; u++)
#pragma unroll
            for (int i = 0; i < X; i++)
                sum ^= loaded[u][i];
        KEEP(sum, p);
        __syncthreads();
        note(p, part + s, begin);
    }
    return sum;
}

__global__ void __launch_bounds__(512) matrices_from(place p, int rounds, uint32_t zero)
{
    __shared__ __align__(128) char area[16 * 512];
    clear(area, sizeof area);
    const uint32_t at = shared_address(area) + threadIdx.x % 32 * 16;
    const uint64_t all = now();
    uint32_t sum = matrix_loads<1, false>(p, 0, at, rounds, zero);
    sum ^= matrix_loads<2, false>(p, 3, at, rounds, zero);
    sum ^= matrix_loads<4, false>(p, 6, at, rounds, zero);
    sum ^= matrix_loads<4, true>(p, 9, at, rounds, zero);
    finish(p, all);
    KEEP(sum, p);
}

template <int X, bool TRANS>
__device__ __forceinline__ void matrix_stores(const place &p, int part, uint32_t at, int rounds,
                                              uint32_t zero)
{
#pragma unroll 1
    for (int s = 0; s < 3; s++) {
        const int turns = s == 2 ? 2 * rounds : rounds;
        __syncthreads();
        const uint64_t begin = now();
#pragma unroll 1
        for (int r = 0; r < turns; r++) {
#pragma unroll
            for (int u = 0; u < 16; u++)
                matrix_store<X, TRANS>(at + u * 512 + (r & zero), u);
        }
        __syncthreads();
        note(p, part + s, begin);
    }
}

__global__ void __launch_bounds__(512) matrices_to(place p, int rounds, uint32_t zero)
{
    __shared__ __align__(128) char area[16 * 512];
    const uint32_t at = shared_address(area) + threadIdx.x % 32 * 16;
    const uint64_t all = now();
    matrix_stores<1, false>(p, 0, at, rounds, zero);
    matrix_stores<4, false>(p, 3, at, rounds, zero);
    matrix_stores<4, true>(p, 6, at, rounds, zero);
    __syncthreads();
    finish(p, all);
    KEEP(*(uint32_t *)(area + threadIdx.x * 4), p);
}

// Loads whose result is the next one's address.
template <int X>
__device__ __forceinline__ uint32_t matrix_chain(const place &p, int part, uint32_t at,
                                                 int rounds)
{
    uint32_t others = 0;
#pragma unroll 1
    for (int s = 0; s < 3; s++) {
        const int turns = s == 2 ? 2 * rounds : rounds;
        const uint64_t begin = now();
#pragma unroll 1
        for (int r = 0; r < turns; r++) {
#pragma unroll
            for (int u = 0; u < 16; u++) {
                uint32_t loaded[4];
                matrix_load<X, false>(loaded, at);
                at = loaded[0];
            }
        }
        KEEP(at, p);
        note(p, part + s, begin);
    }
    return at ^ others;
}

__global__ void matrices_chain(place p, int rounds)
{
    __shared__ __align__(128) uint32_t area[128];
    const uint32_t base = shared_address(area);
    for (int i = threadIdx.x; i < 128; i += blockDim.x)
        area[i] = base;
    __syncthreads();
    const uint64_t all = now();
    uint32_t sum = matrix_chain<1>(p, 0, base, rounds);
    sum ^= matrix_chain<4>(p, 3, base, rounds);
    finish(p, all);
    KEEP(sum, p);
}

// ROUNDS x 16 times: a lane is elected, and adds (parts 0 to 2); an addition alone (3 to 5).
__global__ void elections(place p, int rounds)
{
    uint32_t sum = threadIdx.x;
    const uint64_t all = now();
#pragma unroll 1
    for (int s = 0; s < 6; s++) {
        const int turns = s % 3 == 2 ? 2 * rounds : rounds;
        const uint64_t begin = now();
        if (s < 3) {
#pragma unroll 1
            for (int r = 0; r < turns; r++) {
#pragma unroll
                for (int u = 0; u < 16; u++)
                    asm volatile(
                        "{.reg .pred p; elect.sync _|p,0xffffffff; @p add.u32 %0,%0,1;}"
                        : "+r"(sum)
                        :
                        : "memory");
            }
        } else {
#pragma unroll 1
            for (int r = 0; r < turns; r++) {
#pragma unroll
                for (int u = 0; u < 16; u++)
                    asm volatile("{.reg .pred p; setp.ne.u32 p,%0,77777; @p add.u32 %0,%0,1;}"
                                 : "+r"(sum)
                                 :
                                 : "memory");
            }
        }
        KEEP(sum, p);
        note(p, s, begin);
    }
    finish(p, all);
}

// ROUNDS x 4 times: warps give registers up and take them again, with a barrier of their group
// after each (parts 0 to 2); these barriers alone (3 to 5). 384 threads.
__global__ void __launch_bounds__(384, 1) registers(place p, int rounds)
{
    const int group = 1 + threadIdx.x / 128;
    const uint64_t all = now();
#pragma unroll 1
    for (int s = 0; s < 6; s++) {
        const int turns = s % 3 == 2 ? 2 * rounds : rounds;
        __syncthreads();
        const uint64_t begin = now();
        if (s < 3) {
#pragma unroll 1
            for (int r = 0; r < turns; r++) {
#pragma unroll
                for (int u = 0; u < 4; u++) {
                    asm volatile("setmaxnreg.dec.sync.aligned.u32 104;" ::: "memory");
                    asm volatile("bar.sync %0,128;" ::"r"(group) : "memory");
                    asm volatile("setmaxnreg.inc.sync.aligned.u32 168;" ::: "memory");
                    asm volatile("bar.sync %0,128;" ::"r"(group) : "memory");
                }
            }
        } else {
#pragma unroll 1
            for (int r = 0; r < turns; r++) {
#pragma unroll
                for (int u = 0; u < 8; u++)
                    asm volatile("bar.sync %0,128;" ::"r"(group) : "memory");
            }
        }
        __syncthreads();
        note(p, s, begin);
    }
    finish(p, all);
}

// ROUNDS x 8 named barriers of four warps each (parts 0 to 2); two warps that wait for each
// other in turn with bar.arrive and bar.sync (parts 3 to 5). 256 threads.
__global__ void named_barriers(place p, int rounds)
{
    const int warp = threadIdx.x / 32, half = 1 + warp / 4;
    const uint64_t all = now();
#pragma unroll 1
    for (int s = 0; s < 6; s++) {
        const int turns = s % 3 == 2 ? 2 * rounds : rounds;
        __syncthreads();
        const uint64_t begin = now();
        if (s < 3) {
#pragma unroll 1
            for (int r = 0; r < turns; r++) {
#pragma unroll
                for (int u = 0; u < 8; u++)
                    asm volatile("bar.sync %0,128;" ::"r"(half) : "memory");
            }
        } else if (warp == 0) {
#pragma unroll 1
            for (int r = 0; r < turns; r++) {
#pragma unroll
                for (int u = 0; u < 8; u++) {
                    asm volatile("bar.arrive 3,64;" ::: "memory");
                    asm volatile("bar.sync 4,64;" ::: "memory");
                }
            }
        } else if (warp == 1) {
#pragma unroll 1
            for (int r = 0; r < turns; r++) {
#pragma unroll
                for (int u = 0; u < 8; u++) {
                    asm volatile("bar.sync 3,64;" ::: "memory");
                    asm volatile("bar.arrive 4,64;" ::: "memory");
                }
            }
        }
        note(p, s, begin);
        __syncthreads();
    }
    finish(p, all);
}

// ROUNDS x 8 fences between stores to shared memory and copies: alone (parts 0 to 2), after a
// store each (3 to 5).
__global__ void async_fences(place p, int rounds)
{
    __shared__ uint32_t words[256];
    const uint32_t at = shared_address(words) + threadIdx.x * 4;
    const uint64_t all = now();
#pragma unroll 1
    for (int s = 0; s < 6; s++) {
        const int turns = s % 3 == 2 ? 2 * rounds : rounds;
        const uint64_t begin = now();
        if (s < 3) {
#pragma unroll 1
            for (int r = 0; r < turns; r++) {
#pragma unroll
                for (int u = 0; u < 8; u++)
                    fence_async();
            }
        } else {
#pragma unroll 1
            for (int r = 0; r < turns; r++) {
#pragma unroll
                for (int u = 0; u < 8; u++) {
                    asm volatile("st.shared.u32 [%0],%1;" ::"r"(at), "r"(u) : "memory");
                    fence_async();
                }
            }
        }
        note(p, s, begin);
    }
    finish(p, all);
}

#endif
