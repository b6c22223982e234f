// Barriers in shared memory, of the own block and of others.
#ifndef HEARTH_TRACER_CALIBRATION_HOPPER_BARRIERS_CUH
#define HEARTH_TRACER_CALIBRATION_HOPPER_BARRIERS_CUH

#include "device.cuh"

// Barriers in shared memory: an arrival and a wait that it ends; a wait for a phase that has
// ended; arrivals; arrivals whose result the next one needs. MODES: one bit each. Three parts
// each.
__global__ void barrier_one_warp(place p, int modes, int rounds, uint32_t zero)
{
    __shared__ __align__(8) uint64_t bars[4];
    const uint32_t bar = shared_address(bars);
    if (elected()) {
        barrier_init(bar, 1);
        barrier_init(bar + 8, 1);
        barrier_init(bar + 16, 1 << 19);
        barrier_init_done();
        patience patient(p);
        uint32_t parity = 0, chain = 0;
        const uint64_t all = now();
#pragma unroll 1
        for (int k = 0; k < 12; k++) {
            const int mode = k / 3, turns = k % 3 == 2 ? 2 * rounds : rounds;
            if ((modes >> mode & 1) == 0)
                continue;
            const uint64_t begin = now();
            if (mode == 0) {
#pragma unroll 1
                for (int r = 0; r < turns; r++) {
#pragma unroll
                    for (int u = 0; u < 4; u++) {
                        arrive(bar);
                        patient.wait(bar, parity);
                        parity ^= 1;
                    }
                }
            } else if (mode == 1) {
#pragma unroll 1
                for (int r = 0; r < turns; r++) {
#pragma unroll
                    for (int u = 0; u < 4; u++)
                        patient.wait(bar + 8, 1);
                }
            } else if (mode == 2) {
#pragma unroll 1
                for (int r = 0; r < turns; r++) {
#pragma unroll
                    for (int u = 0; u < 4; u++)
                        arrive(bar + 16);
                }
            } else {
#pragma unroll 1
                for (int r = 0; r < turns; r++) {
#pragma unroll
                    for (int u = 0; u < 4; u++) {
                        uint64_t state;
                        asm volatile("mbarrier.arrive.shared::cta.b64 %0,[%1];"
                                     : "=l"(state)
                                     : "r"(bar + 16 + (chain & zero))
                                     : "memory");
                        chain = (uint32_t)state;
                    }
                }
            }
            note_alone(p, k, begin);
        }
        KEEP(chain, p);
        finish_alone(p, all);
    }
}

// Warp 0 arrives at a barrier for which the others wait; all of them arrive at one for which
// warp 0 waits.
__global__ void barrier_warps(place p, int rounds)
{
    __shared__ __align__(8) uint64_t bars[2];
    const uint32_t there = shared_address(bars), back = there + 8;
    const int warp = __shfl_sync(0xffffffff, threadIdx.x / 32, 0);
    if (threadIdx.x == 0) {
        barrier_init(there, 1);
        barrier_init(back, blockDim.x / 32 - 1);
        barrier_init_done();
    }
    __syncthreads();
    if (!elected())
        return;
    const uint64_t all = now();
    const patience patient(p);
    uint32_t parity = 0;
    if (warp == 0) {
#pragma unroll 1
        for (int s = 0; s < 3; s++) {
            const int turns = s == 2 ? 2 * rounds : rounds;
            const uint64_t begin = now();
#pragma unroll 1
            for (int r = 0; r < turns; r++) {
                arrive(there);
                patient.wait(back, parity);
                parity ^= 1;
            }
            note_alone(p, s, begin);
        }
        finish_alone(p, all);
    } else {
#pragma unroll 1
        for (int r = 0; r < 4 * rounds; r++) {
            patient.wait(there, parity);
            arrive(back);
            parity ^= 1;
        }
    }
}

// The first block of a cluster and another one arrive at each other's barrier in turn. A part
// for each other block, twice; in a cluster of two, three parts, the last twice as long. ASYNC:
// stores of a word that count at the barrier.
template <bool ASYNC> __device__ __forceinline__ void signal(uint32_t word, uint32_t bar)
{
    if (ASYNC)
        asm volatile(
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0],%1,[%2];" ::"r"(
                word),
            "r"(word), "r"(bar)
            : "memory");
    else
        arrive_remote(bar);
}

template <bool ASYNC> __global__ void barrier_blocks(place p, int rounds)
{
    __shared__ __align__(8) uint64_t bars[1];
    __shared__ uint32_t word;
    const uint32_t bar = shared_address(bars), rank = cluster_rank(), blocks = cluster_size();
    const uint32_t at = shared_address(&word);
    const int parts = blocks == 2 ? 3 : 2 * (blocks - 1);
    if (threadIdx.x == 0) {
        barrier_init(bar, 1);
        barrier_init_done();
    }
    __syncthreads();
    cluster_sync();
    const uint64_t all = now();
    if (elected()) {
        const patience patient(p);
        uint32_t parity = 0;
#pragma unroll 1
        for (int k = 0; k < parts; k++) {
            const uint32_t other = 1 + k % (blocks - 1);
            const int turns = blocks == 2 && k == 2 ? 2 * rounds : rounds;
            if (rank == 0) {
                const uint32_t remote = in_block(bar, other), remote_word = in_block(at, other);
                const uint64_t begin = now();
#pragma unroll 1
                for (int r = 0; r < turns; r++) {
                    signal<ASYNC>(remote_word, remote);
                    if (ASYNC)
                        arrive_expect(bar, 4);
                    patient.wait(bar, parity);
                    parity ^= 1;
                }
                note_alone(p, k, begin);
            } else if (rank == other) {
                const uint32_t remote = in_block(bar, 0), remote_word = in_block(at, 0);
#pragma unroll 1
                for (int r = 0; r < turns; r++) {
                    if (ASYNC)
                        arrive_expect(bar, 4);
                    patient.wait(bar, parity);
                    signal<ASYNC>(remote_word, remote);
                    parity ^= 1;
                }
            }
        }
    }
    __syncwarp();
    finish(p, all);
    cluster_sync();
}

#endif
