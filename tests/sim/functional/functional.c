/* Functional launches: what they leave in the caches. */
#include "sim/core/legacy/legacy.h"
#include "sim/simulator.h"
#include "sim/start_state.h"
#include "tests/sim/support.h"
#include "traces/base/files/sealed.h"

#include <stdio.h>

/* Eight blocks of two warps that write 32 lines, and two that read them. */
static const struct launch_text writes = {
    .blocks = 8,
    .threads = 64,
    .program = "STG.E R2 R3 [ 4 1 0x10000 4 ]; STG.E R2 R3 [ 4 1 0x10100 4 ]; EXIT"
               "| STG.E R2 R3 [ 4 1 0x10080 4 ]; EXIT"
               "# STG.E R2 R3 [ 4 1 0x11000 4 ]; STG.E R2 R3 [ 4 1 0x11100 4 ]; EXIT"
               "| STG.E R2 R3 [ 4 1 0x11084 8 ]; EXIT"};
static const struct launch_text reads = {
    .blocks = 8,
    .threads = 64,
    .program = "R1 = LDG.E R2 [ 4 1 0x10000 4 ]; R4 = LDG.E R2 [ 4 1 0x10080 4 ]; EXIT"
               "# R1 = LDG.E R2 [ 4 1 0x11000 4 ]; R4 = LDG.E R2 [ 4 1 0x11104 4 ]; EXIT"
               "| R5 = ATOMG.E.ADD R2 R3 [ 4 1 0x10100 0 ]; EXIT"};
static const struct launch_text others = {
    .blocks = 4,
    .program = "R1 = LDG.E R2 [ 4 1 0x900000 4 ]; STG.E R2 R1 [ 4 1 0xa00000 4 ]; EXIT"};

static struct sim_result functional(struct bench *bench, const struct launch_text *text)
{
    struct error err = {0};
    struct sim_result result;
    struct trace_kernel *kernel = test_kernel_rows(text);
    ck_assert_msg(sim_functional(bench->sim, kernel, NULL, &result, &err) == 0, "%s", err.text);
    trace_kernel_close(kernel);
    return result;
}

/* A saved state's lines of L2 without their order of use: address, valid, dirty, partial. */
struct held {
    uint64_t address;
    uint8_t masks[3];
};

static int by_address(const void *a, const void *b)
{
    const struct held *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static size_t lines_of(struct bench *bench, struct held lines[1024])
{
    size_t size, count = 0;
    char *text = bench_save(bench, &size);
    uint32_t slices, sets;
    memcpy(&slices, text + 12, sizeof slices);
    memcpy(&sets, text + 16, sizeof sets);
    uint32_t left = slices * sets; /* after them comes L1, if it is kept */
    for (size_t at = 8 + 4 + 5 * 4;; count++) {
        for (; left > 0 && text[at] == 0; left--)
            at++; /* ends of sets */
        if (left == 0)
            break;
        ck_assert_uint_lt(count, 1024);
        memset(&lines[count], 0, sizeof lines[count]);
        memcpy(lines[count].masks, text + at, 3);
        memcpy(&lines[count].address, text + at + 3, 8);
        at +=
            11 + 4 * (size_t)__builtin_popcount(lines[count].masks[2]); /* the bytes written */
    }
    free(text);
    qsort(lines, count, sizeof *lines, by_address);
    return count;
}

static void expect_same(struct bench *a, struct bench *b)
{
    static struct held of_a[1024], of_b[1024];
    size_t count = lines_of(a, of_a);
    ck_assert_uint_gt(count, 0);
    ck_assert_uint_eq(count, lines_of(b, of_b));
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(of_a[i].address, of_b[i].address);
        ck_assert_mem_eq(of_a[i].masks, of_b[i].masks, 3);
    }
}

/* Turns are as after the start, so that what remains are the caches. */
#define IN_STEP(...) SETS("hearth_scatter_turns=0", __VA_ARGS__)

