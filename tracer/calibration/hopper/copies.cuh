// Copies between global and shared memory, for one block or several.
#ifndef HEARTH_TRACER_CALIBRATION_HOPPER_COPIES_CUH
#define HEARTH_TRACER_CALIBRATION_HOPPER_COPIES_CUH

#include <cuda.h>

#include "device.cuh"

enum { way_done, way_read };         // of stores: until they are done, or have read
enum { way_one, way_all, way_none }; // of multicasts
static const uint32_t ROWS = 8192, AREA = ROWS * 2048; // a tensor with rows of 1,024 halves

__device__ __forceinline__ void load_bulk(uint32_t to, const char *from, uint32_t bytes,
                                          uint32_t bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0],[%1],%2,[%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(bar)
                 : "memory");
}

__device__ __forceinline__ void load_box(uint32_t to, const CUtensorMap *map, int x, int y,
                                         uint32_t bar)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
        "[%0],[%1,{%2,%3}],[%4];" ::"r"(to),
        "l"(map), "r"(x), "r"(y), "r"(bar)
        : "memory");
}

// Copy I of BYTES. A box is 64 halves wide.
template <bool TENSOR>
__device__ __forceinline__ void load(uint32_t to, const CUtensorMap *map, const char *from,
                                     uint32_t i, uint32_t bytes, uint32_t bar)
{
    if (TENSOR)
        load_box(to, map, i % 16 * 64, i / 16 * (bytes / 128) % ROWS, bar);
    else
        load_bulk(to, from + (i * bytes & (AREA - 1)), bytes, bar);
}

// One thread makes ROUNDS times DEPTH copies, and then waits for all of them.
template <bool TENSOR>
__global__ void loads(place p, const __grid_constant__ CUtensorMap map, const char *from,
                      const __grid_constant__ plan todo)
{
    __shared__ __align__(8) uint64_t bars[1];
    const uint32_t bar = shared_address(bars), to = aligned_shared();
    if (threadIdx.x == 0) {
        barrier_init(bar, 1);
        barrier_init_done();
    }
    __syncthreads();
    if (elected()) {
        const patience patient(p);
        uint32_t copy = blockIdx.x * 31, parity = 0;
        const uint64_t all = now();
#pragma unroll 1
        for (int k = 0; k < todo.parts; k++) {
            const int bytes = todo.part[k].bytes, depth = todo.part[k].depth,
                      rounds = todo.part[k].rounds;
            const uint64_t begin = now();
#pragma unroll 1
            for (int r = 0; r < rounds; r++) {
                arrive_expect(bar, bytes * depth);
#pragma unroll 1
                for (int d = 0; d < depth; d++)
                    load<TENSOR>(to + d * bytes, &map, from, copy++, bytes, bar);
                patient.wait(bar, parity);
                parity ^= 1;
            }
            note_alone(p, k, begin);
        }
        finish_alone(p, all);
    }
}

// One thread keeps DEPTH copies on their way: TURNS of that many, again, and twice as many
// turns. Blocks read different places.
template <bool TENSOR, int DEPTH>
__global__ void rings(place p, const __grid_constant__ CUtensorMap map, const char *from,
                      int bytes, int turns)
{
    __shared__ __align__(8) uint64_t bars[DEPTH];
    const uint32_t bar = shared_address(bars), to = aligned_shared();
    if (threadIdx.x == 0) {
#pragma unroll
        for (int d = 0; d < DEPTH; d++)
            barrier_init(bar + 8 * d, 1);
        barrier_init_done();
    }
    __syncthreads();
    if (elected()) {
        const patience patient(p);
        const int x = blockIdx.x % 2 * 512, y_step = bytes / 128 * 66;
        const uint32_t step = bytes * DEPTH * 132;
        int y = blockIdx.x / 2 * (bytes / 128) & (ROWS - 1);
        uint32_t offset = blockIdx.x * bytes * DEPTH & (AREA - 1), parity = 0;
        const uint64_t all = now();
#pragma unroll 1
        for (int s = 0; s < 3; s++) {
            const int last = s == 2 ? 2 * turns : turns;
            const uint64_t begin = now();
#pragma unroll 1
            for (int t = 0; t <= last; t++) {
#pragma unroll
                for (int d = 0; d < DEPTH; d++) {
                    if (t > 0)
                        patient.wait(bar + 8 * d, parity ^ 1);
                    if (t < last) {
                        arrive_expect(bar + 8 * d, bytes);
                        if (TENSOR)
                            load_box(to + d * bytes, &map, x + d * 64, y, bar + 8 * d);
                        else
                            load_bulk(to + d * bytes, from + offset + d * bytes, bytes,
                                      bar + 8 * d);
                    }
                }
                if (t < last) {
                    parity ^= 1;
                    y = (y + y_step) & (ROWS - 1);
                    offset = (offset + step) & (AREA - 1);
                }
            }
            note_alone(p, s, begin);
        }
        finish_alone(p, all);
    }
}

struct maps {
    CUtensorMap map[4];
};

