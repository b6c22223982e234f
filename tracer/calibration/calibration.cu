// Launches that isolate one mechanism of a GPU each, for `hearth calibrate`.
//
// Prints a table (CSV): properties of the card (launch 0, value under `work`), then a row a
// launch, in their order, with the cycles that it took by the clock of its SM. See README.md.
// The launches are the same on every card, so that they can be compared with those of one
// trace.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "../examples/check.h"
#include "control.cuh"
#include "memory.cuh"

static const size_t MB = 1 << 20, LAUNCHES = 128;

struct gpu_memory {
    uint64_t *clocks; // of each launch
    float *in;        // operands
    uint32_t *out;    // never written
    uint64_t *ring_4K, *ring_1M, *ring_8M;
    uint32_t *words; // of atomics
    char *large;     // 768 MB
};

static std::vector<std::string> rows;

static void add_row(const char *about, double work, int grid, int block)
{
    char row[512];
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
    snprintf(row, sizeof row, "%s,%.0f,%dx1x1,%dx1x1", about, work, grid, block);
    rows.push_back(row);
}

// Runs KERNEL, in parentheses if it has commas, as the next launch. ABOUT: label, mechanism and
// parameters; WORK: units of work. The kernel gets the place of its cycles, then the other
// arguments.
#define LAUNCH(m, about, work, grid, block, kernel, ...)                                       \
    do {                                                                                       \
        kernel<<<grid, block>>>((m).clocks + rows.size(), __VA_ARGS__);                        \
        add_row(about, work, grid, block);                                                     \
    } while (0)

static void launch_empty(const char *about, int grid, int block)
{
    empty<<<grid, block>>>();
    add_row(about, grid, grid, block);
}

// A ring of pointers through COUNT random lines of the BYTES at BASE, the same on every run.
static uint64_t *ring(size_t bytes, size_t count)
{
    char *base;
    CUDA(cudaMalloc(&base, bytes));
    std::vector<uint64_t> lines(bytes / 128), image(bytes / 8, 0);
    std::mt19937 random(27);
    for (size_t i = 0; i < lines.size(); i++)
        lines[i] = i;
    for (size_t i = lines.size() - 1; i > 1; i--) // line 0 stays the first
        std::swap(lines[i], lines[1 + random() % i]);
    for (size_t i = 0; i < count; i++)
        image[lines[i] * 16] = (uint64_t)(uintptr_t)base + lines[(i + 1) % count] * 128;
    CUDA(cudaMemcpy(base, image.data(), bytes, cudaMemcpyHostToDevice));
    return (uint64_t *)base;
}

static gpu_memory allocate()
{
    gpu_memory m;
    std::vector<float> in(1024, 1.0f);
    CUDA(cudaMalloc(&m.clocks, LAUNCHES * sizeof *m.clocks));
    CUDA(cudaMemset(m.clocks, 0, LAUNCHES * sizeof *m.clocks));
    CUDA(cudaMalloc(&m.in, in.size() * sizeof in[0]));
    CUDA(cudaMemcpy(m.in, in.data(), in.size() * sizeof in[0], cudaMemcpyHostToDevice));
    CUDA(cudaMalloc(&m.out, sizeof *m.out));
    m.ring_4K = ring(4 << 10, 32);
    m.ring_1M = ring(MB, 2048);
    m.ring_8M = ring(8 * MB, 2048);
    CUDA(cudaMalloc(&m.words, 4096));
    CUDA(cudaMalloc(&m.large, 768 * MB));
    return m;
}

static void launch_blocks()
{
    launch_empty("empty_g1_b32,launch,grid=1;block=32", 1, 32);
    launch_empty("empty_g1056_b32,launch,grid=1056;block=32", 1056, 32);
    launch_empty("empty_g1_b256,launch,grid=1;block=256", 1, 256);
    launch_empty("empty_g132_b256,launch,grid=132;block=256", 132, 256);
    launch_empty("empty_g1056_b256,launch,grid=1056;block=256", 1056, 256);
    launch_empty("empty_g8448_b256,launch,grid=8448;block=256", 8448, 256);
}

