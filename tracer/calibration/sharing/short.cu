// Short launches of one SM to all: loads of a chain with stamps, elementwise kernels, code,
// jumps, constants, and memory at strides. README.md says what for.
#include "kernels.cuh"

// Stamps of a chain of loads: near lines, other lines of a page, other pages.
__global__ void anatomy(stamps *st, const char *a, const char *b, uint32_t *out, uint32_t zero,
                        uint32_t step, uint32_t line)
{
    uint32_t t[8];
    t[0] = now32();
    const char *p = a + blockIdx.x * step + threadIdx.x / 32 * line + threadIdx.x % 32 * 4;
    const char *q = b + blockIdx.x * step + threadIdx.x / 32 * line + threadIdx.x % 32 * 4;
    uint32_t v = ldcg(p);
    KEEP(v, out);
    t[1] = now32();
    v = ldcg(p + 8192 + (v & zero));
    KEEP(v, out);
    t[2] = now32();
    v = ldcg(p + 16384 + (v & zero));
    KEEP(v, out);
    t[3] = now32();
    v = ldcg(q + (v & zero));
    KEEP(v, out);
    t[4] = now32();
    v = ldcg(q + 8192 + (v & zero));
    KEEP(v, out);
    t[5] = now32();
    *(uint32_t *)(q + 24576 + (v & zero)) = 1;
    t[6] = now32();
    v = ldcg(q + 16384 + (v & zero));
    KEEP(v, out);
    t[7] = now32();
    if (threadIdx.x == 0) {
        stamps *s = st + blockIdx.x;
        s->sm = smid();
        s->gt = gtime();
        s->n = 8;
        for (int i = 0; i < 8; i++)
            s->t[i] = t[i];
    }
}

