/* Several launches on one simulator: what stays between them, flushes,
 * copies, resets, hooks, deadlocks. */
#include "tests/sim/support.h"

#include <stdio.h>
#include <string.h>

static const struct launch_text load = {.program = "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT"};
static const struct launch_text store = {.program = "STG.E R2 R3 [ 4 1 0x1000 4 ]; EXIT"};

/* A launch starts when the one before it has ended. */
START_TEST(clock)
{
    struct bench bench = bench_create(SETS("gpgpu_kernel_launch_latency=100"));
    uint64_t end = 0;
    for (int i = 0; i < 4; i++) {
        struct sim_result result =
            bench_launch(&bench, &(struct launch_text){.program = "EXIT"});
        ck_assert_uint_eq(result.start_cycle, end);
        ck_assert_uint_eq(result.gap_cycles, 0);
        ck_assert_uint_eq(result_cycles(&result), 108);
        ck_assert_uint_eq(result.counters.warp_insts, 1);
        end = result.end_cycle;
    }
    bench_destroy(&bench);
}
END_TEST

/* A launch starts anywhere in a window, and finds the crossbar there, also when
 * a small crossbar queue or several SMs at one input made the last launch go
 * in short steps. An L2 hit past L1 takes 199 cycles (see memory.c), the FP64
 * instruction 69: 2 + 199 + 69 + 1. */
START_TEST(start_in_window)
{
    const char *const *sets[] = {NO_SETS, SETS("gpgpu_n_cores_per_cluster=2"),
                                 SETS("icnt_in_buffer_limit=8")};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct bench bench = bench_create(sets[i]);
        for (int launch = 0; launch < 6; launch++) {
            struct sim_result result = bench_launch(
                &bench,
                &(struct launch_text){.program = "R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x1000 0 ];"
                                                 "DFMA R1; EXIT"});
            if (launch != 0)
                ck_assert_uint_eq(result_cycles(&result), 2 + 199 + 69 + 1);
        }
        bench_destroy(&bench);
    }
}
END_TEST

/* Without a flush both caches stay. */
START_TEST(kept)
{
    struct bench bench = bench_create(NO_SETS);
    bench_launch(&bench, &load);
    struct sim_result result = bench_launch(&bench, &load);
    ck_assert_uint_eq(result.counters.l1d_hits, 4);
    ck_assert_uint_eq(result.counters.l2_reads, 0);
    bench_destroy(&bench);
}
END_TEST

START_TEST(flush_l1)
{
    struct bench bench = bench_create(NO_SETS);
    bench_launch(&bench, &load);
    sim_flush(bench.sim, SIM_L1, false);
    struct sim_result result = bench_launch(&bench, &load);
    ck_assert_uint_eq(result.gap_cycles, 0);
    ck_assert_uint_eq(result.counters.l1d_misses, 4);
    ck_assert_uint_eq(result.counters.l2_read_hits, 4);
    ck_assert_uint_eq(result.counters.dram_reads, 0);
    bench_destroy(&bench);
}
END_TEST

/* Clean lines go without a DRAM access; L1 is left as it is. */
START_TEST(flush_l2)
{
    struct bench bench = bench_create(NO_SETS);
    bench_launch(&bench, &load);
    sim_flush(bench.sim, SIM_L2, false);
    struct sim_result result = bench_launch(&bench, &load);
    ck_assert_uint_eq(result.counters.l1d_hits, 4);
    ck_assert_uint_eq(result.counters.dram_writes, 0);
    sim_flush(bench.sim, SIM_L1 | SIM_L2, false);
    result = bench_launch(&bench, &load);
    ck_assert_uint_eq(result.counters.l1d_misses, 4);
    ck_assert_uint_eq(result.counters.l2_read_misses, 4);
    ck_assert_uint_eq(result.counters.dram_reads, 4);
    bench_destroy(&bench);
}
END_TEST

/* Dirty sectors, here three of a line, are written to DRAM: counted for the
 * next launch, and their time in its gap. One row: ACT, three WR CCDL = 6
 * apart, so that 254 (dram_latency) + 15 + 12 + 8 cycles are the least. */
