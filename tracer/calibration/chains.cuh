// Kernels of arithmetic: chains of dependent instructions give latencies, independent ones of
// several warps give intervals. Each writes its own cycles to *CLOCK.
#ifndef HEARTH_TRACER_CALIBRATION_CHAINS_CUH
#define HEARTH_TRACER_CALIBRATION_CHAINS_CUH

#include <cstdint>

// The compiler cannot know that this never happens, so that what leads to VALUE stays.
#define KEEP(value, out)                                                                       \
    do {                                                                                       \
        if ((value) == 0x5eed1234u)                                                            \
            *(out) = 1;                                                                        \
    } while (0)

__device__ __forceinline__ uint64_t now()
{
    uint64_t cycles;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
    return cycles;
}

__device__ __forceinline__ void stop(uint64_t *clock, uint64_t begin)
{
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *clock = now() - begin;
}

__global__ void empty()
{
}

template <typename T> struct fma_operands {
    T value, factor, term;
    __device__ fma_operands(const float *in, int k)
        : value(in[threadIdx.x % 32 + 32 * k]), factor(in[256]), term(in[257])
    {
    }
};

struct op_ffma : fma_operands<float> {
    using fma_operands::fma_operands;
    __device__ void step()
    {
        asm volatile("fma.rn.f32 %0,%0,%1,%2;" : "+f"(value) : "f"(factor), "f"(term));
    }
    __device__ uint32_t bits() const
    {
        return __float_as_uint(value);
    }
};

// Two additions of three operands a step, which lean on each other.
struct op_iadd3 {
    uint32_t a, b, c, d;
    __device__ op_iadd3(const float *in, int k)
    {
        const uint32_t *bits = (const uint32_t *)in;
        a = bits[threadIdx.x % 32 + 32 * k];
        b = a ^ 5;
        c = bits[256];
        d = bits[257];
    }
    __device__ void step()
    {
        asm volatile("{.reg .s32 t; add.s32 t,%0,%1; add.s32 %0,t,%2;}"
                     : "+r"(a)
                     : "r"(b), "r"(c));
        asm volatile("{.reg .s32 t; add.s32 t,%0,%1; add.s32 %0,t,%2;}"
                     : "+r"(b)
                     : "r"(a), "r"(d));
    }
    __device__ uint32_t bits() const
    {
        return a ^ b;
    }
};

struct op_dfma : fma_operands<double> {
    using fma_operands::fma_operands;
    __device__ void step()
    {
        asm volatile("fma.rn.f64 %0,%0,%1,%2;" : "+d"(value) : "d"(factor), "d"(term));
    }
    __device__ uint32_t bits() const
    {
        return (uint32_t)__double2hiint(value);
    }
};

struct op_ex2 {
    float value;
    __device__ op_ex2(const float *in, int k) : value(in[threadIdx.x % 32 + 32 * k])
    {
    }
    __device__ void step()
    {
        asm volatile("ex2.approx.ftz.f32 %0,%0;" : "+f"(value));
    }
    __device__ uint32_t bits() const
    {
        return __float_as_uint(value);
    }
};

// A product of 32 x 32 bits, and a logical operation on its halves.
struct op_wide {
    uint64_t value;
    uint32_t factor;
    __device__ op_wide(const float *in, int k)
        : value(((const uint32_t *)in)[threadIdx.x % 32 + 32 * k]),
          factor(((const uint32_t *)in)[256])
    {
    }
    __device__ void step()
    {
        asm volatile("{.reg .u32 l,h; mov.b64 {l,h},%0; xor.b32 h,h,l; mul.wide.u32 %0,h,%1;}"
                     : "+l"(value)
                     : "r"(factor));
    }
    __device__ uint32_t bits() const
    {
        return (uint32_t)value;
    }
};

