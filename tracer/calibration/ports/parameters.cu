// Launches one after another whose parameters L2 has, or has lost. README.md says what for.
// usage: parameters [SET,... [STAMPS.csv]]
#include "records.cuh"

static char *area;    // 1 GB
static float *values; // 16 MB
static uint32_t *out;

template <int N> struct many {
    uint32_t w[N];
};

// What each warp writes.
__device__ __forceinline__ void record(stamps *st, uint64_t g, uint32_t t0, uint32_t t1)
{
    if (threadIdx.x % 32 == 0) {
        stamps *s = st + (blockIdx.x * blockDim.x + threadIdx.x) / 32;
        s->sm = smid();
        s->n = 2;
        s->gt = g;
        s->t[0] = t0;
        s->t[1] = t1;
    }
}
// Nothing but stamps, and the first instruction that waits for parameters.
__global__ void ring(stamps *st, uint32_t a)
{
    const uint64_t g = gtime();
    const uint32_t t0 = now32();
    uint32_t v = a + threadIdx.x;
    asm volatile("" ::"r"(v));
    record(st, g, t0, now32());
}
__global__ void ring2(stamps *st, uint32_t a)
{
    const uint64_t g = gtime();
    const uint32_t t0 = now32();
    uint32_t v = a * 3 + threadIdx.x;
    asm volatile("" ::"r"(v));
    record(st, g, t0, now32());
}
// Reads the last of 12 + 4 N bytes of parameters.
template <int N>
__global__ void ringN(stamps *st, const __grid_constant__ many<N> p, uint32_t a)
{
    const uint64_t g = gtime();
    const uint32_t t0 = now32();
    uint32_t v = a + p.w[N - 1] + threadIdx.x;
    asm volatile("" ::"r"(v));
    record(st, g, t0, now32());
}
// Reads the first of as many.
template <int N>
__global__ void first(stamps *st, uint32_t a, const __grid_constant__ many<N> p)
{
    const uint64_t g = gtime();
    const uint32_t t0 = now32();
    uint32_t v = a + threadIdx.x;
    asm volatile("" ::"r"(v));
    record(st, g, t0, now32());
}
// One parameter, no store.
__global__ void bare(uint32_t a)
{
    if (a == 77)
        asm volatile("trap;");
}
// No parameter.
__global__ void none()
{
    asm volatile("nanosleep.u32 0;");
}
__global__ void nothing()
{
}
__global__ void put(char *to, uint64_t count, uint64_t step)
{
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x)
        *(volatile uint32_t *)(to + i * step) = i;
}
__global__ void add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

static void launch_ring(const char *about, int g, int i)
{
    ring<<<g, 256>>>(st, i);
    done(about, g, 256, g * 8);
}

static void launch_ring2(const char *about, int i)
{
    ring2<<<132, 256>>>(st, i);
    done(about, 132, 256, 1056);
}

template <int N> static void launch_last(const char *about, int i)
{
    const many<N> p = {};
    ringN<N><<<132, 256>>>(st, p, i);
    done(about, 132, 256, 1056);
}

static void launch_bare(const char *about, int g, int block, int i)
{
    bare<<<g, block>>>(i);
    done(about, g, block, 0);
}

static void launch_none(const char *about, int g, int block)
{
    none<<<g, block>>>();
    done(about, g, block, 0);
}

static void launch_add(const char *about)
{
    add<<<132, 256>>>(values, values + 1048576, values + 2097152, 33792);
    done(about, 132, 256, 0);
}

// All SMs read so many MB.
static void read_mb(const char *about, int mb)
{
    touch<<<132, 256>>>(area, out, mb * MB / 32, 32);
    done(about, 132, 256, 0);
}

// A program that has just begun, and runs one kernel after another.
static void launch_fresh()
{
    for (int i = 0; i < 40; i++)
        launch_ring("fresh", 132, i);
    for (int i = 0; i < 6; i++)
        launch_ring2("other", i);
    for (int i = 0; i < 12; i++)
        if (i % 2)
            launch_ring("turns_ring", 132, i);
        else
            launch_ring2("turns_ring2", i);
    for (int i = 0; i < 6; i++)
        launch_ring("one", 1, i);
    for (int i = 0; i < 6; i++)
        launch_ring("after_one", 132, i);
    for (int i = 0; i < 12; i++)
        launch_last<64>("par64", i);
    for (int i = 0; i < 12; i++)
        launch_last<256>("par256", i);
    for (int i = 0; i < 12; i++)
        launch_last<900>("par900", i);
    for (int i = 0; i < 6; i++)
        launch_bare("bare", 132, 256, i);
    for (int i = 0; i < 6; i++)
        launch_none("none", 132, 256);
    for (int i = 0; i < 6; i++)
        launch_bare("bare1", 1, 32, i);
    for (int i = 0; i < 6; i++)
        launch_none("none1", 1, 32);
}

