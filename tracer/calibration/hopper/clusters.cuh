// Shared memory of other blocks of a cluster, and its barrier.
#ifndef HEARTH_TRACER_CALIBRATION_HOPPER_CLUSTERS_CUH
#define HEARTH_TRACER_CALIBRATION_HOPPER_CLUSTERS_CUH

#include "device.cuh"

// The first block's warp follows a ring of addresses in each block in turn (part: its rank), 32
// hops; then again, 64 hops (part: 8 + its rank).
__global__ void remote_chase(place p)
{
    __shared__ uint32_t next[1024];
    const uint32_t rank = cluster_rank(), blocks = cluster_size();
    const uint32_t base = in_block(shared_address(next), rank);
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        next[i] = base + 4 * ((i + 33) % 1024);
    __syncthreads();
    cluster_sync();
    const uint64_t all = now();
    if (rank == 0) {
#pragma unroll 1
        for (int k = 0; k < 2 * (int)blocks; k++) {
            uint32_t at = in_block(shared_address(next), k % blocks) + 4 * threadIdx.x;
            const int turns = k < (int)blocks ? 2 : 4;
            const uint64_t begin = now();
#pragma unroll 1
            for (int i = 0; i < turns; i++) {
#pragma unroll
                for (int u = 0; u < 16; u++)
                    asm volatile("ld.shared::cluster.u32 %0,[%0];" : "+r"(at)::"memory");
            }
            KEEP(at, p);
            note(p, k, begin);
        }
    }
    finish(p, all);
    cluster_sync();
}

// ROUNDS x 8 loads or stores of 512 bytes a warp, in the next block of the cluster; by the
// first block alone, or by all.
template <bool WRITE>
__global__ void remote_stream(place p, int rounds, int all_blocks, uint32_t zero)
{
    __shared__ __align__(16) uint4 words[1024];
    const uint32_t rank = cluster_rank(), blocks = cluster_size();
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const uint32_t base =
        in_block(shared_address(words), (rank + 1) % blocks) + lane * 16 + warp % 4 * 4096;
    const bool works = all_blocks || rank == 0;
    uint32_t sum = 0;
    uint4 loaded[8] = {};
    __syncthreads();
    cluster_sync();
    const uint64_t all = now();
#pragma unroll 1
    for (int s = 0; s < 3; s++) {
        const int turns = !works ? 0 : s == 2 ? 2 * rounds : rounds;
        __syncthreads();
        const uint64_t begin = now();
#pragma unroll 1
        for (int r = 0; r < turns; r++) {
#pragma unroll
            for (int u = 0; u < 8; u++) {
                uint4 &l = loaded[u];
                const uint32_t at = base + u * 512 + (r & zero);
                if (WRITE)
                    asm volatile("st.shared::cluster.v4.u32 [%0],{%1,%1,%1,%1};" ::"r"(at),
                                 "r"(lane)
                                 : "memory");
                else
                    asm volatile("ld.shared::cluster.v4.u32 {%0,%1,%2,%3},[%4];"
                                 : "=r"(l.x), "=r"(l.y), "=r"(l.z), "=r"(l.w)
                                 : "r"(at)
                                 : "memory");
            }
        }
#pragma unroll
        for (int u = 0; u < 8 && !WRITE; u++)
            sum ^= loaded[u].x; // has come
        KEEP(sum, p);
        if (WRITE)
            cluster_sync(); // ends when stores have arrived
        else
            __syncthreads();
        if (works)
            note(p, s, begin);
    }
    for (int u = 0; u < 8 && !WRITE; u++)
        sum ^= loaded[u].y ^ loaded[u].z ^ loaded[u].w;
    KEEP(sum, p);
    finish(p, all);
    cluster_sync();
}

// The first block copies to the second one's shared memory, which answers by an arrival.
__global__ void remote_copies(place p, const __grid_constant__ plan todo)
{
    __shared__ __align__(8) uint64_t bars[1];
    const uint32_t bar = shared_address(bars), rank = cluster_rank(), at = aligned_shared();
    if (threadIdx.x == 0) {
        barrier_init(bar, 1);
        barrier_init_done();
    }
    __syncthreads();
    cluster_sync();
    const uint64_t all = now();
    if (elected()) {
        patience patient(p);
        uint32_t parity = 0;
        const uint32_t there = in_block(at, 1), bar_there = in_block(bar, rank ^ 1);
#pragma unroll 1
        for (int k = 0; k < todo.parts; k++) {
            const int bytes = todo.part[k].bytes, depth = todo.part[k].depth,
                      rounds = todo.part[k].rounds;
            const uint64_t begin = now();
#pragma unroll 1
            for (int r = 0; r < rounds; r++) {
                if (rank == 0) {
#pragma unroll 1
                    for (int d = 0; d < depth; d++)
                        asm volatile(
                            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::"
                            "complete_tx::bytes [%0],[%1],%2,[%3];" ::"r"(there + d * bytes),
                            "r"(at + d * bytes), "r"(bytes), "r"(bar_there)
                            : "memory");
                    patient.wait(bar, parity);
                } else {
                    arrive_expect(bar, bytes * depth);
                    patient.wait(bar, parity);
                    arrive_remote(bar_there);
                }
                parity ^= 1;
            }
            if (rank == 0)
                note_alone(p, k, begin);
        }
    }
    __syncwarp();
    finish(p, all);
    cluster_sync();
}

// ROUNDS barriers of the cluster; parts 3 to 5 without release.
__global__ void cluster_barriers(place p, int rounds)
{
    cluster_sync();
    const uint64_t all = now();
#pragma unroll 1
    for (int s = 0; s < 6; s++) {
        const int turns = s % 3 == 2 ? 2 * rounds : rounds;
        const uint64_t begin = now();
        if (s < 3) {
#pragma unroll 1
            for (int r = 0; r < turns; r++)
                cluster_sync();
        } else {
#pragma unroll 1
            for (int r = 0; r < turns; r++) {
                cluster_arrive_relaxed();
                cluster_wait();
            }
        }
        note(p, s, begin);
    }
    finish(p, all);
}

__global__ void empty(place)
{
}

#endif
