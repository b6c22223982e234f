// Products of warp groups.
#ifndef HEARTH_TRACER_CALIBRATION_HOPPER_PRODUCTS_CUH
#define HEARTH_TRACER_CALIBRATION_HOPPER_PRODUCTS_CUH

#include "device.cuh"

enum { type_f16, type_bf16, type_e4m3 };
template <int N, int TYPE, bool RS> struct product;

// Numbers and operands of 4 to 128 sums, and of what follows them.
#define NAMES_4 "%0,%1,%2,%3"
#define NAMES_32                                                                               \
    NAMES_4                                                                                    \
    ",%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25"       \
    ",%26,%27,%28,%29,%30,%31"
#define NAMES_64                                                                               \
    NAMES_32                                                                                   \
    ",%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51"         \
    ",%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define NAMES_128                                                                              \
    NAMES_64                                                                                   \
    ",%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83"         \
    ",%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102"          \
    ",%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118"         \
    ",%119,%120,%121,%122,%123,%124,%125,%126,%127"
#define SUMS_4(d, i)   "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SUMS_16(d, i)  SUMS_4(d, i), SUMS_4(d, i + 4), SUMS_4(d, i + 8), SUMS_4(d, i + 12)
#define SUMS_32(d, i)  SUMS_16(d, i), SUMS_16(d, i + 16)
#define SUMS_64(d, i)  SUMS_32(d, i), SUMS_32(d, i + 32)
#define SUMS_128(d, i) SUMS_64(d, i), SUMS_64(d, i + 64)

// A product of N columns and SUMS sums a thread. A and B are what follows the sums: %SUMS and
// on.
#define PRODUCT_SHARED(N, SUMS, TYPE, K, NAME, A, B, FLAGS)                                    \
    template <> struct product<N, type_##TYPE, false> {                                        \
        static __device__ __forceinline__ void step(float (&d)[SUMS], uint64_t a,              \
                                                    const uint32_t (&)[4], uint64_t b)         \
        {                                                                                      \
            asm volatile("{.reg .pred p; setp.eq.u32 p,0,0;"                                   \
                         "wgmma.mma_async.sync.aligned.m64n" #N "k" #K ".f32." NAME "." NAME   \
                         " {" NAMES_##SUMS "},%" #A ",%" #B ",p," FLAGS ";}"                   \
                         : SUMS_##SUMS(d, 0)                                                   \
                         : "l"(a), "l"(b));                                                    \
        }                                                                                      \
    };
#define PRODUCT_REGISTERS(N, SUMS, R0, R1, R2, R3, B)                                          \
    template <> struct product<N, type_f16, true> {                                            \
        static __device__ __forceinline__ void step(float (&d)[SUMS], uint64_t,                \
                                                    const uint32_t (&ra)[4], uint64_t b)       \
        {                                                                                      \
            asm volatile("{.reg .pred p; setp.eq.u32 p,0,0;"                                   \
                         "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 "             \
                         "{" NAMES_##SUMS "},{%" #R0 ",%" #R1 ",%" #R2 ",%" #R3 "},%" #B       \
                                          ",p,1,1,0;}"                                         \
                         : SUMS_##SUMS(d, 0)                                                   \
                         : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "l"(b));            \
        }                                                                                      \
    };

PRODUCT_SHARED(8, 4, f16, 16, "f16", 4, 5, "1,1,0,0")
PRODUCT_SHARED(64, 32, f16, 16, "f16", 32, 33, "1,1,0,0")
PRODUCT_SHARED(128, 64, f16, 16, "f16", 64, 65, "1,1,0,0")
PRODUCT_SHARED(256, 128, f16, 16, "f16", 128, 129, "1,1,0,0")
PRODUCT_SHARED(128, 64, bf16, 16, "bf16", 64, 65, "1,1,0,0")
PRODUCT_SHARED(64, 32, e4m3, 32, "e4m3", 32, 33, "1,1")
PRODUCT_SHARED(256, 128, e4m3, 32, "e4m3", 128, 129, "1,1")
PRODUCT_REGISTERS(8, 4, 4, 5, 6, 7, 8)
PRODUCT_REGISTERS(64, 32, 32, 33, 34, 35, 36)
PRODUCT_REGISTERS(256, 128, 128, 129, 130, 131, 132)