// One kernel after 8 to 512 MB were read, or 64 MB written.
static void launch_evicted()
{
    for (int mb : {8, 24, 40, 64, 128, 512}) {
        read_mb(NAME("read_%d", mb), mb);
        for (int i = 0; i < 20; i++)
            launch_ring(NAME("after_read_%d", mb), 132, i);
    }
    put<<<132, 256>>>(area, 64 * MB / 32, 32);
    done("write_64", 132, 256, 0);
    for (int i = 0; i < 20; i++)
        launch_ring("after_write_64", 132, i);
}

// Several kernels after 64 MB were read.
static void launch_kernels()
{
    read_mb("read_64", 64);
    for (int i = 0; i < 20; i++)
        launch_ring("after_read_64_one", 1, i);
    read_mb("read_64", 64);
    for (int i = 0; i < 12; i++)
        launch_bare("bare_after_read_64", 132, 256, i);
    read_mb("read_64", 64);
    for (int i = 0; i < 12; i++)
        launch_none("none_after_read_64", 132, 256);
    read_mb("read_64", 64);
    for (int i = 0; i < 20; i++)
        launch_add("add_after_read_64");
    read_mb("read_64", 64);
    for (int i = 0; i < 10; i++) {
        launch_add("alt_add_64");
        launch_ring("alt_ring_64", 132, i);
    }
    read_mb("read_64", 64);
    for (int i = 0; i < 20; i++)
        launch_last<900>("par900_after", i);
}

// Copies from the host between launches.
static void launch_copies()
{
    char *host_memory;
    CUDA(cudaMallocHost(&host_memory, 8 * MB));
    read_mb("read_64", 64);
    for (int i = 0; i < 12; i++) {
        CUDA(cudaMemcpy(values, host_memory, 4 * MB, cudaMemcpyHostToDevice));
        launch_ring("with_copies", 132, i);
    }
}

// 12 + 4 N bytes of parameters, of which the last or the first are read.
template <int N> static void launch_size()
{
    const many<N> p = {};
    ringN<N><<<132, 256>>>(st, p, 1);
    done(NAME("last_%d_first", N), 132, 256, 0);
    first<N><<<132, 256>>>(st, 1, p);
    done(NAME("begin_%d_first", N), 132, 256, 0);
    read_mb("evict", 64);
    for (int i = 0; i < 10; i++)
        launch_last<N>(NAME("last_%d", N), i);
    read_mb("evict", 64);
    for (int i = 0; i < 10; i++) {
        first<N><<<132, 256>>>(st, i, p);
        done(NAME("begin_%d", N), 132, 256, 1056);
    }
}

template <int... N> static void launch_all_sizes()
{
    const int each[] = {(launch_size<N>(), 0)...};
    (void)each;
}

static void launch_sizes()
{
    launch_all_sizes<1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 48, 64>();
    nothing<<<132, 256>>>();
    done("nothing", 132, 256, 0);
    read_mb("evict", 64);
    for (int i = 0; i < 10; i++) {
        nothing<<<132, 256>>>();
        done("nothing", 132, 256, 0);
    }
    for (int i = 0; i < 4; i++) {
        nothing<<<1, 32>>>();
        done("nothing1", 1, 32, 0);
    }
    // Launches that themselves read 8 MB each: how long do parameters stay?
    for (int i = 0; i < 24; i++) {
        touch<<<132, 256>>>(area + (i % 8) * 16 * MB, out, 8 * MB / 32, 32);
        done("moving", 132, 256, 0);
        launch_ring("between", 132, i);
    }
}

int main(int argc, char **argv)
{
    const char *sets = argc > 1 ? argv[1] : nullptr;
    CUDA(cudaMalloc(&area, 1024 * MB));
    CUDA(cudaMalloc(&out, 4));
    CUDA(cudaMalloc(&values, 16 * MB));
    CUDA(cudaMemset(area, 0, 1024 * MB));
    CUDA(cudaMemset(values, 0, 16 * MB));
    prepare(argc - 1, argv + 1);
    if (want(sets, "fresh"))
        launch_fresh();
    if (want(sets, "evict")) {
        launch_evicted();
        launch_kernels();
        launch_copies();
    }
    if (want(sets, "sizes"))
        launch_sizes();
    if (raw != nullptr)
        fclose(raw);
    return 0;
}