struct op_lop3 {
    uint32_t value, a, b;
    __device__ op_lop3(const float *in, int k)
    {
        const uint32_t *bits = (const uint32_t *)in;
        value = bits[threadIdx.x % 32 + 32 * k];
        a = bits[256];
        b = bits[257];
    }
    __device__ void step()
    {
        asm volatile("lop3.b32 %0,%0,%1,%2,0xe8;" : "+r"(value) : "r"(a), "r"(b));
        asm volatile("lop3.b32 %0,%0,%1,%2,0x69;" : "+r"(value) : "r"(b), "r"(a));
    }
    __device__ uint32_t bits() const
    {
        return value;
    }
};

struct op_popc {
    uint32_t value;
    __device__ op_popc(const float *in, int k) : value(((const uint32_t *)in)[threadIdx.x % 32])
    {
    }
    __device__ void step()
    {
        asm volatile("popc.b32 %0,%0;" : "+r"(value));
    }
    __device__ uint32_t bits() const
    {
        return value;
    }
};

struct op_shfl {
    uint32_t value, lane;
    __device__ op_shfl(const float *in, int k)
        : value(((const uint32_t *)in)[threadIdx.x % 32]), lane(((const uint32_t *)in)[256])
    {
    }
    __device__ void step()
    {
        asm volatile("shfl.sync.idx.b32 %0,%0,%1,0x1f,0xffffffff;" : "+r"(value) : "r"(lane));
    }
    __device__ uint32_t bits() const
    {
        return value;
    }
};

// ROUNDS x UNROLL dependent steps.
template <typename OP, int UNROLL>
__global__ void chain(uint64_t *clock, const float *in, uint32_t *out, int rounds)
{
    OP op(in, 0);
    const uint64_t begin = now();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            op.step();
    }
    stop(clock, begin);
    KEEP(op.bits(), out);
}

// Four chains side by side in each warp: ROUNDS x 128 steps.
template <typename OP>
__global__ void throughput(uint64_t *clock, const float *in, uint32_t *out, int rounds)
{
    OP a(in, 0), b(in, 1), c(in, 2), d(in, 3);
    __syncthreads();
    const uint64_t begin = now();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int u = 0; u < 32; u++) {
            a.step();
            b.step();
            c.step();
            d.step();
        }
    }
    __syncthreads();
    stop(clock, begin);
    KEEP(a.bits() ^ b.bits() ^ c.bits() ^ d.bits(), out);
}

// Products of 16 x 16 x 8 in half precision, CHAINS side by side: ROUNDS x 32 of them.
template <int CHAINS>
__global__ void tensor(uint64_t *clock, const float *in, uint32_t *out, int rounds)
{
    const uint32_t *bits = (const uint32_t *)in + threadIdx.x % 32;
    uint32_t a[4] = {bits[0], bits[32], bits[64], bits[96]}, b[2] = {bits[128], bits[160]};
    float c[CHAINS][4];
    for (int k = 0; k < CHAINS; k++)
        for (int i = 0; i < 4; i++)
            c[k][i] = (float)(k + i);
    __syncthreads();
    const uint64_t begin = now();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int u = 0; u < 32; u++) {
            float *d = c[u % CHAINS];
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                         "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                         : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
        }
    }
    __syncthreads();
    stop(clock, begin);
    float sum = 0;
    for (int k = 0; k < CHAINS; k++)
        sum += c[k][0] + c[k][1] + c[k][2] + c[k][3];
    KEEP(__float_as_uint(sum), out);
}

// Two instructions of the uniform datapath a step: ROUNDS x 32 steps.
__global__ void uniform(uint64_t *clock, const float *in, uint32_t *out, int rounds, uint32_t h,
                        uint32_t zero)
{
    const uint64_t begin = now();
    uint32_t sum = 0;
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int u = 0; u < 32; u++)
            h = (h * 1664525u + 1013904223u) ^ zero;
        sum ^= __float_as_uint(in[h & zero]);
    }
    KEEP(sum, out);
    stop(clock, begin);
}

#endif