static const char *const *const cards[] = {
    IN_STEP("gpgpu_n_clusters=4"),
    IN_STEP("gpgpu_n_clusters=2", "gpgpu_n_cores_per_cluster=2",
            "gpgpu_cache:dl2=S:64:128:16,L:B:m:F:P,A:192:4,32:0,32"),
    IN_STEP("gpgpu_n_clusters=3", "gpgpu_flush_l1_cache=0"),
    IN_STEP("gpgpu_n_clusters=4", "gpgpu_cache:dl1=S:4:128:64,L:L:s:N:L,A:256:32,16:0,32"),
    /* 128 bytes are in several sets: of L2, of L1, of several slices */
    IN_STEP("gpgpu_n_clusters=4", "gpgpu_cache:dl2=N:64:64:16,L:B:m:L:L,A:192:4,32:0,32"),
    IN_STEP("gpgpu_n_clusters=4", "gpgpu_cache:dl1=N:16:64:16,L:T:m:L:L,A:256:32,16:0,32"),
    IN_STEP("gpgpu_n_clusters=4", "gpgpu_n_mem=4", "gpgpu_n_sub_partition_per_mchannel=1",
            "gpgpu_memory_partition_indexing=0",
            "gpgpu_mem_addr_mapping=00000000.00000000.00000000.00000000."
            "0000RRRR.RRRRRRRR.BBBCCCCB.DDCSSSSS"),
    IN_STEP("gpgpu_n_clusters=4", "hearth_l2_fetch=64", "hearth_sm_port=64"),
    IN_STEP("gpgpu_n_clusters=4", "gpgpu_n_sub_partition_per_mchannel=2",
            "hearth_l2_far_latency=150"),
    IN_STEP("gpgpu_n_clusters=4", "gpgpu_n_mem=2", "hearth_l2_far_latency=50",
            "hearth_l2_fetch=128", "gpgpu_cache:dl2=S:64:128:16,L:B:m:F:P,A:192:4,32:0,32"),
    IN_STEP("gpgpu_n_clusters=4", "hearth_l2_dirty_kept=128"),
};
#define CARDS (int)(sizeof cards / sizeof *cards)

/* What fits: tag for tag, dirty bit for dirty bit as after a launch with time. */
START_TEST(leaves_what_time_leaves)
{
    struct bench timed = bench_create(cards[_i]), without = bench_create(cards[_i]);
    bench_launch(&timed, &writes);
    functional(&without, &writes);
    expect_same(&timed, &without);
    bench_launch(&timed, &reads);
    functional(&without, &reads);
    expect_same(&timed, &without);
    bench_destroy(&timed);
    bench_destroy(&without);
}
END_TEST

/* A store and a load of lanes anywhere within 2 MiB, out of order, and some twice; EACH of them
 * stand in a row. */
static void write_scatter(char *program, size_t size, uint64_t *random, uint32_t width,
                          int each)
{
    FILE *out = fmemopen(program, size, "w");
    for (int inst = 0; inst < 2; inst++) {
        fprintf(out, inst == 0 ? "STG.E R2 R3 [ %u 0" : "R1 = LDG.E R2 [ %u 0", width);
        uint64_t span = 64ull << (*random >> 40) % 16;
        unsigned at = 0;
        for (int lane = 0; lane < 32; lane++) {
            *random = *random * 6364136223846793005u + 1442695040888963407u;
            at = lane % each != 0 ? at + width : (unsigned)((*random >> 17) % span) * width;
            fprintf(out, " 0x%x", 0x100000 + at);
        }
        fprintf(out, " ]; ");
    }
    fprintf(out, "EXIT");
    fclose(out);
}

/* Wherever lanes go: the lines, sectors and bytes of a launch with time. */
START_TEST(scattered_as_with_time)
{
    char program[4000];
    const struct launch_text text = {.program = program};
    uint64_t random = 1;
    for (uint32_t i = 0; i < 50; i++) {
        struct bench timed = bench_create(cards[_i]), without = bench_create(cards[_i]);
        write_scatter(program, sizeof program, &random, 1u << i % 5,
                      i % 2 ? 1 << i / 2 % 5 : 1);
        struct sim_result a = bench_launch(&timed, &text), b = functional(&without, &text);
        expect_same(&timed, &without);
        ck_assert_uint_eq(a.counters.l1d_accesses, b.counters.l1d_accesses);
        ck_assert_uint_eq(a.counters.l2_writes, b.counters.l2_writes);
        bench_destroy(&timed);
        bench_destroy(&without);
    }
}
END_TEST

