// Stores and loads past L1 by number of SMs, streams of DRAM, short launches that read DRAM.
// README.md says what for. usage: ports [SET,... [STAMPS.csv]]
#include "records.cuh"

static char *area; // 12 GB
static uint32_t *out;
static const uint64_t AREA = 12288 * MB;

// A warp reads a whole line, then one APART bytes further; stamps before, between and after.
__global__ void __launch_bounds__(256, 8)
    two(stamps *st, const char *b, uint32_t *out, uint32_t zero, uint32_t apart)
{
    const uint32_t t = (blockIdx.x * 256 + threadIdx.x) * 4;
    const uint64_t g = gtime();
    const uint32_t t0 = now32();
    uint32_t v = ldcg(b + t);
    KEEP(v, out);
    const uint32_t t1 = now32();
    uint32_t w = ldcg(b + t + apart + (v & zero));
    KEEP(w, out);
    const uint32_t t2 = now32();
    if (threadIdx.x % 32 == 0) {
        stamps *s = st + t / 128;
        s->sm = smid();
        s->n = 3;
        s->gt = g;
        s->t[0] = t0;
        s->t[1] = t1;
        s->t[2] = t2;
    }
}
// The same without stamps.
__global__ void __launch_bounds__(256, 8)
    plain(const char *b, uint32_t *out, uint32_t zero, uint32_t apart)
{
    const uint32_t t = (blockIdx.x * 256 + threadIdx.x) * 4;
    uint32_t v = ldcg(b + t);
    KEEP(v, out);
    uint32_t w = ldcg(b + t + apart + (v & zero));
    KEEP(w, out);
}
// One load a thread, STEP bytes apart.
__global__ void __launch_bounds__(256, 8)
    once(stamps *st, const char *b, uint32_t *out, uint32_t step)
{
    const uint32_t t = blockIdx.x * 256 + threadIdx.x;
    const uint64_t g = gtime();
    const uint32_t t0 = now32();
    uint32_t v = ldcg(b + (size_t)t * step);
    KEEP(v, out);
    const uint32_t t1 = now32();
    if (threadIdx.x % 32 == 0) {
        stamps *s = st + t / 32;
        s->sm = smid();
        s->n = 2;
        s->gt = g;
        s->t[0] = t0;
        s->t[1] = t1;
    }
}
enum mode { READ, WRITE, COPY, IN_PLACE };

// Streams of 16 bytes a thread, four at a time.
template <int MODE> __global__ void bw(uint4 *a, uint4 *b, uint32_t *out, uint64_t count)
{
    const uint64_t all = (uint64_t)gridDim.x * blockDim.x;
    uint32_t sum = 0;
#pragma unroll 1
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += 4 * all) {
        uint4 v[4];
#pragma unroll
        for (int u = 0; u < 4; u++) {
            if (MODE == WRITE)
                v[u] = make_uint4(1, 2, 3, (uint32_t)i);
            else
                asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3},[%4];"
                             : "=r"(v[u].x), "=r"(v[u].y), "=r"(v[u].z), "=r"(v[u].w)
                             : "l"(a + i + u * all)
                             : "memory");
        }