__device__ __forceinline__ void products_fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void products_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void products_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

// Rows of 128 bytes, eight of them in 1,024 bytes, swizzled in 128 bytes.
__device__ __forceinline__ uint64_t matrix(const void *at)
{
    return (uint64_t)((shared_address(at) & 0x3ffff) >> 4) | (uint64_t)1 << 16 |
           (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}

// Three times ROUNDS x 8 products, the third time twice as many. CHAINS sums in turn. WAIT:
// waits for each product.
template <int N, int TYPE, bool RS, int CHAINS, bool WAIT, int GROUPS>
__global__ void __launch_bounds__(GROUPS * 128) products(place p, int rounds, uint32_t zero)
{
    __shared__ __align__(1024) char tiles[8192 + N * 128];
    clear(tiles, sizeof tiles);
    const uint64_t a = matrix(tiles), b = matrix(tiles + 8192);
    const uint32_t ra[4] = {zero, zero, zero, zero};
    float d[CHAINS][N / 2];
    for (int c = 0; c < CHAINS; c++)
        for (int i = 0; i < N / 2; i++)
            d[c][i] = (float)zero;
    const uint64_t all = now();
#pragma unroll 1
    for (int s = 0; s < 3; s++) {
        const int turns = s == 2 ? 2 * rounds : rounds;
        __syncthreads();
        const uint64_t begin = now();
#pragma unroll 1
        for (int i = 0; i < turns; i++) {
#pragma unroll
            for (int u = 0; u < 8; u++) {
                if (WAIT || u == 0)
                    products_fence();
                product<N, TYPE, RS>::step(d[u % CHAINS], a + 2 * (u % 4), ra, b + 2 * (u % 4));
                if (WAIT || u == 7)
                    products_commit();
                if (WAIT)
                    products_wait();
            }
        }
        if (!WAIT)
            products_wait();
        __syncthreads();
        note(p, s, begin);
    }
    finish(p, all);
    float sum = 0;
    for (int c = 0; c < CHAINS; c++)
        for (int i = 0; i < N / 2; i++)
            sum += d[c][i];
    KEEP(__float_as_uint(sum), p);
}

// When each of 16 products has issued, and when all are done (part 16); the second time counts.
template <int N> __global__ void __launch_bounds__(128) products_issue(place p, uint32_t zero)
{
    __shared__ __align__(1024) char tiles[8192 + N * 128];
    clear(tiles, sizeof tiles);
    const uint64_t a = matrix(tiles), b = matrix(tiles + 8192);
    const uint32_t ra[4] = {zero, zero, zero, zero};
    float d[N / 2];
    for (int i = 0; i < N / 2; i++)
        d[i] = (float)zero;
    const uint64_t all = now();
#pragma unroll 1
    for (int s = 0; s < 2; s++) {
        uint64_t at[17];
        __syncthreads();
        products_fence();
        const uint64_t begin = now();
#pragma unroll
        for (int u = 0; u < 16; u++) {
            product<N, type_f16, false>::step(d, a + 2 * (u % 4), ra, b + 2 * (u % 4));
            at[u] = now();
        }
        products_commit();
        products_wait();
        at[16] = now();
        if (threadIdx.x == 0)
#pragma unroll
            for (int u = 0; u < 17; u++)
                own(p)[u] = at[u] - begin;
    }
    finish(p, all);
    float sum = 0;
    for (int i = 0; i < N / 2; i++)
        sum += d[i];
    KEEP(__float_as_uint(sum), p);
}

#endif