/* The launch behind it finds all of it, and takes as long as behind a state from a file. */
START_TEST(restored_as_run)
{
    struct error err = {0};
    struct bench run = bench_create(cards[_i]), restored = bench_create(cards[_i]);
    FILE *file = tmpfile();
    functional(&run, &writes);
    sim_flush(run.sim, SIM_L1, false);
    ck_assert_int_eq(sim_save(run.sim, file, "state", &err), 0);
    rewind(file);
    ck_assert_int_eq(sim_restore(restored.sim, file, "state", &err), 0);
    struct sim_result a = bench_launch(&run, &reads), b = bench_launch(&restored, &reads);
    ck_assert_uint_eq(result_cycles(&a), result_cycles(&b));
    ck_assert_mem_eq(&a.counters, &b.counters, sizeof a.counters);
    fclose(file);
    bench_destroy(&run);
    bench_destroy(&restored);
}
END_TEST

/* Launches with data of their own: after a functional one as cold, to the cycle. Its blocks
 * end with the last of 2, 3 or 4 clusters, where the next launch begins in any case. */
START_TEST(disjoint_as_cold)
{
    struct bench cold = bench_create(cards[_i]), warm = bench_create(cards[_i]);
    struct launch_text twelve = others;
    twelve.blocks = 12;
    functional(&warm, &twelve);
    struct sim_result a = bench_launch(&cold, &reads), b = bench_launch(&warm, &reads);
    ck_assert_uint_eq(b.gap_cycles, 0);
    ck_assert_uint_eq(result_cycles(&a), result_cycles(&b));
    ck_assert_mem_eq(&a.counters, &b.counters, sizeof a.counters);
    bench_destroy(&cold);
    bench_destroy(&warm);
}
END_TEST

static const struct legacy *core(const struct sim *sim, uint32_t sm)
{
    return (const struct legacy *)sim->engine.sms[sm];
}

static bool all_in_step(const struct sim *sim)
{
    for (uint32_t s = 1; s < sim->engine.spec.sms; s++)
        if (core(sim, s)->turn != core(sim, 0)->turn ||
            core(sim, s)->last_fetched != core(sim, 0)->last_fetched)
            return false;
    return true;
}

/* After functional warm-up turns are scattered, the same way each time, and not before the
 * launch that is measured; behind launches with time, or with the option 0, nothing is. */
START_TEST(scatters_turns)
{
    const char *const *sets = SETS("gpgpu_n_clusters=46");
    struct bench a = bench_create(sets), b = bench_create(sets),
                 step = bench_create(IN_STEP("gpgpu_n_clusters=46"));
    functional(&a, &writes);
    functional(&b, &writes);
    functional(&step, &writes);
    ck_assert(all_in_step(a.sim));
    start_state_take_turns(a.sim, 7);
    ck_assert(!all_in_step(a.sim));
    uint32_t turn = a.sim->last_turn, fetched = core(a.sim, 3)->last_fetched;
    start_state_take_turns(a.sim, 8); /* once */
    ck_assert_uint_eq(a.sim->last_turn, turn);
    start_state_take_turns(b.sim, 7);
    ck_assert_uint_eq(b.sim->last_turn, turn);
    ck_assert_uint_eq(core(b.sim, 3)->last_fetched, fetched);
    start_state_take_turns(step.sim, 7);
    ck_assert(all_in_step(step.sim));
    bench_destroy(&a);
    bench_destroy(&b);
    bench_destroy(&step);
}
END_TEST

/* A phase lets cycles pass, charged to no launch. */
START_TEST(starts_in_phase)
{
    struct bench plain = bench_create(NO_SETS),
                 bench = bench_create(SETS("hearth_start_phase=5"));
    struct sim_result a = bench_launch(&plain, &reads), b = bench_launch(&bench, &reads);
    ck_assert_uint_eq(a.start_cycle, 0);
    ck_assert_uint_eq(b.start_cycle, 5);
    ck_assert_uint_eq(b.gap_cycles, 0); /* nothing had to drain */
    ck_assert_uint_eq(a.counters.l2_reads, b.counters.l2_reads);
    bench_destroy(&plain);
    bench_destroy(&bench);
}
END_TEST