// The same with stamps: begin, code of sincos done, loads back, end.
__global__ void stage_stamped(stamps *st, float2 *data, int bits, int half, float sign,
                              uint32_t *out)
{
    uint32_t t0 = now32();
    const int n = 1 << bits, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2)
        return;
    float2 *row = data + static_cast<size_t>(blockIdx.y) * n;
    const int k = i % half, at = i / half * 2 * half + k;
    float s, c;
    sincospif(sign * static_cast<float>(k) / static_cast<float>(half), &s, &c);
    KEEP(__float_as_uint(s) ^ __float_as_uint(c), out);
    uint32_t t1 = now32();
    const float2 a = row[at], b = row[at + half];
    KEEP(__float_as_uint(a.x) ^ __float_as_uint(b.x), out);
    uint32_t t2 = now32();
    const float2 turned = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
    row[at] = make_float2(a.x + turned.x, a.y + turned.y);
    row[at + half] = make_float2(a.x - turned.x, a.y - turned.y);
    uint32_t t3 = now32();
    if (threadIdx.x % 32 == 0) {
        stamps *s =
            st + (blockIdx.y * gridDim.x + blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
        s->sm = smid();
        s->gt = gtime();
        s->n = 4;
        s->t[0] = t0;
        s->t[1] = t1;
        s->t[2] = t2;
        s->t[3] = t3;
    }
}
// Straight code, stamped a block.
template <int KB, int TAG>
__global__ void straight(stamps *st, const float *in, uint32_t *out, int rounds)
{
    const uint32_t lane = threadIdx.x % 32;
    float a = in[lane], b = in[lane + 1], c = in[lane + 2], d = in[lane + 3];
    float factor = in[lane + 32], term = in[lane + 64];
    KEEP(__float_as_uint(a + b + c + d + factor + term), out);
    uint32_t t[6];
    int n = 0;
    t[0] = now32();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int u = 0; u < KB * 16; u++)
            asm volatile("fma.rn.f32 %0,%0,%4,%5; fma.rn.f32 %1,%1,%4,%5; fma.rn.f32 "
                         "%2,%2,%4,%5; fma.rn.f32 %3,%3,%4,%5;"
                         : "+f"(a), "+f"(b), "+f"(c), "+f"(d)
                         : "f"(factor), "f"(term));
        if (i == 0)
            t[1] = now32();
    }
    t[2] = now32();
    KEEP(__float_as_uint(a + b + c + d) + TAG, out);
    if (threadIdx.x == 0) {
        stamps *s = st + blockIdx.x;
        n = 3;
        s->sm = smid();
        s->gt = gtime();
        s->n = n;
        for (int i = 0; i < 3; i++)
            s->t[i] = t[i];
    }
}
// Jumps over K instructions, 32 a round, all taken (mask 0) or none.
template <int K>
__global__ void skip(stamps *st, const float *in, uint32_t *out, int rounds, uint32_t mask)
{
    float v = in[threadIdx.x % 32], a = in[40], b = in[41];
    KEEP(__float_as_uint(v + a + b), out);
    uint32_t t[6];
    t[0] = now32();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int u = 0; u < 32; u++) {
            if (mask >> u & 1) {
#pragma unroll
                for (int k = 0; k < K; k++)
                    asm volatile("fma.rn.f32 %0,%0,%1,%2;" : "+f"(v) : "f"(a), "f"(b));
            }
            asm volatile("add.f32 %0,%0,%1;" : "+f"(v) : "f"(a));
        }
        if (i == 0)
            t[1] = now32();
        if (i == 1)
            t[2] = now32();
    }
    t[3] = now32();
    KEEP(__float_as_uint(v), out);
    if (threadIdx.x == 0) {
        stamps *s = st + blockIdx.x;
        s->sm = smid();
        s->gt = gtime();
        s->n = 4;
        for (int i = 0; i < 4; i++)
            s->t[i] = t[i];
    }
}
__constant__ uint32_t table[16384];
// A chain of constant loads STRIDE words apart: N of them, twice.
__global__ void ldc_chain(stamps *st, uint32_t *out, int n, int stride)
{
    uint32_t at = 0;
    uint32_t t[6];
    t[0] = now32();
#pragma unroll 1
    for (int r = 0; r < 2; r++) {
        at = 0;
#pragma unroll 1
        for (int i = 0; i < n; i++)
            at = table[at & 16383] + stride * 1 + at;
        KEEP(at, out);
        t[1 + r] = now32();
    }
    if (threadIdx.x == 0) {
        stamps *s = st + blockIdx.x;
        s->sm = smid();
        s->gt = gtime();
        s->n = 3;
        for (int i = 0; i < 3; i++)
            s->t[i] = t[i];
    }
}
// When warps begin.
__global__ void begins(stamps *st)
{
    uint32_t t = now32();
    if (threadIdx.x % 32 == 0) {
        stamps *s = st + blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
        s->sm = smid();
        s->gt = gtime();
        s->n = 1;
        s->t[0] = t;
    }
}
// Chain over P pages of 2 MB, twice; blocks use the same pages (apart = 0) or lines apart in
// them.
__global__ void pages(stamps *st, const char *a, uint32_t *out, int n, uint64_t stride,
                      uint32_t zero, uint32_t apart)
{
    uint32_t t[6], v = 0;
    t[0] = now32();
#pragma unroll 1
    for (int r = 0; r < 4; r++) {
        const char *p = a + blockIdx.x * apart;
#pragma unroll 1
        for (int i = 0; i < n; i++) {
            v = ldcg(p + (v & zero));
            p += stride;
        }
        KEEP(v, out);
        t[1 + r] = now32();
    }
    if (threadIdx.x == 0) {
        stamps *s = st + blockIdx.x;
        s->sm = smid();
        s->gt = gtime();
        s->n = 5;
        for (int i = 0; i < 5; i++)
            s->t[i] = t[i];
    }
}
// Each block reads BYTES one after the other, blocks DISTANCE apart.
template <bool WRITE>
__global__ void streams(char *area, uint32_t *out, uint64_t distance, uint32_t bytes)
{
    char *p = area + (uint64_t)blockIdx.x * distance + threadIdx.x * 16;
    uint32_t sum = 0;
#pragma unroll 1
    for (uint32_t i = 0; i < bytes; i += blockDim.x * 16 * 4) {
#pragma unroll
        for (int u = 0; u < 4; u++) {
            if (WRITE)
                asm volatile("st.global.cg.v4.u32 [%0],{%1,%1,%1,%1};" ::"l"(
                                 p + i + u * blockDim.x * 16),
                             "r"(i)
                             : "memory");
            else {
                uint4 l;
                asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3},[%4];"
                             : "=r"(l.x), "=r"(l.y), "=r"(l.z), "=r"(l.w)
                             : "l"(p + i + u * blockDim.x * 16)
                             : "memory");
                sum ^= l.x ^ l.y ^ l.z ^ l.w;
            }
        }
    }
    KEEP(sum, out);
}
__global__ void touch(const char *from, uint32_t *out, uint32_t lines)
{
    uint32_t sum = 0;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < lines;
         i += gridDim.x * blockDim.x)
        sum ^= ldcg(from + (uint64_t)i * 128);
    KEEP(sum, out);
}