START_TEST(flush_dirty)
{
    for (int drop = 0; drop <= 1; drop++) {
        struct bench bench = bench_create(NO_SETS);
        struct sim_result first = bench_launch(
            &bench,
            &(struct launch_text){.program = "@ffffff STG.E R2 R3 [ 4 1 0x1000 4 ]; EXIT"});
        ck_assert_uint_eq(first.counters.dram_writes, 0);
        sim_flush(bench.sim, SIM_L1 | SIM_L2, drop);
        struct sim_result result = bench_launch(&bench, &load);
        ck_assert_uint_eq(result.counters.dram_writes, drop ? 0 : 3);
        if (drop) {
            ck_assert_uint_eq(result.gap_cycles, 0);
        } else {
            ck_assert_uint_ge(result.gap_cycles, 254 + 15 + 12 + 8);
            ck_assert_uint_lt(result.gap_cycles, 1000);
        }
        ck_assert_uint_eq(result.start_cycle, first.end_cycle + result.gap_cycles);
        ck_assert_uint_eq(result.counters.l2_read_misses, 4);
        ck_assert_uint_eq(result.counters.dram_reads, 4);
        /* Written once. */
        sim_flush(bench.sim, SIM_L2, false);
        result = bench_launch(&bench, &load);
        ck_assert_uint_eq(result.counters.dram_writes, 0);
        bench_destroy(&bench);
    }
}
END_TEST

/* What is clean and what is dirty before a launch that reads both: 4 sectors that were read and
 * 4 that were written, a flush as AT and LIKE_ACCELSIM say, and a copy of 2 sectors. */
static struct sim_result between(const char *at, const char *like_accelsim)
{
    struct bench bench = bench_create(SETS(
        "gpgpu_flush_l1_cache=1", "gpgpu_flush_l2_cache=1", at, like_accelsim,
        "gpgpu_perf_sim_memcpy=1", "gpgpu_n_mem=4", "gpgpu_n_sub_partition_per_mchannel=2"));
    static const struct launch_text before = {
        .program = "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; STG.E R2 R3 [ 4 1 0x2200 4 ]; EXIT"};
    static const struct launch_text after = {
        .program = "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; R1 = LDG.E R2 [ 4 1 0x2200 4 ]; "
                   "R1 = LDG.E R2 [ 4 1 0x3000 4 ]; EXIT"};
    sim_flush_start(bench.sim);
    bench_launch(&bench, &before);
    sim_flush_end(bench.sim);
    sim_copy(bench.sim, 0x3000, 64, false);
    sim_flush_start(bench.sim);
    struct sim_result result = bench_launch(&bench, &after);
    bench_destroy(&bench);
    return result;
}

