// Counters of L1, of the coalescer of requests and of L2: one mechanism a launch. README.md
// says what for. usage: counters SETS [STAMPS.csv [TIMES]]
#include <cooperative_groups.h>

#include <vector>

#include "stamps.cuh"

namespace cg = cooperative_groups;

static bool want(const char *sets, const char *set)
{
    const size_t length = strlen(set);
    for (const char *p = sets; (p = strstr(p, set)) != nullptr; p += length)
        if ((p == sets || p[-1] == ',') && (p[length] == 0 || p[length] == ','))
            return true;
    return false;
}

enum { CG, CA, CGV4, CPG, CPA, LUV4 };
template <int M> __device__ inline uint32_t load(const char *p, uint32_t s)
{
    uint32_t a = 0, b = 0, c = 0, d = 0;
    if (M == CG)
        asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(a) : "l"(p) : "memory");
    if (M == CA)
        asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(a) : "l"(p) : "memory");
    if (M == CGV4)
        asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3},[%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "l"(p)
                     : "memory");
    if (M == LUV4)
        asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3},[%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "l"(p)
                     : "memory");
    if (M == CPG)
        asm volatile("cp.async.cg.shared.global [%0],[%1],16;" ::"r"(s), "l"(p) : "memory");
    if (M == CPA)
        asm volatile("cp.async.ca.shared.global [%0],[%1],4;" ::"r"(s), "l"(p) : "memory");
    return a ^ b ^ c ^ d;
}
struct pair_args {
    const char *base;
    uint32_t *out;
    stamps *st;
    uint32_t mask, step;  // ranks that load; each one step cycles after the one before it
    uint32_t rounds, gap; // a round begins every gap cycles
    uint32_t lane, span;  // bytes between lanes; bytes of a load
    uint32_t lanes;       // that load
    uint32_t sector,
        turn;      // byte offset of the second rank; of the later rounds: round % 4 * turn
    uint32_t same; // 1: all warps of a block load the same
};
// A cluster in one GPC: some of its blocks load the same at times given to the cycle.
template <int M, int U> __global__ void pair(pair_args a)
{
    __shared__ uint32_t start;
    __shared__ uint4 buffer[2048];
    cg::cluster_group c = cg::this_cluster();
    const uint32_t me = c.block_rank(), w = threadIdx.x / 32, lane = threadIdx.x % 32,
                   warps = blockDim.x / 32;
    c.sync();
    if (me == 0 && threadIdx.x == 0) {
        const uint32_t t = now32() + 12000;
        for (uint32_t r = 0; r < c.num_blocks(); r++)
            *c.map_shared_rank(&start, r) = t;
    }
    c.sync();
    if (threadIdx.x == 0) {
        stamps *s = a.st + me;
        s->sm = smid();
        s->gt = gtime();
        s->n = 2;
        s->t[0] = now32();
        s->t[1] = start;
    }
    if (!(a.mask >> me & 1))
        return;
    const uint32_t order = __popc(a.mask & ((1u << me) - 1));
    uint32_t sum = 0;
    const uint32_t to = (uint32_t)__cvta_generic_to_shared(buffer) + (threadIdx.x * 16) % 32768;
    const char *p =
        a.base + (order == 1 ? a.sector : 0) + lane * a.lane + (a.same ? 0 : w * a.span * U);
    const uint32_t per_round = (a.same ? 1 : warps) * a.span * U;
#pragma unroll 1
    for (uint32_t k = 0; k < a.rounds; k++, p += a.turn ? 0 : per_round) {
        const uint32_t t = start + k * a.gap + order * a.step;
        for (int32_t d; (d = (int32_t)(now32() - t)) < 0 && d > -2000000;) {
        }
        const char *q = p + k % 4 * a.turn;
        uint32_t v[U];
        if (lane < a.lanes) {
#pragma unroll
            for (int u = 0; u < U; u++)
                v[u] = load<M>(q + u * a.span, to);
#pragma unroll
            for (int u = 0; u < U; u++)
                sum ^= v[u];
        }
        if (M == CPG || M == CPA)
            asm volatile("cp.async.wait_all;" ::: "memory");
    }
    KEEP(sum, a.out);
}
// Two SMs of any GPC read the same; b later than a, by the global timer.
template <int M>
__global__ void roles(const char *base, uint32_t *out, uint32_t sa, uint32_t sb, uint32_t delay,
                      uint32_t bytes, uint32_t lane, uint32_t offset, stamps *st)
{
    const uint32_t s = smid();
    if (s != sa && s != sb)
        return;
    const uint64_t t =
        ((gtime() + 0x4000) & ~0x7fffull) + 0x8000 + (s == sb && sa != sb ? delay : 0);
    while (gtime() < t) {
    }
    const uint32_t t0 = now32();
    const char *p = base + (s == sb && sa != sb ? offset : 0) + threadIdx.x * lane;
    uint32_t sum = 0;
#pragma unroll 1
    for (uint32_t i = 0; i < bytes; i += blockDim.x * lane * 4) {
        uint32_t v[4];
#pragma unroll
        for (int u = 0; u < 4; u++)
            v[u] = load<M>(p + i + u * blockDim.x * lane, 0);
#pragma unroll
        for (int u = 0; u < 4; u++)
            sum ^= v[u];
    }
    KEEP(sum, out);
    if (threadIdx.x == 0) {
        stamps *o = st + (s == sb && sa != sb);
        o->sm = s;
        o->gt = t;
        o->n = 2;
        o->t[0] = t0;
        o->t[1] = now32();
    }
}
// One warp loads a word each of COUNT places STRIDE apart, PASSES times.
__global__ void l1(const char *base, uint32_t *out, uint32_t stride, uint32_t count,
                   uint32_t passes)
{
    uint32_t sum = 0;
#pragma unroll 1
    for (uint32_t k = 0; k < passes; k++)
#pragma unroll 1
        for (uint32_t i = 0; i < count; i += 32) {
            uint32_t v = load<CA>(base + (size_t)(i + threadIdx.x) * stride, 0);
            sum ^= v;
            KEEP(sum, out);
        }
    KEEP(sum, out);
}
__global__ void touch(const char *area, uint32_t *out, size_t bytes)
{
    uint32_t v = 0;
    for (size_t i = (blockIdx.x * blockDim.x + threadIdx.x) * 32; i < bytes;
         i += (size_t)gridDim.x * blockDim.x * 32)
        v ^= load<CG>(area + i, 0);
    KEEP(v, out);
}
// ---- whole kernels ----
constexpr int TILE = 16;
__global__ void gemm(const float *a, const float *b, float *c, int n)
{
    __shared__ float ta[TILE][TILE], tb[TILE][TILE];
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k += TILE) {
        ta[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}
// y = A x + B x, a thread a row.
__global__ void matvec2(const float *a, const float *b, const float *x, float *t, float *y,
                        int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
#pragma unroll 4
    for (int j = 0; j < n; j++) {
        t[i] += a[i * n + j] * x[j];
        y[i] += b[i * n + j] * x[j];
    }
}
// C = A B' + B A', a thread an element.
__global__ void rank2k(const float *a, const float *b, float *c, int n, int m)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x,
              i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
#pragma unroll 4
    for (int k = 0; k < m; k++) {
        c[i * n + j] += a[i * m + k] * b[j * m + k];
        c[i * n + j] += b[i * m + k] * a[j * m + k];
    }
}
// C = A B, a thread an element, no shared memory.
__global__ void product(const float *a, const float *b, float *c, int n)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x,
              i = blockIdx.y * blockDim.y + threadIdx.y;
