// What SMs share: merged reads, homes of atomics, parameters, DRAM. README.md says what for.
#include <cooperative_groups.h>

#include "kernels.cuh"

namespace cg = cooperative_groups;

// Ranks 0 and R of a cluster (the first cluster) read the same BYTES, R later by DELAY cycles.
__global__ void lrc(stamps *st, const char *area, uint32_t *out, uint32_t r, uint32_t delay,
                    uint32_t bytes)
{
    cg::cluster_group c = cg::this_cluster();
    const uint32_t me = c.block_rank();
    const bool first = blockIdx.x / c.num_blocks() == 0, on = first && (me == 0 || me == r);
    c.sync();
    const uint32_t b0 = now32();
    if (!on)
        return;
    if (me == r && r != 0)
        while (now32() - b0 < delay) {
        }
    const uint32_t t0 = now32();
    uint32_t sum = 0;
    const char *p = area + threadIdx.x * 16;
#pragma unroll 1
    for (uint32_t i = 0; i < bytes; i += blockDim.x * 16 * 4) {
        uint4 l[4];
#pragma unroll
        for (int u = 0; u < 4; u++)
            asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3},[%4];"
                         : "=r"(l[u].x), "=r"(l[u].y), "=r"(l[u].z), "=r"(l[u].w)
                         : "l"(p + i + u * blockDim.x * 16)
                         : "memory");