static void launch_chains(const gpu_memory &m)
{
    const float *in = m.in;
    uint32_t *out = m.out;
    LAUNCH(m, "chain_ffma_2048,alu_latency,steps=2048", 2048, 1, 32, (chain<op_ffma, 128>), in,
           out, 16);
    LAUNCH(m, "chain_ffma_4096,alu_latency,steps=4096", 4096, 1, 32, (chain<op_ffma, 128>), in,
           out, 32);
    LAUNCH(m, "chain_ffma_u16_2048,branch_backedge,steps=2048;unroll=16", 128, 1, 32,
           (chain<op_ffma, 16>), in, out, 128);
    LAUNCH(m, "chain_iadd3_1024,alu_latency,steps=1024", 2048, 1, 32, (chain<op_iadd3, 128>),
           in, out, 8);
    LAUNCH(m, "chain_imadwide_lop3_1024,alu_latency,steps=1024", 2048, 1, 32,
           (chain<op_wide, 128>), in, out, 8);
    LAUNCH(m, "chain_lop3_1024,alu_latency,steps=1024", 2048, 1, 32, (chain<op_lop3, 128>), in,
           out, 8);
    LAUNCH(m, "chain_ex2_1024,alu_latency,steps=1024", 1024, 1, 32, (chain<op_ex2, 128>), in,
           out, 8);
    LAUNCH(m, "chain_ex2_2048,alu_latency,steps=2048", 2048, 1, 32, (chain<op_ex2, 128>), in,
           out, 16);
    LAUNCH(m, "chain_dfma_2048,alu_latency,steps=2048", 2048, 1, 32, (chain<op_dfma, 128>), in,
           out, 16);
    LAUNCH(m, "chain_dfma_4096,alu_latency,steps=4096", 4096, 1, 32, (chain<op_dfma, 128>), in,
           out, 32);
    LAUNCH(m, "chain_popc_1024,alu_latency,steps=1024", 1024, 1, 32, (chain<op_popc, 128>), in,
           out, 8);
    LAUNCH(m, "chain_shfl_1024,alu_latency,steps=1024", 1024, 1, 32, (chain<op_shfl, 128>), in,
           out, 8);
}

static void launch_throughput(const gpu_memory &m)
{
    const float *in = m.in;
    uint32_t *out = m.out;
    LAUNCH(m, "tput_ffma_w4,alu_throughput,warps=4", 4096, 1, 128, throughput<op_ffma>, in, out,
           8);
    LAUNCH(m, "tput_ffma_w16,alu_throughput,warps=16", 16384, 1, 512, throughput<op_ffma>, in,
           out, 8);
    LAUNCH(m, "tput_iadd3_w4,alu_throughput,warps=4", 4096, 1, 128, throughput<op_iadd3>, in,
           out, 4);
    LAUNCH(m, "tput_iadd3_w16,alu_throughput,warps=16", 16384, 1, 512, throughput<op_iadd3>, in,
           out, 4);
    LAUNCH(m, "tput_dfma_w4,alu_throughput,warps=4", 4096, 1, 128, throughput<op_dfma>, in, out,
           8);
    LAUNCH(m, "tput_ex2_w4,alu_throughput,warps=4", 2048, 1, 128, throughput<op_ex2>, in, out,
           4);
    LAUNCH(m, "tput_dfma_w16,alu_throughput,warps=16", 16384, 1, 512, throughput<op_dfma>, in,
           out, 8);
    LAUNCH(m, "tput_ex2_w16,alu_throughput,warps=16", 8192, 1, 512, throughput<op_ex2>, in, out,
           4);
    LAUNCH(m, "hmma_f32_chain_512,hmma_latency,ops=512", 512, 1, 32, tensor<1>, in, out, 16);
    LAUNCH(m, "hmma_f32_chain_1024,hmma_latency,ops=1024", 1024, 1, 32, tensor<1>, in, out, 32);
    LAUNCH(m, "hmma_f32_tput_w4,hmma_throughput,warps=4", 2048, 1, 128, tensor<4>, in, out, 16);
    LAUNCH(m, "hmma_f32_tput_w16,hmma_throughput,warps=16", 8192, 1, 512, tensor<4>, in, out,
           16);
}