#pragma unroll
        for (int u = 0; u < 4; u++) {
            if (MODE == READ)
                sum ^= v[u].x ^ v[u].y ^ v[u].z ^ v[u].w;
            else
                asm volatile("st.global.v4.u32 [%0],{%1,%2,%3,%4};" ::"l"(
                                 (MODE == COPY ? b : a) + i + u * all),
                             "r"(v[u].x + 1), "r"(v[u].y), "r"(v[u].z), "r"(v[u].w)
                             : "memory");
        }
    }
    if (MODE == READ)
        KEEP(sum, out);
}
// Whole sectors (8 lanes of 4 bytes each) that lie STEP bytes apart.
template <bool WRITES>
__global__ void sparse(char *a, uint32_t *out, uint32_t sectors, uint64_t step)
{
    const uint32_t all = gridDim.x * blockDim.x / 8;
    uint32_t sum = 0;
#pragma unroll 4
    for (uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) / 8; i < sectors; i += all) {
        char *p = a + i * step + threadIdx.x % 8 * 4;
        if (WRITES)
            *(volatile uint32_t *)p = i;
        else
            sum ^= ldcg(p);
    }
    if (!WRITES)
        KEEP(sum, out);
}
// Each warp stores BYTES a lane, lanes STEP apart, TIMES times, within SPAN bytes of its own;
// then a fence.
template <int BYTES>
__global__ void rate_st(stamps *st, char *a, uint32_t step, uint32_t times, uint32_t span)
{
    const uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    char *base = a + (size_t)warp * span + lane * step;
    __syncthreads();
    const uint32_t t0 = now32();
#pragma unroll 4
    for (uint32_t i = 0; i < times; i++) {
        char *p = base + (i * 32 * step & (span - 1));
        if (BYTES == 4)
            asm volatile("st.global.u32 [%0],%1;" ::"l"(p), "r"(i) : "memory");
        if (BYTES == 8)
            asm volatile("st.global.v2.u32 [%0],{%1,%1};" ::"l"(p), "r"(i) : "memory");
        if (BYTES == 16)
            asm volatile("st.global.v4.u32 [%0],{%1,%1,%1,%1};" ::"l"(p), "r"(i) : "memory");
    }
    const uint32_t t1 = now32();
    __threadfence();
    const uint32_t t2 = now32();
    if (lane == 0) {
        stamps *s = st + warp;
        s->sm = smid();
        s->n = 3;
        s->t[0] = t0;
        s->t[1] = t1;
        s->t[2] = t2;
    }
}
// The same with loads past L1, four at a time.
template <int BYTES>
__global__ void rate_ld(stamps *st, const char *a, uint32_t *out, uint32_t step, uint32_t times,
                        uint32_t span)
{
    const uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const char *base = a + (size_t)warp * span + lane * step;
    uint32_t sum = 0;
    __syncthreads();
    const uint32_t t0 = now32();
#pragma unroll 4
    for (uint32_t i = 0; i < times; i++) {
        const char *p = base + (i * 32 * step & (span - 1));
        uint32_t x, y = 0;
        if (BYTES == 4)
            asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(x) : "l"(p) : "memory");
        if (BYTES == 8)
            asm volatile("ld.global.cg.v2.u32 {%0,%1},[%2];"
                         : "=r"(x), "=r"(y)
                         : "l"(p)
                         : "memory");
        sum += x ^ y;
    }
    KEEP(sum, out);
    const uint32_t t1 = now32();
    if (lane == 0) {
        stamps *s = st + warp;
        s->sm = smid();
        s->n = 2;
        s->t[0] = t0;
        s->t[1] = t1;
    }
}

template <int BYTES> static void launch_store(int g, int warps, int step)
{
    rate_st<BYTES><<<g, 32 * warps>>>(st, area, step, 64, 8192);
    done(NAME("st%d_s%d_g%d_w%d", BYTES, step, g, warps), g, 32 * warps, g * warps);
}

static void launch_load(int g, int warps, int step)
{
    rate_ld<4><<<g, 32 * warps>>>(st, area, out, step, 64, 4096);
    done(NAME("ld4_s%d_g%d_w%d", step, g, warps), g, 32 * warps, g * warps);
}

static void launch_rates()
{
    touch<<<132, 256>>>(area, out, 16 * MB / 32, 32);
    done("touch_16M", 132, 256, 0);
    for (int g : {1, 2, 8, 132})
        for (int warps : {1, 8}) {
            for (int step : {4, 8, 16, 32, 64, 128})
                launch_store<4>(g, warps, step);
            for (int step : {8, 16, 32})
                launch_store<8>(g, warps, step);
            launch_store<16>(g, warps, 16);
        }
    for (int g : {1, 2, 8, 132})
        for (int warps : {4, 16})
            for (int step : {4, 8, 16, 32, 64, 128})
                launch_load(g, warps, step);
    for (int g : {16, 18, 66})
        for (int step : {4, 32, 128}) {
            launch_store<4>(g, 8, step);
            launch_load(g, 16, step);
        }
}

template <int MODE>
static void launch_stream(const char *about, char *from, char *to, uint64_t bytes)
{
    bw<MODE><<<1056, 256>>>((uint4 *)from, (uint4 *)to, out, bytes / 16);
    done(NAME("bw_%s_%dM", about, (int)(bytes / MB)), 1056, 256, 0);
}

static void launch_sparse(char *&next, uint32_t sectors, int step, bool writes)
{
    if (next + (uint64_t)sectors * step > area + AREA)
        next = area;
    if (writes)
        sparse<true><<<528, 256>>>(next, out, sectors, step);
    else
        sparse<false><<<528, 256>>>(next, out, sectors, step);
    done(NAME("sparse_%s_%d", writes ? "write" : "read", step), 528, 256, 0);
    next += (uint64_t)sectors * step;
}