static void launch_anatomy(const areas &m)
{

    touch<<<132, 256>>>(m.data, m.out, 16 * MB / 128);
    done("touch_16M", 132, 256, 0);
    const int grids[] = {1, 1, 1, 2, 4, 8, 16, 33, 66, 132, 132, 132};
    for (int g : grids) {
        anatomy<<<g, 32>>>(st, m.data, m.data + 8 * MB, m.out, 0, 32768, 128);
        done(NAME("anatomy_g%d_b32", g), g, 32, g);
    }
    for (int g : grids) {
        anatomy<<<g, 256>>>(st, m.data, m.data + 8 * MB, m.out, 0, 32768, 128);
        done(NAME("anatomy_g%d_b256", g), g, 256, g);
    }
    for (int g : {1, 132}) {
        anatomy<<<g, 32>>>(st, m.data, m.data + 8 * MB, m.out, 0, 0, 0);
        done(NAME("anatomy_same_g%d_b32", g), g, 32, g);
    }
    for (int g : {1, 132, 132}) {
        begins<<<g, 256>>>(st);
        done(NAME("begins_g%d_b256", g), g, 256, g * 8);
    }
    for (int g : {1, 132}) {
        begins<<<g, 1024>>>(st);
        done(NAME("begins_g%d_b1024", g), g, 1024, 32 * g);
    }
    for (int g : {264, 1056}) {
        begins<<<g, 128>>>(st);
        done(NAME("begins_g%d_b128", g), g, 128, g * 4);
    }
}

static void launch_short(const areas &m)
{

    touch<<<132, 256>>>(m.data, m.out, 16 * MB / 128);
    done("touch_16M", 132, 256, 0);
    const int grids[] = {1, 1, 1, 2, 9, 18, 36, 66, 132, 132, 264};
    for (int g : grids) {
        vec4<<<g, 128>>>((uint4 *)m.data, (uint4 *)(m.data + 8 * MB), g * 128);
        done(NAME("vec4_g%d", g), g, 128, 0);
    }
    for (int g : grids) {
        add3<<<g, 256>>>((float *)m.data, (float *)(m.data + 4 * MB),
                         (float *)(m.data + 8 * MB), g * 256);
        done(NAME("add3_g%d", g), g, 256, 0);
    }
    const int rows[] = {1, 1, 2, 8, 16, 33, 64, 64};
    for (int g : rows) {
        stage<<<dim3(2, g), 128>>>((float2 *)m.data, 9, 16, -1.0f);
        done(NAME("stage_r%d", g), 2 * g, 128, 0);
    }
    for (int g : rows) {
        stage_stamped<<<dim3(2, g), 128>>>(st, (float2 *)m.data, 9, 16, -1.0f, m.out);
        done(NAME("stagest_r%d", g), 2 * g, 128, g * 8);
    }
}

static void launch_code(const areas &m)
{

    straight<8, 0><<<1, 32>>>(st, m.in, m.out, 1);
    done("code8_g1_first", 1, 32, 1);
    straight<8, 0><<<1, 32>>>(st, m.in, m.out, 1);
    done("code8_g1_second", 1, 32, 1);
    straight<8, 1><<<2, 32>>>(st, m.in, m.out, 1);
    done("code8_g2_first", 2, 32, 2);
    straight<8, 2><<<18, 32>>>(st, m.in, m.out, 1);
    done("code8_g18_first", 18, 32, 18);
    straight<8, 3><<<66, 32>>>(st, m.in, m.out, 1);
    done("code8_g66_first", 66, 32, 66);
    straight<8, 4><<<132, 32>>>(st, m.in, m.out, 1);
    done("code8_g132_first", 132, 32, 132);
    straight<8, 4><<<132, 32>>>(st, m.in, m.out, 1);
    done("code8_g132_second", 132, 32, 132);
    straight<8, 4><<<132, 32>>>(st, m.in, m.out, 2);
    done("code8_g132_third_it2", 132, 32, 132);
    straight<64, 0><<<1, 32>>>(st, m.in, m.out, 2);
    done("code64_g1_first_it2", 1, 32, 1);
    straight<64, 0><<<1, 32>>>(st, m.in, m.out, 2);
    done("code64_g1_second_it2", 1, 32, 1);
    straight<64, 1><<<132, 32>>>(st, m.in, m.out, 2);
    done("code64_g132_first_it2", 132, 32, 132);
    straight<64, 1><<<132, 32>>>(st, m.in, m.out, 2);
    done("code64_g132_second_it2", 132, 32, 132);
    straight<64, 1><<<2, 32>>>(st, m.in, m.out, 2);
    done("code64_g2_third_it2", 2, 32, 2);
    straight<64, 1><<<18, 32>>>(st, m.in, m.out, 2);
    done("code64_g18_third_it2", 18, 32, 18);
    for (uint32_t mask : {0u, 0xffffffffu})
        for (int g : {1, 132}) {
            skip<6><<<g, 32>>>(st, m.in, m.out, 4, mask);
            done(NAME("skip6_m%d_g%d", mask != 0, g), g, 32, g);
            skip<14><<<g, 32>>>(st, m.in, m.out, 4, mask);
            done(NAME("skip14_m%d_g%d", mask != 0, g), g, 32, g);
            skip<30><<<g, 32>>>(st, m.in, m.out, 4, mask);
            done(NAME("skip30_m%d_g%d", mask != 0, g), g, 32, g);
            skip<62><<<g, 32>>>(st, m.in, m.out, 4, mask);
            done(NAME("skip62_m%d_g%d", mask != 0, g), g, 32, g);
            skip<126><<<g, 32>>>(st, m.in, m.out, 4, mask);
            done(NAME("skip126_m%d_g%d", mask != 0, g), g, 32, g);
        }
    for (int s : {1, 16, 64, 256})
        for (int g : {1, 132}) {
            ldc_chain<<<g, 32>>>(st, m.out, 32, s);
            done(NAME("ldc_s%d_g%d", s * 4, g), g, 32, g);
        }
    ldc_chain<<<132, 32>>>(st, m.out, 32, 16);
    done("ldc_s64_g132_again", 132, 32, 132);
}