static void launch_shared_and_l1(const gpu_memory &m)
{
    const uint32_t *in = (const uint32_t *)m.in;
    uint32_t *out = m.out;
    LAUNCH(m, "lds_chain_1024,shared_latency,hops=1024", 1024, 1, 32, shared_chase, out, 32);
    LAUNCH(m, "lds_chain_2048,shared_latency,hops=2048", 2048, 1, 32, shared_chase, out, 64);
    LAUNCH(m, "lds32_conf2,shared_conflict,lane_stride=8", 1024, 1, 128, shared_loads, in, out,
           32, 8u, 0u);
    LAUNCH(m, "lds32_conf8,shared_conflict,lane_stride=32", 1024, 1, 128, shared_loads, in, out,
           32, 32u, 0u);
    LAUNCH(m, "lds32_conf16,shared_conflict,lane_stride=64", 1024, 1, 128, shared_loads, in,
           out, 32, 64u, 0u);
    LAUNCH(m, "lds32_conf32,shared_conflict,lane_stride=128", 1024, 1, 128, shared_loads, in,
           out, 32, 128u, 0u);
    LAUNCH(m, "l1_chase_4K,l1_latency,warm_hops=32;hops=2048", 2048, 1, 32, chase<true>,
           m.ring_4K, out, 4, 256, 0);
    LAUNCH(m, "l1_div32_it8,l1_divergent,warps=4", 256, 1, 128, divergent_loads,
           (const char *)m.large, out, 8, 0u);
    LAUNCH(m, "l1_div32_it16,l1_divergent,warps=4", 512, 1, 128, divergent_loads,
           (const char *)m.large, out, 16, 0u);
}

static void launch_l2(const gpu_memory &m)
{
    uint32_t *out = m.out;
    char *twice = m.large + 512 * MB;
    LAUNCH(m, "warm_1M,warm,footprint=1048576", 8192, 33, 256, warm, (const char *)m.ring_1M,
           out, 8192u);
    LAUNCH(m, "hum_hits,hit_under_miss,it=256;hits=8", 256, 1, 32, hits, m.ring_4K, out, 256);
    LAUNCH(m, "l2_chase_1M_h2048_blk0,l2_latency,hops=2048", 2048, 1, 32, chase<false>,
           m.ring_1M, out, 0, 256, 0);
    LAUNCH(m, "l2_chase_1M_h4096_blk0,l2_latency,hops=4096", 4096, 1, 32, chase<false>,
           m.ring_1M, out, 0, 512, 0);
    LAUNCH(m, "l2_chase_1M_h2048_blk1,l2_latency_sm,hops=2048;block=1", 2048, 132, 32,
           chase<false>, m.ring_1M, out, 0, 256, 1);
    LAUNCH(m, "warm_8M,warm,footprint=8388608", 65536, 132, 256, warm, (const char *)m.ring_8M,
           out, 65536u);
    LAUNCH(m, "l2_chase_8M_h2048_blk0,l2_latency,hops=2048", 2048, 1, 32, chase<false>,
           m.ring_8M, out, 0, 256, 0);
    LAUNCH(m, "warm_z16M,warm,footprint=16777216", 131072, 132, 256, warm, twice, out, 131072u);
    LAUNCH(m, "l2_read_4M_it2,l2_bw,bytes=8650752", 8650752, 132, 256, stream<false>, twice,
           out, 2, 4 * MB - 1);
    LAUNCH(m, "l2_read_4M_it4,l2_bw,bytes=17301504", 17301504, 132, 256, stream<false>, twice,
           out, 4, 4 * MB - 1);
    LAUNCH(m, "l2_read_4M_sm1,l2_bw_sms,bytes=524288", 524288, 1, 256, stream<false>, twice,
           out, 16, 4 * MB - 1);
    LAUNCH(m, "l2_write_4M_it2,l2_write,bytes=8650752", 8650752, 132, 256, stream<true>, twice,
           out, 2, 4 * MB - 1);
    LAUNCH(m, "l2_write_4M_it4,l2_write,bytes=17301504", 17301504, 132, 256, stream<true>,
           twice, out, 4, 4 * MB - 1);
}