#pragma unroll 4
    for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}
__global__ void stencil9(const float *a, float *b, int n)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x,
              i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i == 0 || j == 0 || i >= n - 1 || j >= n - 1)
        return;
    float s = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            s += (float)(x + 3 * y + 1) * a[(i + y) * n + j + x];
    b[i * n + j] = s;
}
// Blocks of 4 x 4 threads: rows of 16 bytes.
__global__ void small4(const float *m, float *a, int n, int t)
{
    const int x = blockIdx.x * 4 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= n - 1 - t || y >= n - t)
        return;
    a[n * (x + 1 + t) + y + t] -= m[n * (x + 1 + t) + t] * a[n * t + y + t];
}
// Each thread reads words far apart, all blocks the same in the same order.
__global__ void scattered(const float *a, float *c, int n, int stride)
{
    const int i = threadIdx.x;
    float s = 0;
#pragma unroll 4
    for (int k = 0; k < n; k++)
        s += a[i * stride + k];
    c[blockIdx.x * blockDim.x + i] = s;
}
// Lanes of cp.async whose source is ignored: by a predicate, by a size of 0.
__global__ void ignoring(const char *base, uint32_t *out, int from, int how)
{
    __shared__ uint4 buffer[256];
    const uint32_t to = (uint32_t)__cvta_generic_to_shared(buffer) + threadIdx.x * 16;
    const char *p = base + blockIdx.x * 8192 + threadIdx.x * 32;
    const int off = (int)threadIdx.x >= from;
    if (how == 0)
        asm volatile(
            "{.reg .pred q; setp.ne.s32 q,%2,0; cp.async.cg.shared.global [%0],[%1],16,q;}" ::
                "r"(to),
            "l"(p), "r"(off)
            : "memory");
    if (how == 1)
        asm volatile("cp.async.cg.shared.global [%0],[%1],16,%2;" ::"r"(to), "l"(p),
                     "r"(off ? 0 : 16)
                     : "memory");
    if (how == 2)
        asm volatile(
            "{.reg .pred q; setp.ne.s32 q,%2,0; cp.async.ca.shared.global [%0],[%1],16,q;}" ::
                "r"(to),
            "l"(p), "r"(off)
            : "memory");
    if (how == 3 && !off)
        asm volatile("cp.async.ca.shared.global [%0],[%1],16;" ::"r"(to), "l"(p) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    if (buffer[threadIdx.x].x == 77)
        *out = 1;
}
// Where blocks run: of each its SM and when it began and ended.
__global__ void placed(uint4 *where, const float *a, float *b, int n, int how)
{
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    const uint64_t t0 = gtime();
    if (how == 0) {
        const int j = blockIdx.x * blockDim.x + threadIdx.x,
                  i = blockIdx.y * blockDim.y + threadIdx.y;
        if (i > 0 && j > 0 && i < n - 1 && j < n - 1) {
            float s = 0;
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++)
                    s += (float)(x + 3 * y + 1) * a[(i + y) * n + j + x];
            b[i * n + j] = s;
        }
    } else {
        const uint32_t c = now32(), d = how == 1 ? 3000 : 1000 + (block * 2654435761u >> 20);
        while (now32() - c < d) {
        }
    }
    if (threadIdx.x == 0 && threadIdx.y == 0)
        where[block] = make_uint4(smid(), (uint32_t)t0, (uint32_t)gtime(), now32());
}
template <int M, int U>
static void go_pair(int cluster, int warps, pair_args a, const char *what)
{
    CUDA(cudaFuncSetAttribute(pair<M, U>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(cluster);
    config.blockDim = dim3(32 * warps);
    cudaLaunchAttribute at[1];
    at[0].id = cudaLaunchAttributeClusterDimension;
    at[0].val.clusterDim.x = cluster;
    at[0].val.clusterDim.y = 1;
    at[0].val.clusterDim.z = 1;
    config.attrs = at;
    config.numAttrs = 1;
    cudaError_t rc = cudaLaunchKernelEx(&config, pair<M, U>, a);
    if (rc != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(rc));
        (void)cudaGetLastError();
        return;
    }
    done(what, cluster, 32 * warps, cluster);
}
int main(int argc, char **argv)
{
    const char *sets = argc > 1 ? argv[1] : "pair,press,roles,l1,apps,place,big,ignore";
    const int times = argc > 3 ? atoi(argv[3]) : 1;
    char *data, *fresh;
    uint32_t *out;
    CUDA(cudaMalloc(&data, 64 * MB));
    CUDA(cudaMemset(data, 0, 64 * MB));
    CUDA(cudaMalloc(&fresh, 64 * MB));
    CUDA(cudaMalloc(&out, 4));
    prepare(argc - 1, argv + 1);
    pair_args z = {data, out, st, 1, 0, 64, 1500, 4, 128, 32, 0, 0, 0};
    if (want(sets, "pair")) {
        touch<<<132, 256>>>(data, out, 1 * MB);
        done("touch_1M", 132, 256, 0);
        for (int i = 0; i < 3; i++) {
            z.mask = 3;
            go_pair<CG, 1>(16, 1, z, NAME("first_%d", i));
        }
        const uint32_t others[] = {1, 8, 15};
        for (uint32_t r : others)
            for (uint32_t d : {0, 10, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 220, 240,
                               260, 280, 300, 350, 400}) {
                if (r != 8 && d % 40)
                    continue;
                pair_args a = z;
                a.mask = 1 | 1u << r;
                a.step = d;
                go_pair<CG, 1>(16, 1, a, NAME("line_r%u_d%u", r, d));
            }
        for (uint32_t d : {0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 240, 280, 320,
                           400}) { // 32 sectors of as many lines
            pair_args a = z;
            a.mask = 1 | 1u << 8;
            a.step = d;
            a.lane = 128;
            a.span = 4096;
            a.rounds = 16;
            a.gap = 3000;
            go_pair<CG, 1>(16, 1, a, NAME("scatter_r8_d%u", d));
        }
        for (uint32_t d : {0, 40, 80, 120, 160, 200, 240, 280, 320}) { // one sector
            pair_args a = z;
            a.mask = 1 | 1u << 8;
            a.step = d;
            a.lanes = 8;
            go_pair<CG, 1>(16, 1, a, NAME("sector_r8_d%u", d));
            if (d > 80)
                continue;
            a.sector = 32;
            go_pair<CG, 1>(16, 1, a, NAME("sector01_r8_d%u", d));
            a.sector = 64;
            go_pair<CG, 1>(16, 1, a, NAME("sector02_r8_d%u", d));
            a.sector = 0;
            a.lanes = 16;
            go_pair<CG, 1>(16, 1, a, NAME("half_r8_d%u", d));
            a.sector = 32;
            go_pair<CG, 1>(16, 1, a, NAME("half_shifted_r8_d%u", d)); // 0 1 and 1 2
            a.sector = 64;
            a.lanes = 32;
            go_pair<CG, 1>(16, 1, a, NAME("line_shifted_r8_d%u", d));
        }
        for (uint32_t d : {0, 40, 80, 160, 240}) {
            pair_args a = z;
            a.mask = 1 | 1u << 8;
            a.step = d;
            go_pair<CA, 1>(16, 1, a, NAME("lineca_r8_d%u", d));
            a.lane = 16;
            a.span = 512;
            go_pair<CGV4, 1>(16, 1, a, NAME("v4_r8_d%u", d));
            go_pair<LUV4, 1>(16, 1, a, NAME("v4ca_r8_d%u", d));
            go_pair<CPG, 1>(16, 1, a, NAME("bypass_r8_d%u", d));
            go_pair<CGV4, 4>(16, 1, a, NAME("v4x4_r8_d%u", d));
            go_pair<CGV4, 8>(16, 1, a, NAME("v4x8_r8_d%u", d));
        }
        for (int n : {2, 3, 4, 5, 6, 8, 12, 16})
            for (uint32_t d : {0, 10, 40}) {
                pair_args a = z;
                a.mask = (1u << n) - 1;
                a.step = d;
                go_pair<CG, 1>(16, 1, a, NAME("line_n%d_d%u", n, d));
            }
        for (int w : {1, 2, 4}) { // warps of one SM that load the same
            pair_args a = z;
            a.same = 1;
            go_pair<CG, 1>(16, w, a, NAME("samesm_cg_w%d", w));
            go_pair<CA, 1>(16, w, a, NAME("samesm_ca_w%d", w));
            a.lane = 16;
            a.span = 512;
            go_pair<CPG, 1>(16, w, a, NAME("samesm_bypass_w%d", w));
        }
    }
    if (want(sets, "press")) { // all of a GPC load the same at the same time, so much of it
        touch<<<132, 256>>>(data, out, 4 * MB);
        done("touch_4M", 132, 256, 0);
        for (uint32_t mask : {0x101u, 0xfu, 0xffffu})
            for (int w : {1, 2, 4, 8, 16, 32}) {
                pair_args a = z;
                a.mask = mask;
                a.gap = 6000;
                a.rounds = 16;
                go_pair<CG, 1>(16, w, a, NAME("pline_m%x_w%d", mask, w));
                if (w >= 8)
                    go_pair<CG, 4>(16, w, a, NAME("pline4_m%x_w%d", mask, w));
                a.lane = 128;
                a.span = 4096;
                a.turn = 32;
                a.gap = 20000;
                a.rounds = 4;
                go_pair<CG, 1>(16, w, a, NAME("pscatter_m%x_w%d", mask, w));
                if (w >= 8)
                    go_pair<CG, 4>(16, w, a, NAME("pscatter4_m%x_w%d", mask, w));
            }
    }
    if (want(sets, "roles")) {
        const uint32_t smem = 100 * 1024;
        CUDA(cudaFuncSetAttribute(roles<CG>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  120 * 1024));
        CUDA(cudaFuncSetAttribute(roles<CGV4>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  120 * 1024));
        const uint32_t b[] = {0, 16, 8, 2,
                              6}; // itself, its GPC, another GPC of its half, of the other half
        size_t at = 0;
        for (int again = 0; again < times; again++)
            for (uint32_t sb : b)
                for (uint32_t d : {0, 200, 400, 5000}) {
                    if (sb == 0 && d)
                        continue;
                    at += 64 * 1024;
                    for (int w = 0; w < 2; w++) {
                        roles<CGV4>
                            <<<132, 256, smem>>>(fresh + at, out, 0, sb, d, 65536, 16, 0, st);
                        done(NAME("roles_b%u_d%u_%d", sb, d, w), 132, 256, 2);
                    }
                    at += 64 * 1024;
                    roles<CG><<<132, 256, smem>>>(fresh + at, out, 0, sb, d, 65536, 32, 0, st);
                    done(NAME("rolesword_b%u_d%u", sb, d), 132, 256, 2);
                    at += 128 * 1024; // the one sector 0 of each line, the other 1
                    roles<CG>
                        <<<132, 256, smem>>>(fresh + at, out, 0, sb, d, 131072, 128, 32, st);
                    done(NAME("roles01_b%u_d%u", sb, d), 132, 256, 2);
                    at += 128 * 1024; // sector 0 and 2
                    roles<CG>
                        <<<132, 256, smem>>>(fresh + at, out, 0, sb, d, 131072, 128, 64, st);
                    done(NAME("roles02_b%u_d%u", sb, d), 132, 256, 2);
                }
    }
    if (want(sets, "l1")) {
        CUDA(cudaFuncSetAttribute(l1, cudaFuncAttributePreferredSharedMemoryCarveout, 0));
        for (uint32_t s : {128, 512, 2048, 4096, 8192, 16384, 4224, 32})
            for (uint32_t n : {256,  384,  448,  480,  512,  544,  576,  640,  768,  1024,
                               1280, 1536, 1664, 1792, 1856, 1920, 1984, 2048, 2176, 2560}) {
                if (s == 32 && n < 1024)
                    continue;
                if ((size_t)s * n > 60 * MB)
                    continue;
                const uint32_t m = s == 32 ? 4 * n : n;
                l1<<<1, 32>>>(data, out, s, m, 3);
                done(NAME("l1_s%u_n%u", s, m), 1, 32, 0);
            }
        for (int carve : {12, 28}) {
            CUDA(cudaFuncSetAttribute(l1, cudaFuncAttributePreferredSharedMemoryCarveout,
                                      carve));
            for (uint32_t n : {1280, 1408, 1472, 1536, 1600, 1664, 1728, 1792, 1856}) {
                l1<<<1, 32>>>(data, out, 128, n, 3);
                done(NAME("l1_c%d_s128_n%u", carve, n), 1, 32, 0);
            }
        }
    }
    if (want(sets, "apps")) {
        float *f = (float *)data, *g = f + 4 * MB, *h = f + 8 * MB, *x = f + 12 * MB,
              *y = f + 13 * MB;
        for (int again = 0; again < times; again++) {
            for (int n : {64, 96, 128, 160, 256}) {
                gemm<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(f, g, h, n);
                done(NAME("gemm_%d", n), n * n / 256, 256, 0);
            }
            for (int n : {512, 768, 1536}) {
                if (again > 2)
                    continue;
                matvec2<<<n / 256, 256>>>(f, g, x, y, h, n);
                done(NAME("matvec2_%d", n), n / 256, 256, 0);
            }
            for (int n : {96, 160, 256}) {
                rank2k<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(f, g, h, n, n == 256 ? 64 : n);
                done(NAME("rank2k_%d", n), n * n / 256, 256, 0);
            }
            for (int n : {128, 192}) {
                product<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(f, g, h, n);
                done(NAME("product_%d", n), n * n / 256, 256, 0);
            }
            for (int n : {512, 768}) {
                stencil9<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(f, g, n);
                done(NAME("stencil9_%d", n), n * n / 256, 256, 0);
            }
            for (int n : {32, 64, 96}) {
                small4<<<dim3(n / 4, n / 4), dim3(4, 4)>>>(f, g, n, 0);
                done(NAME("small4_%d", n), n * n / 16, 16, 0);
            }
            for (int s : {64, 65, 8}) {
                scattered<<<132, 256>>>(f, h, 64, s);
                done(NAME("scattered_s%d", s), 132, 256, 0);
            }
        }
    }
    if (want(sets, "place")) {
        uint4 *where;
        CUDA(cudaMalloc(&where, 8192 * sizeof *where));
        std::vector<uint4> got(8192);
        float *f = (float *)data, *g = f + 4 * MB;
        const struct {
            int n, how;
        } runs[] = {{768, 0},  {768, 0},  {1280, 0}, {1280, 0}, {1280, 0},
                    {1024, 1}, {1024, 1}, {1024, 2}, {1024, 2}, {1408, 0}};
        for (auto &r : runs) {
            const int gx = r.n / 32, gy = r.n / 8;
            placed<<<dim3(gx, gy), dim3(32, 8)>>>(where, f, g, r.n, r.how);
            done(NAME("placed%d_%d", r.how, r.n), gx * gy, 256, 0);
            CUDA(
                cudaMemcpy(got.data(), where, gx * gy * sizeof *where, cudaMemcpyDeviceToHost));
            if (raw)
                for (int i = 0; i < gx * gy; i++)
                    fprintf(raw, "%d,%s,%d,%u,%u,%u,%u\n", number, name, i, got[i].x, got[i].y,
                            got[i].z, got[i].w);
        }
    }
    if (want(sets, "big")) {
        float *f = (float *)data, *g = f + 4 * MB, *h = f + 8 * MB, *x = f + 12 * MB,
              *y = f + 13 * MB;
        for (int n : {1024, 2048}) {
            matvec2<<<n / 256, 256>>>(f, g, x, y, h, n);
            done(NAME("matvec2_%d", n), n / 256, 256, 0);
        }
    }
    if (want(sets, "ignore"))
        for (int how = 0; how < 4; how++)
            for (int from : {256, 128, 40, 0}) {
                ignoring<<<4, 256>>>(data, out, from, how);
                done(NAME("ignore%d_from%d", how, from), 4, 256, 0);
            }
    if (raw)
        fclose(raw);
    return 0;
}