// The first copy by each of four maps, and the next; the third map is prefetched.
__global__ void first_loads(place p, const __grid_constant__ maps m, int rounds)
{
    __shared__ __align__(8) uint64_t bars[1];
    const uint32_t bar = shared_address(bars), to = aligned_shared();
    if (elected()) {
        barrier_init(bar, 1);
        barrier_init_done();
        patience patient(p);
        uint32_t parity = 0;
        const uint64_t all = now();
#pragma unroll 1
        for (int k = 0; k < 4 * rounds; k++) {
            const CUtensorMap *map = &m.map[k / rounds];
            if (k == 2 * rounds) {
                asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
                __nanosleep(3000);
            }
            const uint64_t begin = now();
            arrive_expect(bar, 8192);
            load_box(to, map, k * 64, 0, bar);
            patient.wait(bar, parity);
            parity ^= 1;
            note_alone(p, k, begin);
        }
        finish_alone(p, all);
    }
}

enum { to_bulk, to_box, add_bulk, add_box };

template <int KIND>
__device__ __forceinline__ void store(const CUtensorMap *map, char *to, uint32_t from,
                                      uint32_t i, uint32_t bytes)
{
    const int x = i % 16 * 64, y = i / 16 * (bytes / 128) % ROWS;
    char *at = to + (i * bytes & (AREA - 1));
    if (KIND == to_bulk)
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0],[%1],%2;" ::"l"(at),
                     "r"(from), "r"(bytes)
                     : "memory");
    if (KIND == add_bulk)
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 "
                     "[%0],[%1],%2;" ::"l"(at),
                     "r"(from), "r"(bytes)
                     : "memory");
    if (KIND == to_box)
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
                     "[%0,{%1,%2}],[%3];" ::"l"(map),
                     "r"(x), "r"(y), "r"(from)
                     : "memory");
    if (KIND == add_box)
        asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group "
                     "[%0,{%1,%2}],[%3];" ::"l"(map),
                     "r"(x), "r"(y), "r"(from)
                     : "memory");
}

// ROUNDS times DEPTH stores in a group, which is waited for.
template <int KIND>
__global__ void stores(place p, const __grid_constant__ CUtensorMap map, char *to,
                       const __grid_constant__ plan todo, int clear_bytes)
{
    const uint32_t from = aligned_shared();
    clear(dynamic_shared, clear_bytes);
    if (elected()) {
        uint32_t copy = blockIdx.x * 31;
        const uint64_t all = now();
#pragma unroll 1
        for (int k = 0; k < todo.parts; k++) {
            const int bytes = todo.part[k].bytes, depth = todo.part[k].depth,
                      rounds = todo.part[k].rounds, way = todo.part[k].way;
            const uint64_t begin = now();
#pragma unroll 1
            for (int r = 0; r < rounds; r++) {
#pragma unroll 1
                for (int d = 0; d < depth; d++)
                    store<KIND>(&map, to, from + d * bytes, copy++, bytes);
                asm volatile("cp.async.bulk.commit_group;" ::: "memory");
                if (way == way_read)
                    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
                else
                    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
            }
            note_alone(p, k, begin);
        }
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
        finish_alone(p, all);
    }
}

// A barrier of the cluster, then a copy to all of its blocks: by the first one, or an equal
// part by each, or none.
__global__ void multicasts(place p, const char *from, const __grid_constant__ plan todo)
{
    __shared__ __align__(8) uint64_t bars[1];
    const uint32_t bar = shared_address(bars), to = aligned_shared();
    const uint32_t rank = cluster_rank(), blocks = cluster_size();
    if (threadIdx.x == 0) {
        barrier_init(bar, 1);
        barrier_init_done();
    }
    __syncthreads();
    cluster_sync();
    patience patient(p);
    uint32_t copy = blockIdx.x / blocks * 31, parity = 0;
    const uint16_t mask = (uint16_t)((1u << blocks) - 1);
    const uint64_t all = now();
#pragma unroll 1
    for (int k = 0; k < todo.parts; k++) {
        const uint32_t bytes = todo.part[k].bytes;
        const int rounds = todo.part[k].rounds, way = todo.part[k].way;
        const uint32_t piece = way == way_all ? bytes / blocks : bytes;
        const bool copies = way == way_all || (way == way_one && rank == 0);
        const uint32_t offset = way == way_all ? rank * piece : 0;
        const uint64_t begin = now();
#pragma unroll 1
        for (int r = 0; r < rounds; r++) {
            cluster_sync();
            if (way != way_none && elected()) {
                arrive_expect(bar, bytes);
                if (copies)
                    asm volatile(
                        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                        "bytes.multicast::cluster [%0],[%1],%2,[%3],%4;" ::"r"(to + offset),
                        "l"(from + (copy * bytes & (AREA - 1)) + offset), "r"(piece), "r"(bar),
                        "h"(mask)
                        : "memory");
                patient.wait(bar, parity);
            }
            __syncwarp();
            if (way != way_none)
                parity ^= 1;
            copy++;
        }
        note(p, k, begin);
    }
    finish(p, all);
    cluster_sync();
}

// Touches BYTES.
__global__ void warm(place p, const char *from, uint32_t bytes)
{
    const uint64_t begin = now();
    uint32_t sum = 0;
#pragma unroll 4
    for (uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) * 128; i < bytes;
         i += gridDim.x * blockDim.x * 128) {
#pragma unroll
        for (int u = 0; u < 128; u += 64) {
            uint32_t loaded;
            asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(loaded) : "l"(from + i + u));
            sum ^= loaded;
        }
    }
    KEEP(sum, p);
    finish(p, begin);
}

#endif