#pragma unroll
        for (int u = 0; u < 4; u++)
            sum ^= l[u].x ^ l[u].y ^ l[u].z ^ l[u].w;
    }
    KEEP(sum, out);
    const uint32_t t1 = now32();
    if (threadIdx.x == 0) {
        stamps *s = st + (me != 0);
        s->sm = smid();
        s->n = 3;
        s->t[0] = b0;
        s->t[1] = t0;
        s->t[2] = t1;
    }
}
// Chains of reads, atomics with results: of each of 64 lines, its latency.
__global__ void home(stamps *st, char *area, uint32_t *out, uint32_t who, uint32_t step)
{
    if (smid() != who || threadIdx.x != 0)
        return;
    for (int l = 0; l < 64; l++) {
        char *p = area + (size_t)l * step;
        uint32_t v = 0, z;
        uint32_t t[4];
        v = ldcg(p);
        KEEP(v, out);
        v = ldcg(p + (v & 4));
        KEEP(v, out);
        t[0] = now32();
#pragma unroll 1
        for (int i = 0; i < 8; i++)
            v = ldcg(p + (v & 0));
        KEEP(v, out);
        t[1] = now32();
#pragma unroll 1
        for (int i = 0; i < 8; i++) {
            asm volatile("atom.global.add.u32 %0,[%1],%2;"
                         : "=r"(z)
                         : "l"(p + (v & 0)), "r"(v & 0)
                         : "memory");
            v = z;
        }
        KEEP(v, out);
        t[2] = now32();
#pragma unroll 1
        for (int i = 0; i < 8; i++)
            v = ldcg(p + (v & 0));
        KEEP(v, out);
        t[3] = now32();
        stamps *s = st + l;
        s->sm = smid();
        s->n = 4;
        for (int k = 0; k < 4; k++)
            s->t[k] = t[k];
    }
}
// A chase over fresh memory with the latency of each hop.
__global__ void refresh(stamps *st, const char *area, uint32_t *out, uint32_t zero)
{
    __shared__ uint32_t at[4096];
    uint32_t v = 0, h = 77;
    for (int i = 0; i < 4096; i++) {
        h = h * 1664525u + 1013904223u;
        v = ldcg(area + ((h >> 2) & (256 * MB - 1) & ~127u) + (v & zero));
        KEEP(v, out);
        at[i] = now32();
    }
    for (int i = threadIdx.x; i < 4096; i += 32) {
        stamps *s = st + i / STAMPS;
        s->sm = smid();
        s->n = STAMPS;
        s->t[i % STAMPS] = at[i];
    }
}
struct parameters {
    uint32_t w[256];
};
// First uses of parameters, in lines of their own.
__global__ void params(stamps *st, uint32_t *out, const __grid_constant__ parameters b)
{
    uint32_t t[8], v = threadIdx.x;
    t[0] = now32();
    asm volatile("add.u32 %0,%0,%1;" : "+r"(v) : "r"(b.w[0]));
    KEEP(v, out);
    t[1] = now32();
    asm volatile("add.u32 %0,%0,%1;" : "+r"(v) : "r"(b.w[32]));
    KEEP(v, out);
    t[2] = now32();
    asm volatile("add.u32 %0,%0,%1;" : "+r"(v) : "r"(b.w[64]));
    KEEP(v, out);
    t[3] = now32();
    asm volatile("add.u32 %0,%0,%1;" : "+r"(v) : "r"(b.w[128]));
    KEEP(v, out);
    t[4] = now32();
    asm volatile("add.u32 %0,%0,%1;" : "+r"(v) : "r"(b.w[192]));
    KEEP(v, out);
    t[5] = now32();
    asm volatile("add.u32 %0,%0,%1;" : "+r"(v) : "r"(b.w[193]));
    KEEP(v, out);
    t[6] = now32();
    if (threadIdx.x == 0) {
        stamps *s = st + blockIdx.x;
        s->sm = smid();
        s->n = 7;
        for (int i = 0; i < 7; i++)
            s->t[i] = t[i];
    }
}
__global__ void empty()
{
}
// Much arithmetic, no memory: integer divisions of what parameters say. With stamps.
__global__ void divide(stamps *st, uint32_t *out, int a, int b, int c)
{
    uint32_t t0 = now32();
    int v = (int)(threadIdx.x + blockIdx.x * blockDim.x);
    v = v / a * 3 + v % a;
    KEEP(v, out);
    uint32_t t1 = now32();
    v = v / b * 3 + v % b;
    KEEP(v, out);
    uint32_t t2 = now32();
    v = v / c * 3 + v % c;
    KEEP(v, out);
    uint32_t t3 = now32();
    if (threadIdx.x % 32 == 0) {
        stamps *s = st + blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
        s->sm = smid();
        s->n = 4;
        s->t[0] = t0;
        s->t[1] = t1;
        s->t[2] = t2;
        s->t[3] = t3;
    }
}
// Stores of BYTES a lane (4, 8), lanes STEP bytes apart, twice: second at +OTHER.
__global__ void stores(char *area, uint32_t step, uint32_t bytes, uint32_t other,
                       uint32_t times)
{
    const uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    char *p = area + (size_t)warp * 2048 + lane * step;
    for (uint32_t i = 0; i < times; i++, p += other) {
        if (bytes == 1)
            *(volatile char *)p = 1;
        if (bytes == 4)
            *(volatile uint32_t *)p = lane;
        if (bytes == 8)
            asm volatile("st.global.v2.u32 [%0],{%1,%1};" ::"l"(p), "r"(lane) : "memory");
        if (bytes == 16)
            asm volatile("st.global.v4.u32 [%0],{%1,%1,%1,%1};" ::"l"(p), "r"(lane) : "memory");
    }
}
// All blocks of the GPU read the same BYTES at about the same time.
__global__ void together(const char *area, uint32_t *out, uint32_t bytes, uint32_t apart)
{
    uint32_t sum = 0;
    const char *p = area + threadIdx.x * 16;
    for (uint32_t i = 0; i < bytes; i += blockDim.x * 16) {
        uint4 l;
        asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3},[%4];"
                     : "=r"(l.x), "=r"(l.y), "=r"(l.z), "=r"(l.w)
                     : "l"(p + (i + blockIdx.x * apart) % bytes)
                     : "memory");
        sum ^= l.x ^ l.y ^ l.z ^ l.w;
    }
    KEEP(sum, out);
}
__global__ void touch(const char *from, uint32_t *out, uint32_t sectors)
{
    uint32_t sum = 0;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < sectors;
         i += gridDim.x * blockDim.x)
        sum ^= ldcg(from + (uint64_t)i * 32);
    KEEP(sum, out);
}
static void launch_lrc(int cluster, char *data, uint32_t *out, int r, int d, uint32_t bytes,
                       const char *what)
{
    CUDA(cudaFuncSetAttribute(lrc, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(cluster);
    config.blockDim = dim3(256);
    config.dynamicSmemBytes = 0;
    cudaLaunchAttribute at[1];
    at[0].id = cudaLaunchAttributeClusterDimension;
    at[0].val.clusterDim.x = cluster;
    at[0].val.clusterDim.y = 1;
    at[0].val.clusterDim.z = 1;
    config.attrs = at;
    config.numAttrs = 1;
    cudaError_t rc = cudaLaunchKernelEx(&config, lrc, st, (const char *)data, out, (uint32_t)r,
                                        (uint32_t)d, bytes);
    if (rc != cudaSuccess) {
        fprintf(stderr, "lrc %d: %s\n", cluster, cudaGetErrorString(rc));
        (void)cudaGetLastError();
        return;
    }
    done(NAME("%s_c%d_r%d_d%d", what, cluster, r, d), cluster, 256, r == 0 ? 1 : 2);
}
static void launch_lrc(const areas &m)
{

    touch<<<132, 256>>>(m.data, m.out, 16 * MB / 32);
    done("touch_16M", 132, 256, 0);
    touch<<<132, 256>>>(m.data, m.out, 1 * MB / 32);
    done("touch_1M", 132, 256, 0);
    for (int cluster : {2, 8, 16}) {
        launch_lrc(cluster, m.data, m.out, 0, 0, 131072, "lrc");
        for (int r : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 15}) {
            if (r >= cluster)
                continue;
            for (int d :
                 {0, 2, 4, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 96, 160, 300, 600}) {
                if (cluster == 8 && d != 0 && d != 8 && d != 24)
                    continue;
                if (cluster == 16 && r != 1 && r != 2 && r != 8 && r != 15 && d != 0 && d != 12)
                    continue;
                launch_lrc(cluster, m.data, m.out, r, d, 131072, "lrc");
            }
        }
    }
    for (int d : {0, 20, 100, 400, 1000})
        launch_lrc(16, m.data + 16 * MB + d * 4096, m.out, 9, d, 131072, "lrccold");
    for (int a : {0, 512, 4096, 65536}) {
        together<<<132, 256>>>(m.data, m.out, 262144, a);
        done(NAME("together_a%d", a), 132, 256, 0);
        together<<<132, 256>>>(m.data + 32 * MB + a * 8, m.out, 262144, a);
        done(NAME("together_cold_a%d", a), 132, 256, 0);
    }
    together<<<264, 256>>>(m.data, m.out, 262144, 0);
    done("together_g264", 264, 256, 0);
}

static void launch_home(const areas &m)
{

    for (int sm : {0, 1, 2, 4, 6, 8, 10, 12, 14, 16, 60, 61, 131}) {
        home<<<132, 32>>>(st, m.data + 4 * MB, m.out, sm, 4096 + 128);
        done(NAME("home_sm%d", sm), 132, 32, 64);
    }
}

static void launch_refresh(const areas &m)
{
    refresh<<<1, 32>>>(st, m.big, m.out, 0);
    done("refresh", 1, 32, 4096 / STAMPS);
}

static void launch_param(const areas &m)
{

    parameters b;
    memset(&b, 1, sizeof b);
    for (int g : {1, 1, 2, 8, 16, 33, 66, 132, 132}) {
        b.w[0]++;
        b.w[64]++;
        params<<<g, 32>>>(st, m.out, b);
        done(NAME("params_g%d_b32", g), g, 32, g);
    }
    for (int g : {1, 132}) {
        b.w[0]++;
        b.w[64]++;
        params<<<g, 256>>>(st, m.out, b);
        done(NAME("params_g%d_b256", g), g, 256, g);
    }
    for (int g : {132, 132, 1, 2, 8, 16, 33, 66, 132}) {
        divide<<<g, 128>>>(st, m.out, 3 + g, 7, 5);
        done(NAME("divide_g%d_b128", g), g, 128, 4 * g);
    }
}

static void launch_own(const areas &m)
{

    for (int g : {1, 132, 1056}) {
        empty<<<g, 32>>>();
        done(NAME("empty_g%d_b32", g), g, 32, 0);
        empty<<<g, 256>>>();
        done(NAME("empty_g%d_b256", g), g, 256, 0);
    }
}

static void launch_warmed(const areas &m)
{

    touch<<<132, 256>>>(m.data, m.out, 16 * MB / 32);
    done("touch_16M", 132, 256, 0);
    const int grids[] = {528, 528, 1, 2, 4, 8, 16, 33, 66, 132, 264, 528, 1056};
    for (int g : grids) {
        vec4<<<g, 128>>>((uint4 *)m.data, (uint4 *)(m.data + 8 * MB), g * 128);
        done(NAME("wvec4_g%d", g), g, 128, 0);
    }
    for (int g : grids) {
        add3<<<g, 256>>>((float *)m.data, (float *)(m.data + 4 * MB),
                         (float *)(m.data + 8 * MB), g * 256);
        done(NAME("wadd3_g%d", g), g, 256, 0);
    }
    const int rows[] = {264, 264, 1, 1, 2, 4, 8, 16, 33, 64, 66, 132, 264};
    for (int half : {16, 1, 128})
        for (int g : rows) {
            stage<<<dim3(2, g), 128>>>((float2 *)m.data, 9, half, -1.0f);
            done(NAME("wstage%d_r%d", half, g), 2 * g, 128, 0);
        }
    struct {
        int step, bytes, other, times;
    } s[] = {{4, 4, 0, 1},     {4, 4, 0, 2},  {8, 4, 4, 2},  {8, 4, 0, 1}, {16, 8, 8, 2},
             {16, 8, 0, 1},    {32, 4, 4, 8}, {32, 4, 0, 1}, {8, 8, 0, 1}, {8, 8, 256, 4},
             {16, 16, 512, 4}, {1, 1, 32, 4}, {1, 1, 0, 1},  {64, 4, 0, 1}};
    for (auto &x : s) {
        stores<<<132, 256>>>(m.data, x.step, x.bytes, x.other, x.times);
        done(NAME("stores_s%d_b%d_o%d_t%d", x.step, x.bytes, x.other, x.times), 132, 256, 0);
    }
}

static void launch_dram(const areas &m)
{

    int k = 0;
    for (int e = 12; e <= 21; e += 1) // do lines at these strides stay m.in L2?
        for (int blocks : {16, 64}) {
            if (((uint64_t)blocks << (e + 8)) > 36000 * MB)
                continue;
            ++k;
            for (int again = 0; again < 3; again++) {
                strided<false><<<blocks, 256>>>(m.big + 4096 * 53 * k, m.out, 1ull << e, 1);
                done(NAME("sets_%d_b%d_%d", 1 << e, blocks, again), blocks, 256, 0);
            }
        }
    for (int e = 7; e <= 20; e++) {
        strided<false><<<132, 256>>>(m.big + 4096 * 37 * ++k + 1024, m.out, 1ull << e, 1);
        done(NAME("d2stride_%d", 1 << e), 132, 256, 0);
    }
    for (int times : {5, 9, 10, 17, 33, 40, 80, 160}) {
        strided<false>
            <<<132, 256>>>(m.big + 4096 * 37 * ++k + 1024, m.out, (uint64_t)times * 4096, 1);
        done(NAME("d2stride_%d", times * 4096), 132, 256, 0);
    }
}

int main(int argc, char **argv)
{
    areas m;
    CUDA(cudaMalloc(&m.data, 64 * MB));
    CUDA(cudaMemset(m.data, 0, 64 * MB));
    CUDA(cudaMalloc(&m.in, 4096));
    CUDA(cudaMemset(m.in, 0, 4096));
    CUDA(cudaMalloc(&m.out, 4));
    CUDA(cudaMalloc(&m.big, 36864 * MB));
    prepare(argc, argv);
    launch_lrc(m);
    launch_home(m);
    launch_refresh(m);
    launch_param(m);
    launch_own(m);
    launch_warmed(m);
    launch_dram(m);
    if (raw != nullptr)
        fclose(raw);
    return 0;
}