/* Launches after functional launches, and after timed ones. */
static void check_in_phase(const char *const *sets)
{
    struct bench timed = bench_create(sets), without = bench_create(sets);
    bench_launch(&timed, &others); /* the instruction caches know the kernel then */
    bench_launch(&without, &others);
    struct sim_result written = bench_launch(&timed, &writes);
    functional(&without, &writes);
    sim_flush(timed.sim, SIM_L1, false); /* which SM had which block is another thing */
    sim_flush(without.sim, SIM_L1, false);
    struct sim_result a = bench_launch(&timed, &reads), b = bench_launch(&without, &reads);
    ck_assert_uint_gt(a.start_cycle, written.end_cycle);
    ck_assert_uint_ne(a.start_cycle, b.start_cycle);
    ck_assert_uint_eq(a.end_cycle - a.start_cycle, b.end_cycle - b.start_cycle);
    ck_assert_uint_eq(a.counters.l2_reads, b.counters.l2_reads);
    bench_destroy(&timed);
    bench_destroy(&without);
}

/* In one phase they take as long, from whatever cycle on, where the caches hold the same. */
START_TEST(in_phase_as_with_time)
{
    check_in_phase(SETS("gpgpu_n_clusters=4", "hearth_start_phase=1"));
    check_in_phase(
        SETS("gpgpu_n_clusters=2", "gpgpu_n_cores_per_cluster=2", "hearth_start_phase=7"));
    check_in_phase(SETS("gpgpu_n_clusters=4", "hearth_start_phase=1",
                        "gpgpu_clock_domains=1000:1000:700:1234.5"));
}
END_TEST

/* Loads of many DRAM rows, by all SMs: slices that share a channel wait for each other. */
static const struct launch_text contended = {
    .blocks = 16,
    .threads = 256,
    .program = "R1 = LDG.E R2 [ 4 1 0x10000 4096 ]; R3 = LDG.E R2 [ 4 1 0x50000 4128 ];"
               "STG.E R2 R1 [ 4 1 0x90000 4096 ]; R4 = LDG.E R2 [ 4 1 0xd0040 8192 ]; EXIT"};

#define IN_PHASE(...)                                                                          \
    SETS("gpgpu_n_clusters=8", "gpgpu_n_mem=2", "hearth_start_phase=1", __VA_ARGS__)
#define REFRESH(...)                                                                           \
    IN_PHASE("hearth_dram_refresh_interval=900", "hearth_dram_refresh=200", __VA_ARGS__)
static const char *const *const phases[] = {
    IN_PHASE(NULL),
    REFRESH(NULL),
    REFRESH("hearth_dram_refresh_banks=1", "hearth_dram_refresh_together=1"),
    REFRESH("hearth_dram_refresh_banks=1", "hearth_dram_close=40"),
    IN_PHASE("gpgpu_shader_cta=1", "hearth_gpcs=2", "hearth_gpc_blocks=1",
             "hearth_block_sweep=300"),
};

/* Cycles of `contended` with empty caches, behind some launches. */
static uint64_t cycles_behind(const char *const *sets, const struct launch_text *const *before,
                              size_t count)
{
    struct bench bench = bench_create(sets);
    bench_launch(&bench, &others); /* the instruction caches know the kernel then */
    for (size_t i = 0; i < count; i++)
        bench_launch(&bench, before[i]);
    sim_flush(bench.sim, SIM_L1 | SIM_L2, false);
    struct sim_result result = bench_launch(&bench, &contended);
    bench_destroy(&bench);
    return result.end_cycle - result.start_cycle;
}

/* With empty caches it makes no difference what was before: nothing else is left of it, nor
 * does it matter when DRAM refreshed. */
START_TEST(in_phase_nothing_is_left)
{
    const struct launch_text *const before[] = {&contended, &reads, &contended, &writes};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        uint64_t first = cycles_behind(phases[i], NULL, 0);
        for (size_t from = 0; from < 4; from++)
            for (size_t count = 1; from + count <= 4; count++)
                ck_assert_uint_eq(cycles_behind(phases[i], before + from, count), first);
    }
}
END_TEST

