// What device code uses of CUDA, on warps that warp.cc makes of one thread.
#ifndef HEARTH_TRACER_STUB_UTILS_H
#define HEARTH_TRACER_STUB_UTILS_H

#include <pthread.h>
#include <sched.h>

#include "nvbit.h"

// Ends the application, as NVBit's does.
#define CUDA_SAFECALL(call)                                                                    \
    {                                                                                          \
        if ((call) != cudaSuccess) {                                                           \
            fprintf(stderr, "CUDA error in %s\n", #call);                                      \
            _Exit(1);                                                                          \
        }                                                                                      \
    }

extern dim3 threadIdx, blockIdx, blockDim, gridDim; // of the lane that runs

unsigned get_laneid();
unsigned __activemask();
unsigned __ballot_sync(unsigned mask, int predicate);
int __all_sync(unsigned mask, int predicate);
void __syncwarp(unsigned mask);
unsigned long long __shfl_sync(unsigned mask, unsigned long long value, int lane);
unsigned __match_any_sync(unsigned mask, unsigned long long value);
inline int __popc(unsigned value)
{
    return __builtin_popcount(value);
}
inline int __ffs(int value)
{
    return __builtin_ffs(value);
}
inline unsigned long long atomicAdd(unsigned long long *at, unsigned long long value)
{
    return __atomic_fetch_add(at, value, __ATOMIC_ACQ_REL);
}

inline void __threadfence()
{
}
inline void __threadfence_system()
{
}

// Threads that the tool creates: none where STUB_NO_THREADS is set.
int stub_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                        void *(*run)(void *), void *argument);
#define pthread_create stub_pthread_create

#endif