static void launch_dram(const gpu_memory &m)
{
    uint32_t *out = m.out;
    char *fresh = m.large + 352 * MB;
    const uint32_t hot = (uint32_t)(MB - 1) & ~127u, all = (uint32_t)(256 * MB - 1) & ~127u;
    LAUNCH(m, "gchase_l2hot_1024,dram_latency_control,hops=1024", 1024, 1, 32, computed_chase,
           m.large + 520 * MB, out, 256, 0u, hot, 99u, 0u);
    LAUNCH(m, "dram_chase_1024,dram_latency,hops=1024", 1024, 1, 32, computed_chase, m.large,
           out, 256, 0u, all, 1u, 0u);
    LAUNCH(m, "dram_stride_32,dram_row,hops=1024;stride=32", 1024, 1, 32, computed_chase,
           m.large + 256 * MB, out, 256, 32u, 0u, 0u, 0u);
    LAUNCH(m, "dram_stride_128,dram_row,hops=1024;stride=128", 1024, 1, 32, computed_chase,
           m.large + 259 * MB, out, 256, 128u, 0u, 0u, 0u);
    LAUNCH(m, "dram_stride_2M,tlb,hops=256;stride=2097280", 256, 1, 32, computed_chase,
           m.large + 4096, out, 64, (uint32_t)(2 * MB + 128), 0u, 0u, 0u);
    LAUNCH(m, "dram_read_4M,dram_read,bytes=4325376", 4325376, 132, 256, stream<false>, fresh,
           out, 1, 128 * MB - 1);
    LAUNCH(m, "dram_read_21M,dram_read,bytes=21626880", 21626880, 132, 256, stream<false>,
           fresh + 20 * MB, out, 5, 128 * MB - 1);
    LAUNCH(m, "dram_write_8M,dram_write,bytes=8650752", 8650752, 132, 256, stream<true>,
           fresh + 68 * MB, out, 2, 128 * MB - 1);
    LAUNCH(m, "partial4_8M,dram_partial,bytes_per_sector=4", 270336, 132, 256, partial,
           m.large + 544 * MB);
}

static void launch_atomics(const gpu_memory &m)
{
    const uint32_t *in = (const uint32_t *)m.in;
    LAUNCH(m, "red_diff_1w,l2_atomic,warps=1;lane_mask=31", 256, 1, 32,
           atomics<atomic_reduction>, m.words, in, m.out, 64, 31u);
    LAUNCH(m, "atom_diff_1w,l2_atomic,warps=1;lane_mask=31", 256, 1, 32, atomics<atomic_result>,
           m.words, in, m.out, 64, 31u);
    LAUNCH(m, "red_same_132,l2_atomic,warps=132;lane_mask=0", 2112, 132, 32,
           atomics<atomic_reduction>, m.words, in, m.out, 4, 0u);
    LAUNCH(m, "atom_same_132,l2_atomic,warps=132;lane_mask=0", 2112, 132, 32,
           atomics<atomic_result>, m.words, in, m.out, 4, 0u);
    LAUNCH(m, "atom_chain,l2_atomic,warps=1;lane_mask=31", 256, 1, 32, atomics<atomic_chain>,
           m.words, in, m.out, 64, 31u);
}

static void launch_control(const gpu_memory &m)
{
    const float *in = m.in;
    uint32_t *out = m.out;
    LAUNCH(m, "bar_w1,barrier,warps=1;ops=256", 256, 1, 32, waits<wait_block>, in, out, 32);
    LAUNCH(m, "bar_w8,barrier,warps=8;ops=256", 256, 1, 256, waits<wait_block>, in, out, 32);
    LAUNCH(m, "bar_w8_2n,barrier,warps=8;ops=512", 512, 1, 256, waits<wait_block>, in, out, 64);
    LAUNCH(m, "bar_w32,barrier,warps=32;ops=256", 256, 1, 1024, waits<wait_block>, in, out, 32);
    LAUNCH(m, "fence_cta,membar,ops=256", 256, 1, 32, waits<wait_fence_block>, in, out, 32);
    LAUNCH(m, "fence_gl,membar,ops=128", 128, 1, 32, waits<wait_fence>, in, out, 16);
    LAUNCH(m, "div2_m0,divergence2,it=64;mask=0", 64, 1, 32, two_ways, in, out, 64, 0u);
    LAUNCH(m, "div2_m1,divergence2,it=64;mask=1", 64, 1, 32, two_ways, in, out, 64, 1u);
    LAUNCH(m, "div32_m0,divergence32,it=16;ways=1", 16, 1, 32, many_ways, in, out, 16, 0u);
    LAUNCH(m, "div32_m31,divergence32,it=16;ways=32", 16, 1, 32, many_ways, in, out, 16, 31u);
}