/* After functional launches, refreshes of DRAM are somewhere in their interval. */
START_TEST(scatters_refreshes)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (uint64_t number = 1; number <= 10; number++) {
        struct bench bench =
            bench_create(SETS("hearth_dram_refresh_interval=1000", "hearth_dram_refresh=200"));
        functional(&bench, &writes);
        start_state_take_turns(bench.sim, number);
        uint64_t passed = bench.sim->engine.partitions[0].dram.refresh_passed;
        ck_assert_uint_lt(passed, 1000);
        least = passed < least ? passed : least;
        most = passed > most ? passed : most;
        bench_destroy(&bench);
    }
    ck_assert_uint_gt(most - least, 500);
}
END_TEST

/* Counters are those of the launch with time, where nothing is on its way twice. */
START_TEST(counts)
{
    const struct launch_text one = {
        .program = "R1 = LDG.E R2 [ 4 1 0x10000 4 ]; NOP; STG.E R2 R1 [ 4 1 0x10000 4 ]; EXIT"};
    struct bench timed = bench_create(NO_SETS), without = bench_create(NO_SETS);
    struct sim_result a = bench_launch(&timed, &one), b = functional(&without, &one);
    ck_assert_uint_eq(b.start_cycle, b.end_cycle);
    ck_assert_uint_eq(b.counters.warp_insts, a.counters.warp_insts);
    ck_assert_uint_eq(b.counters.thread_insts, a.counters.thread_insts);
    ck_assert_uint_eq(b.counters.blocks, 1);
    ck_assert_uint_eq(b.counters.l1d_accesses, 8);
    ck_assert_uint_eq(b.counters.l2_reads, 4);
    ck_assert_uint_eq(b.counters.l2_read_misses, 4);
    ck_assert_uint_eq(b.counters.l2_writes, 4);
    ck_assert_uint_eq(b.counters.dram_reads, 4);
    bench_destroy(&timed);
    bench_destroy(&without);
}
END_TEST

#define TURN(address)                                                                          \
    ":1 STG.E R2 R3 [ 4 1 " address " 4 ]; R2 = IADD3 R2; ISETP.GE.AND R2; BRA;"

/* Two warps, each in a loop that stores one line a turn: no warp does all of its turns before
 * the other one begins. L2 holds what both wrote last. */
START_TEST(loops_of_stores_take_turns)
{
    const char *const *card = IN_STEP("gpgpu_cache:dl2=S:1:128:4,L:B:m:L:L,A:192:4,32:0,32");
    const struct launch_text text = {.threads = 64,
                                     .program = TURN("0x1000") TURN("0x2000") TURN("0x3000")
                                         TURN("0x4000") "EXIT |" TURN("0x5000") TURN("0x6000")
                                             TURN("0x7000") TURN("0x8000") "EXIT"};
    struct bench timed = bench_create(card), without = bench_create(card);
    bench_launch(&timed, &text);
    functional(&without, &text);
    expect_same(&timed, &without);
    struct held lines[1024];
    ck_assert_uint_eq(lines_of(&without, lines), 4);
    ck_assert_uint_eq(lines[0].address, 0x3000);
    ck_assert_uint_eq(lines[3].address, 0x8000);
    bench_destroy(&timed);
    bench_destroy(&without);
}
END_TEST

/* In an L2 of two lines, TEXT leaves FIRST and SECOND, as in a timed launch. */
static void expect_two_lines(const struct launch_text *text, uint64_t first, uint64_t second)
{
    const char *const *card = IN_STEP("gpgpu_cache:dl2=S:1:128:2,L:B:m:L:L,A:192:4,32:0,32");
    struct bench timed = bench_create(card), without = bench_create(card);
    bench_launch(&timed, text);
    functional(&without, text);
    expect_same(&timed, &without);
    struct held lines[1024];
    ck_assert_uint_eq(lines_of(&without, lines), 2);
    ck_assert_uint_eq(lines[0].address, first);
    ck_assert_uint_eq(lines[1].address, second);
    bench_destroy(&timed);
    bench_destroy(&without);
}

/* One warp loads four lines whose addresses it computes in between; the second line of the
 * other warp depends on its first one, so it comes last. */