static void launch_dram(const areas &m)
{

    int k = 0;
    for (int e = 5; e <= 20; e++) { // 32 B to 1 MB
        strided<false><<<132, 256>>>(m.big + 4096 * 37 * ++k, m.out, 1ull << e, 1);
        done(NAME("dstride_%d", 1 << e), 132, 256, 0);
    }
    for (int e = 8; e <= 18; e += 2) {
        strided<false><<<132, 256>>>(m.big + 4096 * 37 * ++k + 128, m.out, (1ull << e) * 3, 1);
        done(NAME("dstride_%d", (1 << e) * 3), 132, 256, 0);
    }
    for (int e = 7; e <= 19; e += 2) {
        strided<true><<<132, 256>>>(m.big + 4096 * 37 * ++k + 256, m.out, 1ull << e, 1);
        done(NAME("dwstride_%d", 1 << e), 132, 256, 0);
    }
    for (int e = 15; e <= 27; e++) {
        streams<false><<<132, 256>>>(m.big + 4096 * 37 * ++k, m.out, 1ull << e, 32768);
        done(NAME("dstreams_%d", 1 << e), 132, 256, 0);
    }
    streams<false><<<132, 256>>>(m.big + 4096 * 37 * ++k, m.out, 3 << 16, 32768);
    done(NAME("dstreams_%d", 3 << 16), 132, 256, 0);
    streams<false><<<132, 256>>>(m.big + 4096 * 37 * ++k, m.out, 5 << 18, 32768);
    done(NAME("dstreams_%d", 5 << 18), 132, 256, 0);
    for (int e = 15; e <= 25; e += 2) {
        streams<true><<<132, 256>>>(m.big + 4096 * 37 * ++k, m.out, 1ull << e, 32768);
        done(NAME("dwstreams_%d", 1 << e), 132, 256, 0);
    }
}

static void launch_pages(const areas &m)
{

    for (int g : {1, 132})
        for (int n : {4, 16, 64}) {
            pages<<<g, 32>>>(st, m.big + 8192, m.out, n, 2 * MB + 128, 0, 0);
            done(NAME("pages_n%d_g%d", n, g), g, 32, g);
        }
    pages<<<132, 32>>>(st, m.big + 16384, m.out, 16, 2 * MB + 128, 0, 4096);
    done("pages_n16_g132_apart", 132, 32, 132);
    pages<<<132, 32>>>(st, m.big + 8192, m.out, 16, 2 * MB + 128, 0, 0);
    done("pages_n16_g132_again", 132, 32, 132);
    pages<<<1, 32>>>(st, m.big + 8192, m.out, 16, 2 * MB + 128, 0, 0);
    done("pages_n16_g1_again", 1, 32, 1);
    pages<<<1, 32>>>(st, m.data + 8192, m.out, 16, 4096, 0, 0);
    done("lines_n16_g1", 1, 32, 1);
    pages<<<1, 32>>>(st, m.big + 8192, m.out, 512, 2 * MB + 128, 0, 0);
    done("pages_n512_g1", 1, 32, 1);
    pages<<<1, 32>>>(st, m.big + 8192, m.out, 512, 2 * MB + 128, 0, 0);
    done("pages_n512_g1_again", 1, 32, 1);
    pages<<<1, 32>>>(st, m.big + 8192, m.out, 4096, 2 * MB + 128, 0, 0);
    done("pages_n4096_g1", 1, 32, 1);
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
    launch_anatomy(m);
    launch_short(m);
    launch_code(m);
    launch_dram(m);
    launch_pages(m);
    if (raw != nullptr)
        fclose(raw);
    return 0;
}