static void launch_code(const gpu_memory &m)
{
    const float *in = m.in;
    uint32_t *out = m.out;
    LAUNCH(m, "icache_8K_w1_it1,icache,bytes=8192;loops=1", 512, 1, 32, straight<8>, in, out,
           1);
    LAUNCH(m, "icache_8K_w1_it4,icache,bytes=8192;loops=4", 2048, 1, 32, straight<8>, in, out,
           4);
    LAUNCH(m, "icache_32K_w1_it4,icache,bytes=32768;loops=4", 8192, 1, 32, straight<32>, in,
           out, 4);
    LAUNCH(m, "icache_64K_w1_it4,icache,bytes=65536;loops=4", 16384, 1, 32, straight<64>, in,
           out, 4);
    LAUNCH(m, "icache_128K_w1_it1,icache,bytes=131072;loops=1", 8192, 1, 32, straight<128>, in,
           out, 1);
    LAUNCH(m, "icache_128K_w1_it4,icache,bytes=131072;loops=4", 32768, 1, 32, straight<128>, in,
           out, 4);
    LAUNCH(m, "icache_256K_w1_it4,icache,bytes=262144;loops=4", 65536, 1, 32, straight<256>, in,
           out, 4);
    LAUNCH(m, "const_op_16,const_operand,span_words=16", 1024, 1, 32, constant_operands<16>, in,
           out);
    LAUNCH(m, "const_op_1024,const_operand,span_words=1024", 1024, 1, 32,
           constant_operands<1024>, in, out);
    LAUNCH(m, "uniform_chain,uniform,steps=1024", 2048, 1, 32, uniform, in, out, 32, 0x1234567u,
           0u);
}

static int attribute(cudaDeviceAttr what)
{
    int value;
    CUDA(cudaDeviceGetAttribute(&value, what, 0));
    return value;
}

static void print_property(const char *label, double value)
{
    printf("0,%s,device,,%.10g,,,\n", label, value);
}

// Clocks are in kHz; memory transfers twice a cycle.
static void print_properties()
{
    print_property("device_sms", attribute(cudaDevAttrMultiProcessorCount));
    print_property("device_threads", attribute(cudaDevAttrMaxThreadsPerMultiProcessor));
    print_property("device_registers", attribute(cudaDevAttrMaxRegistersPerMultiprocessor));
    print_property("device_core_mhz", attribute(cudaDevAttrClockRate) / 1e3);
    print_property("device_dram_gbs", 2.0 * attribute(cudaDevAttrMemoryClockRate) *
                                          attribute(cudaDevAttrGlobalMemoryBusWidth) / 8e6);
}

int main()
{
    const gpu_memory m = allocate();
    launch_blocks();
    launch_chains(m);
    launch_throughput(m);
    launch_shared_and_l1(m);
    launch_l2(m);
    launch_dram(m);
    launch_atomics(m);
    launch_control(m);
    launch_code(m);
    std::vector<uint64_t> clocks(rows.size());
    CUDA(cudaMemcpy(clocks.data(), m.clocks, clocks.size() * sizeof clocks[0],
                    cudaMemcpyDeviceToHost));
    printf("launch,label,mechanism,parameters,work,grid,block,clock_cycles\n");
    print_properties();
    for (size_t i = 0; i < rows.size(); i++)
        printf("%zu,%s,%s\n", i + 1, rows[i].c_str(),
               clocks[i] != 0 ? std::to_string(clocks[i]).c_str() : "");
    return 0;
}