START_TEST(loads_do_not_wait_for_each_other)
{
    const struct launch_text text = {
        .threads = 64,
        .program =
            "R4 = LDG.E R2 [ 4 1 0x1000 4 ]; R2 = IADD3 R2; R5 = LDG.E R2 [ 4 1 0x2000 4 ];"
            "R2 = IADD3 R2; R6 = LDG.E R2 [ 4 1 0x3000 4 ]; R2 = IADD3 R2;"
            "R7 = LDG.E R2 [ 4 1 0x4000 4 ]; EXIT |"
            "R4 = LDG.E R2 [ 4 1 0x5000 4 ]; R8 = LDG.E R4 [ 4 1 0x6000 4 ]; EXIT"};
    expect_two_lines(&text, 0x4000, 0x6000);
}
END_TEST

/* The address of a warp's second load is computed from what its first one reads: it comes after
 * the three of another warp. If the trace does not say so, the two warps take turns. */
START_TEST(loads_wait_for_their_address)
{
    const struct launch_text text = {
        .blocks = 2,
        .threads = 64,
        .program =
            "R4 = LDG.E R2 [ 4 1 0x1000 4 ]; R6 = IADD3 R4; R5 = LDG.E R6 [ 4 1 0x2000 4 ];"
            "EXIT | :16 R4 = LDG.E R2 [ 4 1 0x5000 4 ]; R2 = IADD3 R2;"
            "R5 = LDG.E R2 [ 4 1 0x6000 4 ]; R2 = IADD3 R2; R6 = LDG.E R2 [ 4 1 0x7000 4 ];"
            "EXIT # EXIT"};
    expect_two_lines(&text, 0x2000, 0x7000);
}
END_TEST

/* Two warps do WHAT, the first one after two loads of which one needs the other's data. FIRST
 * and 0x6000 are the last two lines that are loaded. */
static void check_barrier(const char *what, uint64_t first)
{
    char program[400];
    const struct launch_text text = {.blocks = 2, .threads = 64, .program = program};
    snprintf(program, sizeof program,
             "R4 = LDG.E R2 [ 4 1 0x1000 4 ]; R6 = IADD3 R4; R5 = LDG.E R6 [ 4 1 0x2000 4 ];"
             "R7 = IADD3 R5; %s; R8 = LDS R9 [ 4 1 0x0 4 ]; EXIT |"
             ":16 R4 = LDG.E R2 [ 4 1 0x4000 4 ]; R2 = IADD3 R2; %s;"
             "R5 = LDG.E R2 [ 4 1 0x5000 4 ]; R7 = LDG.E R2 [ 4 1 0x6000 4 ]; EXIT # EXIT",
             what, what);
    expect_two_lines(&text, first, 0x6000);
}

/* At a barrier, the second warp waits for the first one, and its lines come last. */
START_TEST(warps_wait_at_barriers)
{
    check_barrier("BAR.SYNC $ 0", 0x5000);
    check_barrier("NOP", 0x2000);
}
END_TEST

/* Where warps get places of the memory queue in turn, two that load two lines each alternate:
 * an L2 of two lines holds the second one of each. Else the loads of a warp come together. */
START_TEST(warps_take_turns)
{
    const char *const *card =
        IN_STEP("hearth_core=modern", "gpgpu_scheduler=cggty", "hearth_memory_turns=1",
                "gpgpu_cache:dl2=S:1:128:2,L:B:m:L:L,A:192:4,32:0,32");
    const char *const *other = IN_STEP("gpgpu_cache:dl2=S:1:128:2,L:B:m:L:L,A:192:4,32:0,32");
    const struct launch_text text = {
        .threads = 64,
        .program = "R4 = LDG.E R2 [ 4 1 0x1000 4 ]; R5 = LDG.E R2 [ 4 1 0x2000 4 ]; EXIT |"
                   "R4 = LDG.E R2 [ 4 1 0x3000 4 ]; R5 = LDG.E R2 [ 4 1 0x4000 4 ]; EXIT"};
    struct bench timed = bench_create(card), without = bench_create(card);
    struct bench together = bench_create(other);
    bench_launch(&timed, &text);
    functional(&without, &text);
    functional(&together, &text);
    expect_same(&timed, &without);
    struct held lines[1024];
    ck_assert_uint_eq(lines_of(&without, lines), 2);
    ck_assert_uint_eq(lines[0].address, 0x2000);
    ck_assert_uint_eq(lines[1].address, 0x4000);
    ck_assert_uint_eq(lines_of(&together, lines), 2);
    ck_assert_uint_eq(lines[0].address, 0x3000);
    ck_assert_uint_eq(lines[1].address, 0x4000);
    bench_destroy(&timed);
    bench_destroy(&without);
    bench_destroy(&together);
}
END_TEST

