// What the launches share: clocks of their parts, barriers in shared memory, clusters.
#ifndef HEARTH_TRACER_CALIBRATION_HOPPER_DEVICE_CUH
#define HEARTH_TRACER_CALIBRATION_HOPPER_DEVICE_CUH

#include <cstdint>

enum { PARTS = 32, SMID = 30, TOTAL = 31, LAUNCHES = 128, BLOCKS = 132 };
static const unsigned WAIT_LIMIT = 2000000000u; // cycles since the kernel's start

struct place {
    uint64_t *clock; // PARTS of each block
    int *fail;
};

#define KEEP(value, where)                                                                     \
    do {                                                                                       \
        if ((value) == 0x5eed1234u)                                                            \
            (where).clock[29] = 1;                                                             \
    } while (0)

__device__ __forceinline__ uint64_t now()
{
    uint64_t cycles;
    asm volatile("mov.u64 %0,%%clock64;" : "=l"(cycles)::"memory");
    return cycles;
}

__device__ __forceinline__ unsigned now32()
{
    unsigned cycles;
    asm volatile("mov.u32 %0,%%clock;" : "=r"(cycles)::"memory");
    return cycles;
}

__device__ __forceinline__ uint64_t nanoseconds()
{
    uint64_t ns;
    asm volatile("mov.u64 %0,%%globaltimer;" : "=l"(ns)::"memory");
    return ns;
}

__device__ __forceinline__ uint32_t special_smid()
{
    uint32_t id;
    asm volatile("mov.u32 %0,%%smid;" : "=r"(id));
    return id;
}

__device__ __forceinline__ uint32_t cluster_rank()
{
    uint32_t id;
    asm volatile("mov.u32 %0,%%cluster_ctarank;" : "=r"(id));
    return id;
}

__device__ __forceinline__ uint32_t cluster_size()
{
    uint32_t n;
    asm volatile("mov.u32 %0,%%cluster_nctarank;" : "=r"(n));
    return n;
}

__device__ __forceinline__ uint32_t shared_address(const void *at)
{
    return (uint32_t)__cvta_generic_to_shared(at);
}

__device__ __forceinline__ uint32_t in_block(uint32_t at, uint32_t rank)
{
    uint32_t mapped;
    asm volatile("mapa.shared::cluster.u32 %0,%1,%2;" : "=r"(mapped) : "r"(at), "r"(rank));
    return mapped;
}

// One lane of a warp that is whole. The compiler knows that it is alone.
__device__ __forceinline__ bool elected()
{
    uint32_t mine;
    asm volatile("{.reg .pred p; elect.sync _|p,0xffffffff; selp.u32 %0,1,0,p;}" : "=r"(mine));
    return mine != 0;
}

// Which clocks this block writes.
__device__ __forceinline__ uint64_t *own(const place &p)
{
    return p.clock + blockIdx.x * PARTS;
}

__device__ __forceinline__ void note(const place &p, int part, uint64_t begin)
{
    const uint64_t end = now();
    if (threadIdx.x == 0)
        own(p)[part] = end - begin;
}

__device__ __forceinline__ void finish(const place &p, uint64_t begin)
{
    note(p, TOTAL, begin);
    if (threadIdx.x == 0)
        own(p)[SMID] = special_smid() + 1;
}

// The same by one lane that is alone, whichever it is.
__device__ __forceinline__ void note_alone(const place &p, int part, uint64_t begin)
{
    own(p)[part] = now() - begin;
}

__device__ __forceinline__ void finish_alone(const place &p, uint64_t begin)
{
    note_alone(p, TOTAL, begin);
    own(p)[SMID] = special_smid() + 1;
}

// Barriers in shared memory.

__device__ __forceinline__ void barrier_init(uint32_t bar, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0],%1;" ::"r"(bar), "r"(count) : "memory");
}

__device__ __forceinline__ void barrier_init_done()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
}

__device__ __forceinline__ void arrive(uint32_t bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _,[%0];" ::"r"(bar) : "memory");
}

__device__ __forceinline__ void arrive_remote(uint32_t bar)
{
    asm volatile("mbarrier.arrive.shared::cluster.b64 _,[%0];" ::"r"(bar) : "memory");
}

__device__ __forceinline__ void arrive_expect(uint32_t bar, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _,[%0],%1;" ::"r"(bar), "r"(bytes)
                 : "memory");
}

__device__ __forceinline__ bool try_wait(uint32_t bar, uint32_t parity)
{
    uint32_t done;
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p,[%1],%2;"
                 "selp.u32 %0,1,0,p;}"
                 : "=r"(done)
                 : "r"(bar), "r"(parity)
                 : "memory");
    return done != 0;
}

// Waits, but no longer than WAIT_LIMIT after the kernel's start.
struct patience {
    unsigned begin;
    int *fail;
    __device__ __forceinline__ patience(const place &p) : begin(now32()), fail(p.fail)
    {
    }
    __device__ __forceinline__ bool ended() const
    {
        if (now32() - begin <= WAIT_LIMIT)
            return false;
        *fail = 1;
        return true;
    }
    __device__ __forceinline__ void wait(uint32_t bar, uint32_t parity) const
    {
#pragma unroll 1
        while (!try_wait(bar, parity) && !ended()) {
        }
    }
};

__device__ __forceinline__ void cluster_arrive()
{
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
}

__device__ __forceinline__ void cluster_arrive_relaxed()
{
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}

__device__ __forceinline__ void cluster_wait()
{
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

__device__ __forceinline__ void cluster_sync()
{
    cluster_arrive();
    cluster_wait();
}

__device__ __forceinline__ void fence_async()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void clear(char *at, int bytes)
{
    for (int i = threadIdx.x * 16; i < bytes; i += blockDim.x * 16)
        *(uint4 *)(at + i) = make_uint4(0, 0, 0, 0);
    fence_async();
    __syncthreads();
}

struct plan {
    int parts;
    struct {
        int bytes, depth, rounds, way;
    } part[10];
};

extern __shared__ __align__(128) char dynamic_shared[];

__device__ __forceinline__ uint32_t aligned_shared()
{
    return (shared_address(dynamic_shared) + 1023) & ~1023u;
}

#endif