static void launch_streams()
{
    char *next = area;
    for (uint64_t bytes = 4 * MB; bytes <= 512 * MB; bytes *= 2) {
        launch_stream<READ>("read", next, nullptr, bytes);
        launch_stream<WRITE>("write", next + bytes, nullptr, bytes);
        launch_stream<COPY>("copy", next + 2 * bytes, next + 3 * bytes, bytes);
        launch_stream<IN_PLACE>("inplace", next + 4 * bytes, nullptr, bytes);
        next += 5 * bytes;
        if (next + 5 * 2 * bytes > area + AREA)
            next = area;
    }
    next = area;
    for (int step : {32, 64, 128, 256, 512, 1024})
        for (bool writes : {true, false})
            launch_sparse(next, 2 << 20, step, writes);
}

static void write_64(char *to, const char *about)
{
    bw<WRITE><<<1056, 256>>>((uint4 *)to, nullptr, out, 64 * MB / 16);
    done(about, 1056, 256, 0);
}

// Brings near the pages of 32 MB: the last line of each 2 MB.
static void know_pages(const char *from, const char *about)
{
    touch<<<1, 32>>>(from + 2 * MB - 128, out, 16, 2 * MB);
    done(about, 1, 32, 0);
}

static void launch_two(const char *from, const char *about, int g)
{
    two<<<g, 256>>>(st, from, out, 0, 2 * MB);
    done(about, g, 256, g * 8);
}

// Two loads of each warp: memory that no launch has read since PREVIOUS (see launch_short).
static void launch_twos(const char *from, int previous, int known)
{
    if (known)
        know_pages(from, NAME("pages_d%d", previous));
    for (int g : {1, 8, 33, 132, 264, 528, 1056}) {
        launch_two(from, NAME("two_d%d_k%d_g%d", previous, known, g), g);
        if (g == 132)
            launch_two(from, NAME("two_d%d_k%d_g%d_again", previous, known, g), g);
        from += 4 * MB;
    }
}

static void launch_onces(const char *from, int previous, int g)
{
    know_pages(from, "pages");
    for (int step : {32, 64, 128, 256}) {
        once<<<g, 256>>>(st, from, out, step);
        done(NAME("once_d%d_g%d_s%d", previous, g, step), g, 256, g * 8);
        from += 8 * MB;
    }
}

// What lies in L2 at first: what was left, 64 MB read, 64 MB written.
static void launch_short()
{
    char *next = area;
    for (int previous = 0; previous < 3; previous++) {
        if (previous == 1) {
            touch<<<132, 256>>>(next, out, 64 * MB / 32, 32);
            done("evict_read", 132, 256, 0);
        }
        if (previous == 2)
            write_64(next, "evict_write");
        next += 64 * MB;
        for (int known = 0; known < 2; known++, next += 32 * MB)
            launch_twos(next, previous, known);
        for (int g : {1, 8, 33, 132}) {
            launch_onces(next, previous, g);
            next += 32 * MB;
        }
    }
    for (int again = 0; again < 2; again++) {
        write_64(next, "occ_write");
        next += 64 * MB;
        touch<<<132, 256>>>(next, out, 65536, 128);
        done("occ_touch", 132, 256, 0);
        for (int g : {132, 264, 528, 1056})
            launch_two(next, NAME("occ_g%d", g), g);
        next += 32 * MB;
    }
    for (int g : {132, 264, 528, 1056}) {
        for (const char *about : {"plain", "plain_again"}) {
            plain<<<g, 256>>>(next, out, 0, 2 * MB);
            done(NAME("%s_g%d", about, g), g, 256, 0);
        }
        next += 8 * MB;
    }
}

int main(int argc, char **argv)
{
    const char *sets = argc > 1 ? argv[1] : nullptr;
    CUDA(cudaMalloc(&area, AREA));
    CUDA(cudaMalloc(&out, 4));
    CUDA(cudaMemset(area, 0, AREA));
    prepare(argc - 1, argv + 1);
    if (want(sets, "short"))
        launch_short();
    if (want(sets, "rates"))
        launch_rates();
    if (want(sets, "streams"))
        launch_streams();
    if (raw != nullptr)
        fclose(raw);
    return 0;
}