/* An L2 of one set of two lines: dirty lines go, the least recently used ones first, and
 * their sectors are counted. */
START_TEST(evicts)
{
    struct bench bench =
        bench_create(SETS("gpgpu_cache:dl2=S:1:128:2,L:B:m:L:L,A:192:4,32:0,32"));
    const struct launch_text text = {
        .program =
            "STG.E R2 R3 [ 4 1 0x1000 4 ]; STG.E R2 R3 [ 4 1 0x2000 4 ];"
            "R1 = ATOMG.E.ADD R2 R3 [ 4 1 0x1000 4 ]; STG.E R2 R3 [ 4 1 0x3000 4 ]; EXIT"};
    struct sim_result result = functional(&bench, &text);
    ck_assert_uint_eq(result.counters.l2_evictions_dirty, 1);
    ck_assert_uint_eq(result.counters.dram_writes, 4);
    struct held lines[1024];
    ck_assert_uint_eq(lines_of(&bench, lines), 2);
    ck_assert_uint_eq(lines[0].address, 0x1000);
    ck_assert_uint_eq(lines[1].address, 0x3000);
    bench_destroy(&bench);
}
END_TEST

/* COUNT instructions, each at the address behind that of the one before. */
static void write_lines(char *program, const char *inst, uint32_t address, int count)
{
    program[0] = '\0';
    for (int i = 0; i < count; i++)
        sprintf(program + strlen(program), "%s [ 4 1 0x%x 4 ];", inst, address + 128 * i);
    strcat(program, "EXIT");
}

/* An L2 of one set of 32 lines, in which no time has passed: 31 written lines, then a copied
 * one. As many more take the places of those that were written. */
static void expect_copies_last(bool on_device)
{
    struct bench bench =
        bench_create(SETS("gpgpu_cache:dl2=S:1:128:32,L:B:m:L:L,A:192:4,32:0,32",
                          on_device ? "hearth_device_copies=1" : "gpgpu_perf_sim_memcpy=1"));
    char program[2000];
    const struct launch_text text = {.program = program};
    write_lines(program, "STG.E R2 R3", 0x10000, 31);
    functional(&bench, &text);
    sim_copy(bench.sim, 0x4000, 128, on_device);
    write_lines(program, "R1 = LDG.E R2", 0x20000, 31);
    functional(&bench, &text);
    struct held lines[1024];
    ck_assert_uint_eq(lines_of(&bench, lines), 32);
    ck_assert_uint_eq(lines[0].address, 0x4000);
    ck_assert_uint_eq(lines[1].address, 0x20000);
    bench_destroy(&bench);
}

START_TEST(copies_come_last)
{
    expect_copies_last(false);
    expect_copies_last(true);
}
END_TEST

/* The 16 instructions of a function, 2 lines, which its launch brings to L2. */
START_TEST(brings_code)
{
#define FOUR_INSTS                                                                             \
    "000fea00000000000000000000000000\n000fea00000000000000000000000000\n"                     \
    "000fea00000000000000000000000000\n000fea00000000000000000000000000\n"
    const char *const *sets =
        SETS("hearth_core=modern", "gpgpu_scheduler=cggty", "hearth_icache=1",
             "hearth_icache_l2_latency=24", "hearth_gcc=1024", "hearth_gcc_ways=0",
             "hearth_gcc_ahead=65536");
    const struct launch_text text = {
        .code = "address 7000\ncode 16\n" FOUR_INSTS FOUR_INSTS FOUR_INSTS FOUR_INSTS,
        .program = "EXIT"};
    struct bench timed = bench_create(sets), without = bench_create(sets);
    struct held lines[1024];
    bench_launch(&timed, &text);
    functional(&without, &text);
    functional(&without, &text);
    expect_same(&timed, &without);
    ck_assert_uint_eq(lines_of(&without, lines), 2);
    bench_destroy(&timed);
    bench_destroy(&without);
}
END_TEST

