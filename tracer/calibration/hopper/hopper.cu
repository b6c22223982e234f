// Launches that isolate one mechanism of Hopper each (sm_90a): products of warp groups, copies
// of tensors, barriers in shared memory, shared memory of other blocks, clusters, matrices to
// and from shared memory. See README.md.
//
// Prints a row for each launch as soon as it is done:
//   launch,label,mechanism,parameters,work,grid,block,clock_cycles
// and after it lines of its parts (a launch times several loops one after the other):
//   part,<launch>,<label>,<part>,<most cycles of a block>,<fewest>
// then `sm,` and `gpc,` lines: where blocks of clusters were. Nothing waits without a limit.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include "../../examples/check.h"
#include "barriers.cuh"
#include "clusters.cuh"
#include "copies.cuh"
#include "matrices.cuh"
#include "products.cuh"

// Which SMs have the blocks of a cluster.
__global__ void where(place, uint64_t *notes)
{
    if (threadIdx.x == 0) {
        notes[blockIdx.x] = special_smid();
        __nanosleep(20000); // so that other blocks go to other SMs
    }
}

// The host's part.

static uint64_t *clocks, *notes; // of each launch; of those of the last sections
static int *fails;
static char *area, *written;
static int launches;
enum { NOTES = 4096 };

static place next_place()
{
    if (launches >= LAUNCHES) {
        fprintf(stderr, "hopper: more than %d launches\n", LAUNCHES);
        exit(1);
    }
    place p;
    p.clock = clocks + (size_t)launches * BLOCKS * PARTS;
    p.fail = fails + launches;
    return p;
}

// Whether the last launch worked. An error of the device ends the program.
static bool worked(cudaError_t status, const char *label)
{
    if (status == cudaSuccess)
        status = cudaGetLastError();
    if (status != cudaSuccess)
        fprintf(stderr, "hopper: %s: launch: %s\n", label, cudaGetErrorName(status));
    cudaGetLastError();
    const cudaError_t after = cudaDeviceSynchronize();
    if (after != cudaSuccess) {
        fprintf(stderr, "hopper: %s: %s\n", label, cudaGetErrorName(after));
        fflush(stdout);
        exit(1);
    }
    return status == cudaSuccess;
}