START_TEST(flush_places)
{
    static const struct {
        const char *at, *like_accelsim;
        unsigned hits, writes;
    } rows[] = {
        {"hearth_flush_at=start", "hearth_flush_like_accelsim=0", 0, 4},
        {"hearth_flush_at=end", "hearth_flush_like_accelsim=0", 2, 4},
        {"hearth_flush_at=both", "hearth_flush_like_accelsim=0", 0, 4},
        /* What was read and copied is clean and stays. */
        {"hearth_flush_at=start", "hearth_flush_like_accelsim=1", 6, 0},
        {"hearth_flush_at=end", "hearth_flush_like_accelsim=1", 6, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sim_result result = between(rows[i].at, rows[i].like_accelsim);
        ck_assert_uint_eq(result.counters.l2_reads, 12);
        ck_assert_uint_eq(result.counters.l2_read_hits, rows[i].hits);
        ck_assert_uint_eq(result.counters.dram_writes, rows[i].writes);
    }
}
END_TEST

/* A line in each of 8 slices of 4 channels: the first 4 slices lose what
 * is dirty, however much of the line it is. */
START_TEST(flush_like_accelsim)
{
    static const struct launch_text write = {
        .program = "R1 = LDG.E R2 [ 4 1 0x0 4 ]; @ff STG.E R2 R3 [ 4 1 0x0 4 ]; "
                   "STG.E R2 R3 [ 4 1 0x100 4 ]; STG.E R2 R3 [ 4 1 0x200 4 ]; "
                   "STG.E R2 R3 [ 4 1 0x300 4 ]; STG.E R2 R3 [ 4 1 0x400 4 ]; "
                   "STG.E R2 R3 [ 4 1 0x500 4 ]; STG.E R2 R3 [ 4 1 0x600 4 ]; "
                   "STG.E R2 R3 [ 4 1 0x700 4 ]; EXIT"};
    static const struct launch_text read = {
        .program = "R1 = LDG.E R2 [ 4 1 0x0 4 ]; R1 = LDG.E R2 [ 4 1 0x100 4 ]; "
                   "R1 = LDG.E R2 [ 4 1 0x200 4 ]; R1 = LDG.E R2 [ 4 1 0x300 4 ]; "
                   "R1 = LDG.E R2 [ 4 1 0x400 4 ]; R1 = LDG.E R2 [ 4 1 0x500 4 ]; "
                   "R1 = LDG.E R2 [ 4 1 0x600 4 ]; R1 = LDG.E R2 [ 4 1 0x700 4 ]; EXIT"};
    struct bench bench = bench_create(SETS("gpgpu_flush_l1_cache=1", "gpgpu_flush_l2_cache=1",
                                           "hearth_flush_like_accelsim=1", "gpgpu_n_mem=4",
                                           "gpgpu_n_sub_partition_per_mchannel=2"));
    bench_launch(&bench, &write);
    sim_flush_start(bench.sim);
    struct sim_result result = bench_launch(&bench, &read);
    ck_assert_uint_eq(result.counters.l2_reads, 32);
    ck_assert_uint_eq(result.counters.l2_read_hits, 16);
    ck_assert_uint_eq(result.counters.dram_writes, 0);
    bench_destroy(&bench);
}
END_TEST

/* Atomics leave dirty sectors, too. */
START_TEST(flush_atomics)
{
    struct bench bench = bench_create(NO_SETS);
    bench_launch(&bench,
                 &(struct launch_text){.program = "RED.E.ADD R2 R3 [ 4 1 0x1000 4 ]; EXIT"});
    sim_flush(bench.sim, SIM_L2, false);
    struct sim_result result = bench_launch(&bench, &(struct launch_text){.program = "EXIT"});
    ck_assert_uint_eq(result.counters.dram_writes, 4);
    bench_destroy(&bench);
}
END_TEST

/* A write-back counts for the launch whose request displaced the line. */
START_TEST(eviction)
{
    struct bench bench =
        bench_create(SETS("gpgpu_cache:dl2=S:1:128:1,L:B:m:L:L,A:192:4,32:0,32"));
    bench_launch(&bench, &store);
    struct sim_result result = bench_launch(
        &bench, &(struct launch_text){.program = "R1 = LDG.E R2 [ 4 1 0x8000 4 ]; EXIT"});
    ck_assert_uint_eq(result.counters.dram_writes, 4);
    ck_assert_uint_eq(result.counters.l2_evictions_dirty, 1);
    result = bench_launch(&bench, &(struct launch_text){.program = "EXIT"});
    ck_assert_uint_eq(result.counters.dram_writes, 0);
    bench_destroy(&bench);
}
END_TEST

/* A copy fills the L2 sectors that it covers, at any address, when the
 * configuration asks for copies of its kind to do that. */
START_TEST(copy)
{
    const struct launch_text text = {.program = "R1 = LDG.E R2 [ 4 1 0x7f0123450000 4 ]; EXIT"};
    const struct {
        const char *host, *device; /* options */
        bool on_device;
        uint64_t address, bytes;
        unsigned hits;
    } rows[] = {
#define HOST(n)   "gpgpu_perf_sim_memcpy=" #n
#define DEVICE(n) "hearth_device_copies=" #n
        {HOST(1), DEVICE(0), false, 0x7f0123450000, 128, 4},
        {HOST(1), DEVICE(0), false, 0x7f0123450000, 96, 3},
        {HOST(1), DEVICE(0), false, 0x7f012345001f, 1, 1},
        {HOST(1), DEVICE(0), false, 0x7f012345001f, 2, 2},
        {HOST(1), DEVICE(0), false, 0x7f012344ff00, 0x1000, 4},
        {HOST(1), DEVICE(0), false, 0x23450000, 128, 0},
        {HOST(1), DEVICE(0), false, 0x7f0123450000, 0, 0},
        {HOST(0), DEVICE(1), false, 0x7f0123450000, 128, 0},
        {HOST(0), DEVICE(1), true, 0x7f0123450000, 128, 4},
        {HOST(0), DEVICE(1), true, 0x7f0123450020, 64, 2},
        {HOST(0), DEVICE(1), true, 0x7f0123450000, 0, 0},
        {HOST(1), DEVICE(0), true, 0x7f0123450000, 128, 0},
#undef HOST
#undef DEVICE
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench bench = bench_create(SETS(rows[i].host, rows[i].device, "gpgpu_n_mem=16",
                                               "gpgpu_n_sub_partition_per_mchannel=2"));
        sim_copy(bench.sim, rows[i].address, rows[i].bytes, rows[i].on_device);
        struct sim_result result = bench_launch(&bench, &text);
        ck_assert_uint_eq(result.counters.l2_read_hits, rows[i].hits);
        ck_assert_uint_eq(result.counters.l2_read_misses, 4 - rows[i].hits);
        ck_assert_uint_eq(result.gap_cycles, 0);
        bench_destroy(&bench);
    }
}
END_TEST

/* ---- the same again ---- */

static const struct launch_text mixed[] = {
    {.blocks = 30,
     .threads = 256,
     .regs = 32,
     .program =
         "4 * R1 = FFMA R1 R3 R5; R2 = LDG.E R1 [ 4 1 0x100000 4 ]; BAR; R3 = IMAD R2 R1;"
         "R4 = LDS R3 [ 4 1 0x0 8 ]; STG.E R1 R4 [ 4 1 0x200000 64 ]; EXIT"},
    {.blocks = 9,
     .threads = 96,
     .shmem = 20000,
     .program = "R1 = MUFU R2; RED.E.ADD R1 R2 [ 4 1 0x200000 0 ]; MEMBAR; R3 = DFMA R1; EXIT"},
    {.blocks = 50,
     .threads = 128,
     .program =
         "R4 = LDG.E.128 R1 [ 16 1 0x210000 16 ]; R5 = HMMA R4 R6; STL R1 R5 [ 4 1 0x40 4 ];"
         "R6 = LDL R1 [ 4 1 0x40 4 ]; EXIT"},
};
#define MIXED_COUNT (sizeof mixed / sizeof *mixed)

static void run_mixed(struct bench *bench, struct sim_result *results)
{
    memset(results, 0, MIXED_COUNT * sizeof *results);
    for (size_t i = 0; i < MIXED_COUNT; i++)
        results[i] = bench_launch(bench, &mixed[i]);
}

static void assert_same(const struct sim_result *a, const struct sim_result *b)
{
    for (size_t i = 0; i < MIXED_COUNT; i++) {
        ck_assert_uint_eq(a[i].start_cycle, b[i].start_cycle);
        ck_assert_uint_eq(a[i].end_cycle, b[i].end_cycle);
        ck_assert_mem_eq(&a[i].counters, &b[i].counters, sizeof a[i].counters);
    }
}

#define WHOLE_GPU                                                                              \
    SETS("gpgpu_n_clusters=5", "gpgpu_n_mem=4", "gpgpu_n_sub_partition_per_mchannel=2",        \
         "gpgpu_clock_domains=1132:1132:1132:3500.5")

/* Two simulators in turn do not disturb each other; one that is reset is as
 * new. */
START_TEST(same_again)
{
    struct bench one = bench_create(WHOLE_GPU), two = bench_create(WHOLE_GPU);
    struct sim_result first[MIXED_COUNT], second[MIXED_COUNT];
    memset(first, 0, sizeof first);
    memset(second, 0, sizeof second);
    for (size_t i = 0; i < MIXED_COUNT; i++) {
        first[i] = bench_launch(&one, &mixed[i]);
        second[i] = bench_launch(&two, &mixed[i]);
    }
    assert_same(first, second);
    sim_reset(one.sim);
    run_mixed(&one, second);
    assert_same(first, second);
    bench_destroy(&one);
    bench_destroy(&two);
}
END_TEST

/* Any number of threads, more than SMs included, changed between launches too,
 * gives the same. */
START_TEST(threads)
{
    struct sim_result expected[MIXED_COUNT], got[MIXED_COUNT];
    struct error err = {0};
    struct bench bench = bench_create(WHOLE_GPU);
    run_mixed(&bench, expected);
    for (uint32_t count = 2; count <= 8; count += 3) {
        sim_reset(bench.sim);
        ck_assert_int_eq(sim_set_threads(bench.sim, count, &err), 0);
        run_mixed(&bench, got);
        assert_same(expected, got);
    }
    sim_reset(bench.sim);
    memset(got, 0, sizeof got);
    for (size_t i = 0; i < MIXED_COUNT; i++) {
        ck_assert_int_eq(sim_set_threads(bench.sim, 3 - (uint32_t)i, &err), 0);
        got[i] = bench_launch(&bench, &mixed[i]);
    }
    assert_same(expected, got);
    bench_destroy(&bench);
}
END_TEST

/* Counters fit together. */
START_TEST(sums)
{
    struct bench bench = bench_create(WHOLE_GPU);
    struct sim_result results[MIXED_COUNT];
    run_mixed(&bench, results);
    for (size_t i = 0; i < MIXED_COUNT; i++) {
        const struct sim_counters *c = &results[i].counters;
        ck_assert_uint_eq(c->blocks, mixed[i].blocks);
        ck_assert_uint_eq(c->l1d_accesses, c->l1d_hits + c->l1d_misses + c->l1d_pending_hits);
        ck_assert_uint_eq(c->l2_reads,
                          c->l2_read_hits + c->l2_read_misses + c->l2_read_pending_hits);
        ck_assert_uint_eq(c->dram_reads, c->l2_read_misses);
        ck_assert_uint_eq(c->thread_insts, 32 * c->warp_insts);
    }
    const unsigned insts[] = {30 * 8 * 10, 9 * 3 * 5, 50 * 4 * 5};
    for (size_t i = 0; i < MIXED_COUNT; i++)
        ck_assert_uint_eq(results[i].counters.warp_insts, insts[i]);
    ck_assert_uint_eq(results[1].counters.atomics, 9 * 3 * 32);
    bench_destroy(&bench);
}
END_TEST

/* ---- hooks ---- */

struct seen {
    unsigned calls, stop_at;
    struct sim_progress last;
};

static bool progress(void *data, const struct sim_progress *progress)
{
    struct seen *seen = data;
    seen->calls++;
    ck_assert_uint_gt(progress->cycle, seen->last.cycle);
    ck_assert_uint_ge(progress->warp_insts, seen->last.warp_insts);
    ck_assert_uint_ge(progress->blocks_done, seen->last.blocks_done);
    seen->last = *progress;
    return seen->calls != seen->stop_at;
}

static struct sim_result hooked(struct bench *bench, const struct launch_text *text,
                                struct seen *seen)
{
    struct sim_hooks hooks = {.progress = progress, .data = seen};
    struct sim_result result;
    struct error err = {0};
    struct trace_kernel *kernel = test_kernel(text);
    ck_assert_int_eq(sim_launch(bench->sim, kernel, &hooks, &result, &err), 0);
    trace_kernel_close(kernel);
    return result;
}

/* One block at a time, 2000 dependent FFMA of 7 cycles each: 14,000 cycles. */
START_TEST(hooks)
{
    const struct launch_text text = {.blocks = 3, .program = "2000 * R1 = FFMA R1; EXIT"};
    struct bench bench = bench_create(SETS("gpgpu_shader_cta=1"));
    struct sim_result plain = bench_launch(&bench, &text);
    sim_reset(bench.sim);
    struct seen seen = {0};
    struct sim_result result = hooked(&bench, &text, &seen);
    ck_assert(!result.stopped);
    ck_assert_uint_eq(result.end_cycle, plain.end_cycle);
    ck_assert_uint_ge(seen.calls, 4);
    ck_assert_uint_eq(seen.last.blocks, 3);
    ck_assert_uint_eq(seen.last.blocks_done, 2);
    ck_assert_uint_le(seen.last.warp_insts, plain.counters.warp_insts);
    sim_reset(bench.sim);
    seen = (struct seen){.stop_at = 2};
    result = hooked(&bench, &text, &seen);
    ck_assert(result.stopped);
    ck_assert_uint_eq(seen.calls, 2);
    ck_assert_uint_eq(result_cycles(&result), seen.last.cycle);
    ck_assert_uint_eq(result.counters.warp_insts, seen.last.warp_insts);
    ck_assert_uint_lt(result.end_cycle, plain.end_cycle);
    /* And the simulator goes on. */
    result = bench_launch(&bench, &text);
    ck_assert_uint_eq(result_cycles(&result), result_cycles(&plain));
    bench_destroy(&bench);
}
END_TEST

/* The caller may also stop when all blocks have ended, but not their stores. */
START_TEST(hooks_of_stores)
{
    const struct launch_text text = {.program = "STG.E R2 R3 [ 4 1 0x1000 4 ]; EXIT"};
    const char *const *sets = SETS("hearth_core=modern", "gpgpu_l2_rop_latency=60000");
    struct bench bench = bench_create(sets);
    struct seen seen = {.stop_at = 3};
    struct sim_result result = hooked(&bench, &text, &seen);
    ck_assert(result.stopped);
    ck_assert_uint_eq(seen.calls, 3);
    ck_assert_uint_eq(seen.last.blocks_done, 1);
    sim_reset(bench.sim);
    seen = (struct seen){0};
    result = hooked(&bench, &text, &seen);
    ck_assert(!result.stopped);
    ck_assert_uint_lt(result.end_cycle, 100);
    ck_assert_uint_gt(seen.last.cycle, 50000);
    bench_destroy(&bench);
}
END_TEST

/* ---- deadlocks ---- */

/* Nothing is issued for long, but a unit will be free: no deadlock. Of three
 * independent instructions the second waits in front of the unit for one
 * initiation interval, the third for two. */
START_TEST(long_wait)
{
    struct sim_result result =
        launch_on(SETS("trace_opcode_latency_initiation_sp=2,65535"),
                  &(struct launch_text){.program = "FFMA; FFMA; FFMA; EXIT"});
    ck_assert_uint_gt(result_cycles(&result), 2 * 65535);
    ck_assert_uint_lt(result_cycles(&result), 2 * 65535 + 100);
}
END_TEST

/* The load waits for good, and with it the barrier. */
START_TEST(deadlock)
{
    struct bench bench = bench_without_loads();
    const struct launch_text text = {
        .threads = 64,
        .program = "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; FFMA R1; BAR; EXIT | BAR; EXIT"};
    ck_assert_str_eq(sim_report(bench.sim), "");
    struct trace_kernel *kernel = test_kernel(&text);
    struct sim_result result;
    struct error err = {0};
    ck_assert_int_eq(sim_launch(bench.sim, kernel, NULL, &result, &err), -1);
    trace_kernel_close(kernel);
    ck_assert_int_eq(err.kind, ERROR_SIMULATION);
    unsigned long long cycles = 0;
    ck_assert_int_eq(
        sscanf(err.text, "deadlock: no instruction was issued for %llu cycles", &cycles), 1);
    ck_assert_uint_gt(cycles, 4096);
    ck_assert_uint_lt(cycles, 1000000);
    const char *report = sim_report(bench.sim);
    ck_assert_ptr_nonnull(strstr(report,
                                 "SM 0 warp 0 (block 0,0,0 warp 0) waits for a register since "
                                 "cycle 2 "));
    ck_assert_ptr_nonnull(strstr(report, "; next: 0010 FFMA\n"));
    ck_assert_ptr_nonnull(strstr(report,
                                 "SM 0 warp 1 (block 0,0,0 warp 1) waits for the other warps "
                                 "at the barrier since cycle 2 "));
    /* The simulator can be used again. */
    struct sim_result after = bench_launch(&bench, &(struct launch_text){.program = "EXIT"});
    ck_assert_uint_eq(result_cycles(&after), 8);
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        clock,
        start_in_window,
        kept,
        flush_l1,
        flush_l2,
        flush_dirty,
        flush_atomics,
        flush_places,
        flush_like_accelsim,
        eviction,
        copy,
        same_again,
        threads,
        sums,
        hooks,
        hooks_of_stores,
        deadlock,
        long_wait,
    };
    return RUN_TESTS("launches", tests);
}