/* ---- which SM gets a block ---- */

static enum sim_block_choice note_sm(void *data, const struct sim_block *block,
                                     uint64_t *cycles)
{
    ((uint32_t *)data)[block->order] = block->sm;
    return SIM_BLOCK_RUN;
}

/* The SMs that blocks of TEXT go to are the same with time and without. The first ones go to
 * SMs 0 to 3, and four more to those of LATER. */
static void expect_sms(const char *const *sets, const char *program, const uint32_t later[4])
{
    const struct launch_text text = {.blocks = 8, .program = program};
    for (int timed = 0; timed < 2; timed++) {
        struct bench bench = bench_create(sets);
        struct trace_kernel *kernel = test_kernel_rows(&text);
        struct error err = {0};
        struct sim_result result;
        uint32_t sms[8];
        const struct sim_hooks hooks = {.block_begins = note_sm, .data = sms};
        int status =
            (timed ? sim_launch : sim_functional)(bench.sim, kernel, &hooks, &result, &err);
        ck_assert_msg(status == 0, "%s", err.text);
        for (uint32_t i = 0; i < 4; i++) {
            ck_assert_uint_eq(sms[i], i);
            ck_assert_uint_eq(sms[4 + i], later[i]);
        }
        trace_kernel_close(kernel);
        bench_destroy(&bench);
    }
}

/* The first block and the last four take longer than the other three. */
#define LONG(address)                                                                          \
    "R1 = LDG.E R2 [ 4 1 0x" #address "0000 4 ]; R3 = LDG.E R1 [ 4 1 0x" #address              \
    "4000 4 ]; R4 = LDG.E R3 [ 4 1 0x" #address "8000 4 ]; EXIT"
#define SHORT(address) "R1 = LDG.E R2 [ 4 1 0x" #address "0000 4 ]; EXIT"
#define UNEVEN                                                                                 \
    LONG(1)                                                                                    \
    "#" SHORT(2) "#" SHORT(3) "#" SHORT(4) "#" LONG(5) "#" LONG(6) "#" LONG(7) "#" LONG(8)
#define FOUR_SMS(...)                                                                          \
    SETS("gpgpu_n_clusters=4", "gpgpu_shader_cta=1", "hearth_first_sm=1", "hearth_gpcs=2",     \
         "hearth_gpc_blocks=1", __VA_ARGS__)

/* An SM gets another block when one has ended; that of the longest one comes last. */
START_TEST(blocks_follow_blocks)
{
    expect_sms(FOUR_SMS(NULL), UNEVEN, (const uint32_t[]){1, 2, 3, 0});
}
END_TEST

/* No SM gets another block before cycle 9,000, when all have ended. */
START_TEST(blocks_wait_for_turnaround)
{
    expect_sms(FOUR_SMS("hearth_block_turnaround=9000"), UNEVEN,
               (const uint32_t[]){0, 1, 2, 3});
}
END_TEST

/* The dispatcher comes to the second GPC in cycle 4,000, and to the first one in 8,000. */
START_TEST(blocks_come_in_sweeps)
{
    expect_sms(FOUR_SMS("hearth_block_sweep=8000"), UNEVEN, (const uint32_t[]){2, 3, 0, 1});
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {scatters_turns,
                                  scatters_refreshes,
                                  starts_in_phase,
                                  in_phase_as_with_time,
                                  in_phase_nothing_is_left,
                                  counts,
                                  evicts,
                                  copies_come_last,
                                  loops_of_stores_take_turns,
                                  loads_do_not_wait_for_each_other,
                                  loads_wait_for_their_address,
                                  warps_wait_at_barriers,
                                  warps_take_turns,
                                  brings_code,
                                  blocks_follow_blocks,
                                  blocks_wait_for_turnaround,
                                  blocks_come_in_sweeps};
    const TTest *const loops[] = {leaves_what_time_leaves, scattered_as_with_time,
                                  restored_as_run, disjoint_as_cold};
    return RUN_LOOPS("functional", tests, loops, CARDS);
}
