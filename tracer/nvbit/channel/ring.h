// The buffer that the GPU fills and the host empties: like NVBit's channel, but
// lanes write their own words of 8 bytes. NVBit's copies a packet byte by byte, by
// one lane, into host memory: 32 stores for each instruction, up to 288 with
// addresses.
//
// Whoever finds the buffer full waits until all that was claimed has been written,
// rings the bell, and waits until the host has taken it.
#ifndef HEARTH_TRACER_RING_H
#define HEARTH_TRACER_RING_H

#include <cstdint>

#include "utils/utils.h"

// On the GPU and in the stub's threads alike.
#ifdef __CUDACC__
#define RING_LOAD(at)         (*(at))
#define RING_STORE(at, value) (*(at) = (value))
#define RING_WAIT()           static_cast<void>(0)
#else
#define RING_LOAD(at)         __atomic_load_n(at, __ATOMIC_ACQUIRE)
#define RING_STORE(at, value) __atomic_store_n(at, value, __ATOMIC_RELEASE)
#define RING_WAIT()           sched_yield()
#endif

struct Ring {
    volatile unsigned long long head; // bytes that were claimed
    volatile unsigned long long tail; // bytes that have been written
    volatile uint32_t *bell;          // bytes for the host to take, in its memory; 0: none
    uint64_t *buffer;                 // in host memory
    uint64_t size;                    // bytes of it
};

// Hands over what has been written. All of it must be, and nobody else write.
__device__ __forceinline__ void ring_flush(Ring *ring)
{
    const unsigned long long bytes = RING_LOAD(&ring->tail);
    if (bytes == 0)
        return;
    __threadfence_system();
    RING_STORE(ring->bell, static_cast<uint32_t>(bytes));
    while (RING_LOAD(ring->bell) != 0)
        RING_WAIT();
    RING_STORE(&ring->tail, 0ULL);
    __threadfence();
    RING_STORE(&ring->head, 0ULL);
}

// Room for BYTES, a multiple of 8 and no more than the ring has. Called by one lane.
__device__ __forceinline__ uint64_t *ring_claim(Ring *ring, uint32_t bytes)
{
    for (;;) {
        const unsigned long long at =
            atomicAdd(const_cast<unsigned long long *>(&ring->head), bytes);
        if (at + bytes <= ring->size)
            return ring->buffer + at / 8;
        if (at <= ring->size) { // the first that found it full
            while (RING_LOAD(&ring->tail) != at)
                RING_WAIT();
            ring_flush(ring);
        } else {
            while (RING_LOAD(&ring->head) > ring->size)
                RING_WAIT();
        }
    }
}

// BYTES of claimed room have been written. Called by one lane, after all that wrote
// have met.
__device__ __forceinline__ void ring_commit(Ring *ring, uint32_t bytes)
{
    __threadfence();
    atomicAdd(const_cast<unsigned long long *>(&ring->tail), bytes);
}

#endif