template <typename... P, typename... A>
static cudaError_t start(void (*kernel)(P...), int cluster, int grid, int block, size_t shared,
                         A... arguments)
{
    const void *f = (const void *)kernel;
    cudaError_t status = cudaSuccess;
    if (shared > 48 << 10)
        status =
            cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
    if (status == cudaSuccess && cluster > 8)
        status = cudaFuncSetAttribute(f, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (status != cudaSuccess)
        return status;
    cudaLaunchAttribute attributes[1];
    memset(attributes, 0, sizeof attributes);
    cudaLaunchConfig_t config;
    memset(&config, 0, sizeof config);
    config.gridDim = dim3(grid);
    config.blockDim = dim3(block);
    config.dynamicSmemBytes = shared;
    config.attrs = attributes;
    if (cluster > 0) {
        attributes[config.numAttrs].id = cudaLaunchAttributeClusterDimension;
        attributes[config.numAttrs].val.clusterDim.x = cluster;
        attributes[config.numAttrs].val.clusterDim.y = 1;
        attributes[config.numAttrs].val.clusterDim.z = 1;
        config.numAttrs++;
    }
    return cudaLaunchKernelEx(&config, kernel, P(arguments)...);
}

static std::string label_of(const char *about)
{
    const char *comma = strchr(about, ',');
    return std::string(about, comma ? comma - about : strlen(about));
}

static void print_row(const char *about, double work, int grid, int block, int cluster, bool ok)
{
    const std::string label = label_of(about);
    const int launch = launches + 1;
    std::vector<uint64_t> c((size_t)BLOCKS * PARTS);
    int fail = 0;
    const place p = next_place();
    CUDA(cudaMemcpy(c.data(), p.clock, c.size() * sizeof c[0], cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(&fail, p.fail, sizeof fail, cudaMemcpyDeviceToHost));
    uint64_t most[PARTS] = {0}, fewest[PARTS] = {0};
    for (int b = 0; b < BLOCKS; b++)
        for (int k = 0; k < PARTS; k++) {
            const uint64_t v = c[b * PARTS + k];
            if (v == 0)
                continue;
            most[k] = v > most[k] ? v : most[k];
            fewest[k] = fewest[k] == 0 || v < fewest[k] ? v : fewest[k];
        }
    std::string total = most[TOTAL] != 0 ? std::to_string(most[TOTAL]) : "";
    if (!ok || fail)
        total = "failed";
    if (fail)
        fprintf(stderr, "hopper: %s: a wait for a barrier took too long\n", label.c_str());
    printf("%d,%s,%.0f,%dx1x1,%dx1x1,%s\n", launch, about, work, grid, block, total.c_str());
    for (int k = 0; k < SMID && ok; k++)
        if (most[k] != 0)
            printf("part,%d,%s,%d,%llu,%llu\n", launch, label.c_str(), k,
                   (unsigned long long)most[k], (unsigned long long)fewest[k]);
    for (int b = 0; b < grid && b < 16 && cluster > 1 && grid <= 16; b++)
        if (c[b * PARTS + SMID] != 0)
            printf("sm,%d,%d,%llu\n", launch, b, (unsigned long long)c[b * PARTS + SMID] - 1);
    fflush(stdout);
    launches++;
}

// Runs KERNEL as the next launch. ABOUT: label, mechanism and parameters; WORK: units of work.
template <typename... P, typename... A>
static void run(const char *about, double work, int cluster, int grid, int block, size_t shared,
                void (*kernel)(P...), A... arguments)
{
    const cudaError_t status =
        start(kernel, cluster, grid, block, shared, next_place(), arguments...);
    print_row(about, work, grid, block, cluster, worked(status, label_of(about).c_str()));
}

static void run_products()
{
    const int L = 4; // x 8: 32, 32 and 64 products
#define PRODUCTS(label, type, n, from, chains, wait, groups, rounds)                           \
    run(label ",wgmma,n=" #n ";type=" #type ";a=" #from ";chains=" #chains ";wait=" #wait      \
              ";groups=" #groups ";steps=8*" #rounds,                                          \
        32.0 * rounds * groups, 0, 1, 128 * groups, 0,                                         \
        products<n, type_##type, from, chains, wait, groups>, rounds, 0u)
    const bool shared = false, registers = true, no = false, each = true;
    PRODUCTS("wgmma_f16_n8", f16, 8, shared, 1, no, 1, L);
    PRODUCTS("wgmma_f16_n64", f16, 64, shared, 1, no, 1, L);
    PRODUCTS("wgmma_f16_n128", f16, 128, shared, 1, no, 1, L);
    PRODUCTS("wgmma_f16_n256", f16, 256, shared, 1, no, 1, L);
    PRODUCTS("wgmma_f16_n8_wait", f16, 8, shared, 1, each, 1, 2);
    PRODUCTS("wgmma_f16_n64_wait", f16, 64, shared, 1, each, 1, 2);
    PRODUCTS("wgmma_f16_n256_wait", f16, 256, shared, 1, each, 1, 2);
    PRODUCTS("wgmma_f16_n8_rs", f16, 8, registers, 1, no, 1, L);
    PRODUCTS("wgmma_f16_n64_rs", f16, 64, registers, 1, no, 1, L);
    PRODUCTS("wgmma_f16_n256_rs", f16, 256, registers, 1, no, 1, L);
    PRODUCTS("wgmma_bf16_n128", bf16, 128, shared, 1, no, 1, L);
    PRODUCTS("wgmma_e4m3_n64", e4m3, 64, shared, 1, no, 1, L);
    PRODUCTS("wgmma_e4m3_n256", e4m3, 256, shared, 1, no, 1, L);
    PRODUCTS("wgmma_f16_n64_c2", f16, 64, shared, 2, no, 1, L);
    PRODUCTS("wgmma_f16_n8_g4", f16, 8, shared, 1, no, 4, L);
    PRODUCTS("wgmma_f16_n128_g2", f16, 128, shared, 1, no, 2, L);
    PRODUCTS("wgmma_f16_n128_g3", f16, 128, shared, 1, no, 3, L);
    PRODUCTS("wgmma_f16_n128_g4", f16, 128, shared, 1, no, 4, L);
    run("wgmma_issue_n256,wgmma_issue,n=256;type=f16;a=shared;steps=16", 32, 0, 1, 128, 0,
        products_issue<256>, 0u);
}

// Of 2D boxes: 64 halves of ROWS rows.
static CUtensorMap tensor_map(char *base, int rows, CUtensorMapSwizzle swizzle)
{
    typedef CUresult (*encode_t)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                                 const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                                 const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                                 CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    static encode_t encode;
    if (encode == NULL) {
        void *found = NULL;
        cudaDriverEntryPointQueryResult result;
        CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000,
                                              cudaEnableDefault, &result));
        if (found == NULL || result != cudaDriverEntryPointSuccess) {
            fprintf(stderr, "hopper: the driver has no cuTensorMapEncodeTiled\n");
            exit(1);
        }
        encode = (encode_t)found;
    }
    CUtensorMap map;
    const cuuint64_t sizes[2] = {1024, ROWS}, strides[1] = {2048};
    const cuuint32_t box[2] = {64, (cuuint32_t)rows}, steps[2] = {1, 1};
    const CUresult status =
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, base, sizes, strides, box, steps,
               CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (status != CUDA_SUCCESS) {
        fprintf(stderr, "hopper: cuTensorMapEncodeTiled: %d\n", (int)status);
        exit(1);
    }
    return map;
}

struct copy_step {
    int bytes, depth, rounds, way;
};

static plan plan_of(std::vector<copy_step> steps)
{
    plan todo;
    memset(&todo, 0, sizeof todo);
    for (const copy_step &s : steps) {
        if (todo.parts == sizeof todo.part / sizeof todo.part[0])
            abort();
        auto &part = todo.part[todo.parts++];
        part.bytes = s.bytes;
        part.depth = s.depth;
        part.rounds = s.rounds;
        part.way = s.way;
    }
    return todo;
}

// One copy first; then DEPTHS of them, ROUNDS times.
static plan depths(int bytes, int rounds)
{
    return plan_of({{bytes, 1, 1, 0},
                    {bytes, 1, rounds, 0},
                    {bytes, 1, 2 * rounds, 0},
                    {bytes, 2, rounds, 0},
                    {bytes, 4, rounds, 0},
                    {bytes, 8, rounds, 0}});
}

static void run_copies()
{
    const CUtensorMapSwizzle s128 = CU_TENSOR_MAP_SWIZZLE_128B, s0 = CU_TENSOR_MAP_SWIZZLE_NONE;
    const CUtensorMap box64 = tensor_map(area, 64, s128),
                      box64_plain = tensor_map(area, 64, s0), box8 = tensor_map(area, 8, s128),
                      box1 = tensor_map(area, 1, s128), box256 = tensor_map(area, 256, s128),
                      to64 = tensor_map(written, 64, s128);
    const size_t K = 1024;
    const char *from = area;
    run("warm_16M,warm,bytes=16777216", AREA, 0, 132, 256, 0, warm, from, AREA);
    run("warm_written,warm,bytes=1048576", 1 << 20, 0, 132, 64, 0, warm, (const char *)written,
        1u << 20);
    run("bulk_sizes,tma_bulk,parts=1K:1/128:16/1K:16/4K:16/16K:16/1K:32/16K:32;depth=1", 129, 0,
        1, 32, 17 * K + 1024, loads<false>, box64, from,
        plan_of({{1024, 1, 1, 0},
                 {128, 1, 16, 0},
                 {1024, 1, 16, 0},
                 {4096, 1, 16, 0},
                 {16384, 1, 16, 0},
                 {1024, 1, 32, 0},
                 {16384, 1, 32, 0}}));
    run("bulk_128_depths,tma_bulk,bytes=128;parts=1:1/1:8/1:16/2:8/4:8/8:8", 145, 0, 1, 32,
        4 * K, loads<false>, box64, from, depths(128, 8));
    run("bulk_16K_depths,tma_bulk,bytes=16384;parts=1:1/1:8/1:16/2:8/4:8/8:8", 145, 0, 1, 32,
        130 * K, loads<false>, box64, from, depths(16384, 8));
    run("bulk_16K_ring4_132,tma_ring,bytes=16384;depth=4;sms=132;turns=1", 132 * 16, 0, 132, 32,
        66 * K, rings<false, 4>, box64, from, 16384, 1);
    {
        maps m;
        m.map[0] = box64;
        m.map[1] = box64_plain;
        m.map[2] = tensor_map(area + 128, 64, s128);
        m.map[3] = tensor_map(area + 256, 64, s128);
        run("tensor_maps,tma_map,maps=4;copies=4;prefetched=2", 16, 0, 1, 32, 10 * K,
            first_loads, m, 4);
    }
    run("tensor_64x64_depths,tma_tensor,bytes=8192;swizzle=128;parts=1:1/1:8/1:16/2:8/4:8/8:8",
        145, 0, 1, 32, 66 * K, loads<true>, box64, from, depths(8192, 8));
    run("tensor_64x64_plain_depths,tma_tensor,bytes=8192;swizzle=0;parts=1:1/1:8/1:16/2:8/4:8/"
        "8:8",
        145, 0, 1, 32, 66 * K, loads<true>, box64_plain, from, depths(8192, 8));
    run("tensor_64x8_depths,tma_tensor,bytes=1024;swizzle=128;parts=1:1/1:8/1:16/2:8/4:8/8:8",
        145, 0, 1, 32, 10 * K, loads<true>, box8, from, depths(1024, 8));
    run("tensor_64x1_depths,tma_tensor,bytes=128;swizzle=128;parts=1:1/1:8/1:16/2:8/4:8/8:8",
        145, 0, 1, 32, 4 * K, loads<true>, box1, from, depths(128, 8));
    run("tensor_64x64_ring8,tma_ring,bytes=8192;depth=8;sms=1;turns=4", 128, 0, 1, 32, 66 * K,
        rings<true, 8>, box64, from, 8192, 4);
    run("tensor_64x64_ring2_132,tma_ring,bytes=8192;depth=2;sms=132;turns=2", 132 * 16, 0, 132,
        32, 18 * K, rings<true, 2>, box64, from, 8192, 2);
    run("tensor_64x64_ring8_132,tma_ring,bytes=8192;depth=8;sms=132;turns=1", 132 * 32, 0, 132,
        32, 66 * K, rings<true, 8>, box64, from, 8192, 1);
    run("tensor_64x256_ring4_132,tma_ring,bytes=32768;depth=4;sms=132;turns=1", 132 * 16, 0,
        132, 32, 130 * K, rings<true, 4>, box256, from, 32768, 1);
    const int done = way_done, read = way_read;
    run("store_bulk,tma_store,parts=done:1K:1/1K:8/1K:16/4K:8/16K:8/4x4K:8/read:1K:8/1K:16/"
        "16K:8/4x4K:8",
        129, 0, 1, 32, 18 * K, stores<to_bulk>, box64, written,
        plan_of({{1024, 1, 1, done},
                 {1024, 1, 8, done},
                 {1024, 1, 16, done},
                 {4096, 1, 8, done},
                 {16384, 1, 8, done},
                 {4096, 4, 8, done},
                 {1024, 1, 8, read},
                 {1024, 1, 16, read},
                 {16384, 1, 8, read},
                 {4096, 4, 8, read}}),
        16384);
    run("store_tensor,tma_store,bytes=8192;parts=done:1/8/16/4x8/read:8/16/4x8", 113, 0, 1, 32,
        34 * K, stores<to_box>, to64, written,
        plan_of({{8192, 1, 1, done},
                 {8192, 1, 8, done},
                 {8192, 1, 16, done},
                 {8192, 4, 8, done},
                 {8192, 1, 8, read},
                 {8192, 1, 16, read},
                 {8192, 4, 8, read}}),
        32768);
    const std::vector<copy_step> reduce = {{8192, 1, 1, way_done},
                                           {8192, 1, 4, way_done},
                                           {8192, 1, 8, way_done},
                                           {8192, 1, 4, way_read},
                                           {8192, 1, 8, way_read}};
    run("reduce_bulk,tma_reduce,bytes=8192;type=u32;parts=done:1/done:4/done:8/read:4/read:8",
        25, 0, 1, 32, 10 * K, stores<add_bulk>, box64, written, plan_of(reduce), 8192);
    run("reduce_tensor,tma_reduce,bytes=8192;type=f16;parts=done:1/done:4/done:8/read:4/read:8",
        25, 0, 1, 32, 10 * K, stores<add_box>, to64, written, plan_of(reduce), 8192);
    run("store_bulk_132,tma_store,sms=132;bytes=16384;parts=done:4/done:8/read:4", 132 * 16, 0,
        132, 32, 18 * K, stores<to_bulk>, box64, written,
        plan_of({{16384, 1, 4, way_done}, {16384, 1, 8, way_done}, {16384, 1, 4, way_read}}),
        16384);
    const plan cast = plan_of({{1024, 1, 1, way_one},
                               {0, 1, 8, way_none},
                               {1024, 1, 8, way_one},
                               {1024, 1, 16, way_one},
                               {8192, 1, 8, way_one},
                               {16384, 1, 8, way_one},
                               {16384, 1, 8, way_all}});
    run("multicast_c2,tma_multicast,cluster=2;parts=1K:1/none:8/1K:8/1K:16/8K:8/16K:8/all16K:8",
        54, 2, 2, 32, 18 * K, multicasts, from, cast);
    run("multicast_c4,tma_multicast,cluster=4;parts=1K:1/none:8/1K:8/1K:16/8K:8/16K:8/all16K:8",
        54, 4, 4, 32, 18 * K, multicasts, from, cast);
    run("multicast_c2_132,tma_multicast,cluster=2;sms=132;"
        "parts=1K:1/none:4/16K:4/16K:8/all16K:4",
        66 * 21, 2, 132, 32, 18 * K, multicasts, from,
        plan_of({{1024, 1, 1, way_one},
                 {0, 1, 4, way_none},
                 {16384, 1, 4, way_one},
                 {16384, 1, 8, way_one},
                 {16384, 1, 4, way_all}}));
}

static void run_barriers()
{
    run("mbar_arrive_wait,mbarrier,modes=1;steps=4*16", 256, 0, 1, 32, 0, barrier_one_warp, 1,
        16, 0u);
    run("mbar_wait_arrive,mbarrier,modes=14;steps=4*16", 768, 0, 1, 32, 0, barrier_one_warp, 14,
        16, 0u);
    run("mbar_warps_1,mbarrier_wake,warps=1+1;steps=64", 256, 0, 1, 64, 0, barrier_warps, 64);
    run("mbar_warps_8,mbarrier_wake,warps=1+8;steps=64", 256, 0, 1, 288, 0, barrier_warps, 64);
    run("mbar_blocks_c2,mbarrier_remote,cluster=2;steps=32", 128, 2, 2, 32, 0,
        barrier_blocks<false>, 32);
    run("mbar_blocks_c8,mbarrier_remote,cluster=8;steps=32;parts=rank1-7/again", 448, 8, 8, 32,
        0, barrier_blocks<false>, 32);
}

static void run_remote()
{
    run("dsmem_chase_c8,dsmem_latency,cluster=8;steps=32+64;parts=rank", 768, 8, 8, 32, 0,
        remote_chase);
    run("dsmem_read_w4,dsmem_read,cluster=2;warps=4;steps=8*8", 1024, 2, 2, 128, 0,
        remote_stream<false>, 8, 0, 0u);
    run("dsmem_read_w16,dsmem_read,cluster=2;warps=16;steps=8*4", 2048, 2, 2, 512, 0,
        remote_stream<false>, 4, 0, 0u);
    run("dsmem_read_c2_132,dsmem_read,cluster=2;sms=132;warps=4;steps=8*2", 132 * 256, 2, 132,
        128, 0, remote_stream<false>, 2, 1, 0u);
    run("dsmem_read_c4_132,dsmem_read,cluster=4;sms=132;warps=4;steps=8*2", 132 * 256, 4, 132,
        128, 0, remote_stream<false>, 2, 1, 0u);
    run("dsmem_read_c8_128,dsmem_read,cluster=8;sms=128;warps=4;steps=8*2", 128 * 256, 8, 128,
        128, 0, remote_stream<false>, 2, 1, 0u);
    run("dsmem_write_w4,dsmem_write,cluster=2;warps=4;steps=8*8", 1024, 2, 2, 128, 0,
        remote_stream<true>, 8, 0, 0u);
    run("dsmem_st_async,dsmem_st_async,cluster=2;steps=32", 128, 2, 2, 32, 0,
        barrier_blocks<true>, 32);
    run("dsmem_copy,dsmem_copy,cluster=2;parts=1K:1/1K:8/1K:16/4K:8/16K:8/4x4K:8", 49, 2, 2, 32,
        18 * 1024, remote_copies,
        plan_of({{1024, 1, 1, 0},
                 {1024, 1, 8, 0},
                 {1024, 1, 16, 0},
                 {4096, 1, 8, 0},
                 {16384, 1, 8, 0},
                 {4096, 4, 8, 0}}));
}

static void run_clusters()
{
    for (int c = 2; c <= 16; c *= 2) {
        char about[128];
        snprintf(about, sizeof about, "cluster_bar_c%d,cluster_barrier,cluster=%d;steps=32", c,
                 c);
        run(about, 256, c, c, 128, 0, cluster_barriers, 32);
    }
    for (int c = 1; c <= 8; c *= 2)
        for (int i = 0; i < 2; i++) {
            const int grid = i == 1 ? 1056 : c == 8 ? 128 : 132;
            char about[128];
            snprintf(about, sizeof about,
                     "empty_c%d_g%d,cluster_launch,cluster=%d;grid=%d;block=128", c, grid, c,
                     grid);
            run(about, grid, c, grid, 128, 0, empty);
        }
}

static void run_matrices()
{
    run("ldsm_w1,ldsm,warps=1;parts=x1/x2/x4/x4t;steps=16*2", 512, 0, 1, 32, 0, matrices_from,
        2, 0u);
    run("ldsm_w4,ldsm,warps=4;parts=x1/x2/x4/x4t;steps=16*2", 2048, 0, 1, 128, 0, matrices_from,
        2, 0u);
    run("ldsm_w16,ldsm,warps=16;parts=x1/x2/x4/x4t;steps=16*2", 8192, 0, 1, 512, 0,
        matrices_from, 2, 0u);
    run("ldsm_chain,ldsm_chain,steps=16*4;parts=x1/x4", 512, 0, 1, 32, 0, matrices_chain, 4);
    run("stsm_w1,stsm,warps=1;steps=16*2;parts=x1/x4/x4t", 384, 0, 1, 32, 0, matrices_to, 2,
        0u);
    run("stsm_w16,stsm,warps=16;steps=16*2;parts=x1/x4/x4t", 6144, 0, 1, 512, 0, matrices_to, 2,
        0u);
    run("elect,elect,steps=16*4", 256, 0, 1, 32, 0, elections, 4);
    run("setmaxnreg,setmaxnreg,warps=12;steps=4*4;parts=setmaxnreg+bar/bar", 64, 0, 1, 384, 0,
        registers, 4);
    run("named_bar,named_barrier,warps=8;steps=8*8;parts=sync/arrive", 256, 0, 1, 256, 0,
        named_barriers, 8);
    run("async_fence,async_fence,warps=1;steps=8*8;parts=fence/store+fence", 512, 0, 1, 32, 0,
        async_fences, 8);
}

static void run_places()
{
    for (int c : {16, 8, 2}) {
        const int grid = c == 16 ? 256 : 264;
        char about[128];
        snprintf(about, sizeof about, "where_c%d,gpc,cluster=%d;grid=%d", c, c, grid);
        const cudaError_t status = start(where, c, grid, 32, 200 * 1024, next_place(), notes);
        const bool ok = worked(status, label_of(about).c_str());
        print_row(about, grid, grid, 32, 0, ok);
        std::vector<uint64_t> ids(grid);
        CUDA(cudaMemcpy(ids.data(), notes, grid * sizeof ids[0], cudaMemcpyDeviceToHost));
        for (int b = 0; b < grid && ok; b++)
            printf("gpc,%d,%d,%llu\n", launches, b / c, (unsigned long long)ids[b]);
        fflush(stdout);
    }
}

int main()
{
    CUDA(cudaSetDevice(0));
    cudaDeviceProp device;
    CUDA(cudaGetDeviceProperties(&device, 0));
    if (device.major != 9) {
        fprintf(stderr, "hopper: %s is of compute capability %d.%d, not 9.0\n", device.name,
                device.major, device.minor);
        return 1;
    }
    const size_t clock_bytes = (size_t)LAUNCHES * BLOCKS * PARTS * sizeof *clocks;
    CUDA(cudaMalloc(&clocks, clock_bytes));
    CUDA(cudaMemset(clocks, 0, clock_bytes));
    CUDA(cudaMalloc(&fails, LAUNCHES * sizeof *fails));
    CUDA(cudaMemset(fails, 0, LAUNCHES * sizeof *fails));
    CUDA(cudaMalloc(&notes, NOTES * sizeof *notes));
    CUDA(cudaMalloc(&area, 2 * AREA));
    CUDA(cudaMemset(area, 0, 2 * AREA));
    written = area + AREA;
    CUDA(cudaDeviceSynchronize());
    printf("# %s, %d SMs\n", device.name, device.multiProcessorCount);
    printf("launch,label,mechanism,parameters,work,grid,block,clock_cycles\n");
    run_products();
    run_copies();
    run_barriers();
    run_remote();
    run_clusters();
    run_matrices();
    run_places();
    CUDA(cudaDeviceSynchronize());
    printf("# done: %d launches\n", launches);
    return 0;
}
