/* Code from L2 (-hearth_icache_l2_latency): one SM, one L2 slice, all clocks equal.
 *
 * A sector that the SM sends for in cycle c is at the crossbar in c+1, in the rop queue in c+2,
 * at the slice 187 later, found in c+190, at the reply crossbar in c+191, and at the SM in
 * c+193. One that L2 lacks: to DRAM's latency, 254, in c+192, DRAM's queue in c+446, ACT c+447,
 * RD 24 and pins 48 later in c+495, slice c+496, answered c+497, reply crossbar c+498, SM
 * c+500 (tests/sim/memory.c). The four sectors of a line are sent for in a row; DRAM reads them
 * CCDL, 6, apart. If their row is open, RCD, 24, is not needed.
 *
 * The first line is looked up in cycle 1 and by L1, which lacks it, in 21. Its instruction can
 * issue two cycles after it has come, 24 after its last sector, and the launch ends a cycle
 * later. */
#include "sim/core/modern/modern.h"
#include "sim/simulator.h"
#include "tests/sim/support.h"

#define LOOKED_UP 21
#define FROM_L2   193
#define FROM_DRAM 500
#define MORE      24
#define CCDL      6
#define RCD       24
#define END       3 /* from the arrival of a line on */
#define CODE(...)                                                                              \
    SETS("hearth_core=modern", "gpgpu_scheduler=cggty", "hearth_instruction_buffer=0",         \
         "hearth_branch_latency=1", "hearth_icache=1", "hearth_icache_l0=128",                 \
         "gpgpu_cache:il1=N:1:128:1,L:R:f:N:L,S:2:48,4", "hearth_icache_stream=0",             \
         "hearth_icache_l1_latency=20", "hearth_icache_miss_latency=100",                      \
         "hearth_icache_load_latency=300", "hearth_icache_l2_latency=24", __VA_ARGS__)

#define FIRST 4 /* cycles with code that is there */

static const struct launch_text one = {.program = "EXIT"}, other = {.program = ":8 EXIT"};

static struct sim_result launch(struct bench *bench, const struct launch_text *text,
                                uint64_t cycles)
{
    struct sim_result result = bench_launch(bench, text);
    ck_assert_uint_eq(result_cycles(&result), cycles);
    return result;
}

/* From DRAM; from L0; from L2, as another line has taken the place in L0 and L1; and from DRAM
 * again, after L2 was flushed. */
START_TEST(launches)
{
    struct bench bench = bench_create(CODE(NULL));
    const uint64_t cold = LOOKED_UP + FROM_DRAM + 3 * CCDL + MORE + END,
                   warm = LOOKED_UP + 3 + FROM_L2 + MORE + END;
    struct sim_result result = launch(&bench, &one, cold);
    ck_assert_uint_eq(result.counters.l2_code_reads, 4);
    ck_assert_uint_eq(result.counters.l2_code_read_misses, 4);
    ck_assert_uint_eq(result.counters.l2_reads, 0);
    ck_assert_uint_eq(result.counters.dram_reads, 4);
    result = launch(&bench, &one, FIRST);
    ck_assert_uint_eq(result.counters.l2_code_reads, 0);
    launch(&bench, &other, cold); /* in another bank */
    result = launch(&bench, &one, warm);
    ck_assert_uint_eq(result.counters.l2_code_reads, 4);
    ck_assert_uint_eq(result.counters.l2_code_read_misses, 0);
    ck_assert_uint_eq(result.counters.dram_reads, 0);
    launch(&bench, &other, warm);
    sim_flush(bench.sim, SIM_L2, true);
    launch(&bench, &one, cold - RCD);
    bench_destroy(&bench);
}
END_TEST

/* With a stream buffer of one line, both lines are asked for at once, the second in 25 to 28.
 * The first is there in 218, a cycle after its last sector; the NOP issues in 220, and finds
 * that the second is on its way until 221. Its stall is over later than that, in 235. */
START_TEST(stall_meets_line)
{
    const struct launch_text text = {.program = "{15} NOP; :8 EXIT"};
    struct bench bench =
        bench_create(CODE("hearth_icache_stream=1", "hearth_icache_l2_latency=1"));
    bench_launch(&bench, &text);
    launch(&bench, &text, 235 + 1);
    bench_destroy(&bench);
}
END_TEST

/* 0x7000 is the address of the function, whose code lies in two lines, 16 instructions: a
 * launch brings them to L2, so that data there are found, in whatever cycle. The third line is
 * not part of the function. What is not brought the SM asks for, before the data: the first
 * line.
 */
START_TEST(brought)
{
    const struct launch_text text = {
        .code = "address 7000\ncode 16\n"
                "000fea00000000000000000000000000\n000fea00000000000000000000000000\n"
                "000fea00000000000000000000000000\n000fea00000000000000000000000000\n"
                "000fea00000000000000000000000000\n000fea00000000000000000000000000\n"
                "000fea00000000000000000000000000\n000fea00000000000000000000000000\n"
                "000fea00000000000000000000000000\n000fea00000000000000000000000000\n"
                "000fea00000000000000000000000000\n000fea00000000000000000000000000\n"
                "000fea00000000000000000000000000\n000fea00000000000000000000000000\n"
                "000fea00000000000000000000000000\n000fea00000000000000000000000000\n",
        .program = "@1 R1 = LDG.E.STRONG.GPU R2 [ 4 0 0x7000 ];"
                   "@1 R1 = LDG.E.STRONG.GPU R2 [ 4 0 0x70e0 ];"
                   "@1 R1 = LDG.E.STRONG.GPU R2 [ 4 0 0x7100 ]; EXIT"};
    static const struct {
        const char *gcc, *ahead;
        uint64_t asked, hits;
    } rows[] = {{"hearth_gcc=1024", "hearth_gcc_ahead=65536", 0, 2},
                {"hearth_gcc=1024", "hearth_gcc_ahead=128", 0, 1},
                {"hearth_gcc=1024", "hearth_gcc_ahead=0", 4, 1},
                {"hearth_gcc=0", "hearth_gcc_ahead=65536", 4, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench bench =
            bench_create(CODE("hearth_gcc_ways=0", rows[i].gcc, rows[i].ahead));
        struct sim_result result = bench_launch(&bench, &text);
        ck_assert_uint_eq(result.counters.l2_code_reads, rows[i].asked);
        ck_assert_uint_eq(result.counters.l2_reads, 3);
        ck_assert_uint_eq(result.counters.l2_read_hits, rows[i].hits);
        bench_destroy(&bench);
    }
}
END_TEST

#define STRAIGHT     "000fea00000000000000000000000000\n"
#define LINE_OF_CODE STRAIGHT STRAIGHT STRAIGHT STRAIGHT STRAIGHT STRAIGHT STRAIGHT STRAIGHT

/* A function of two lines, 8 sectors. Its launch begins in cycle 50. While nothing has emptied
 * L2, it holds the code at once: the first line is near in 50 + 21. After that, the launch
 * brings the lines from DRAM, in 50 + 100 and 50 + 100 + 60, and reads 5 sectors besides; a
 * jump from the first to the second one waits for that. Then all caches hold the code. */
START_TEST(brought_cold)
{
    const struct launch_text text = {.code =
                                         "address 7000\ncode 16\n" LINE_OF_CODE LINE_OF_CODE,
                                     .program = "EXIT"},
                             jump = {.code =
                                         "address 8000\ncode 16\n" LINE_OF_CODE LINE_OF_CODE,
                                     .program = "{1} NOP; :8 EXIT"};
    struct bench bench = bench_create(
        CODE("gpgpu_kernel_launch_latency=50", "hearth_gcc=1024", "hearth_gcc_ways=0",
             "hearth_gcc_ahead=65536", "hearth_gcc_latency=10", "hearth_cold_code_latency=100",
             "hearth_cold_code_interval=60", "hearth_cold_sectors=5"));
    struct sim_result result = launch(&bench, &text, 50 + LOOKED_UP + END);
    ck_assert_uint_eq(result.counters.dram_reads, 0);
    sim_flush(bench.sim, SIM_L2, true);
    result = launch(&bench, &text, 50 + 100 + END);
    ck_assert_uint_eq(result.counters.l2_code_reads, 8 + 5);
    ck_assert_uint_eq(result.counters.l2_code_read_misses, 8 + 5);
    ck_assert_uint_eq(result.counters.l2_reads, 0);
    ck_assert_uint_eq(result.counters.dram_reads, 8 + 5);
    ck_assert_uint_eq(result.counters.dram_read_bytes, (8 + 5) * 32);
    result = launch(&bench, &text, 50 + FIRST);
    ck_assert_uint_eq(result.counters.dram_reads, 0);
    launch(&bench, &jump, 50 + 100 + 60 + END);
    bench_destroy(&bench);
}
END_TEST

/* The same function with its code in L2: the GCC gets its second line 60 cycles after the begin
 * of the launch in cycle 50, and keeps it for the next one. */
START_TEST(brought_in_turn)
{
    const struct launch_text jump = {.code =
                                         "address 8000\ncode 16\n" LINE_OF_CODE LINE_OF_CODE,
                                     .program = "{1} NOP; :8 EXIT"};
    uint64_t cycles[2][2];
    for (int i = 0; i < 2; i++) {
        struct bench bench = bench_create(
            CODE("gpgpu_kernel_launch_latency=50", "hearth_gcc=1024", "hearth_gcc_ways=0",
                 "hearth_gcc_ahead=65536", "hearth_gcc_latency=10",
                 i == 0 ? "hearth_gcc_ahead_interval=0" : "hearth_gcc_ahead_interval=60"));
        for (int j = 0; j < 2; j++) {
            struct sim_result result = bench_launch(&bench, &jump);
            cycles[i][j] = result_cycles(&result);
        }
        bench_destroy(&bench);
    }
    ck_assert_uint_lt(cycles[0][0], cycles[1][0]);
    ck_assert_uint_eq(cycles[1][0], 50 + 60 + END);
    ck_assert_uint_eq(cycles[1][1], cycles[0][1]);
}
END_TEST

static void run_untimed(struct bench *bench, const struct launch_text *text)
{
    struct error err = {0};
    struct sim_result result;
    struct trace_kernel *kernel = test_kernel_rows(text);
    ck_assert_msg(sim_functional(bench->sim, kernel, NULL, &result, &err) == 0, "%s", err.text);
    trace_kernel_close(kernel);
}

/* A function of two lines, the second of which its launch does not bring near, and two of one
 * line, in a GCC of three lines. What a launch brings near takes room there, timed or not:
 * after one of the other functions, the GCC still has the second line; after both of them, it
 * has replaced the first one, and when this is brought again, the second one, which then comes
 * from L2. */
START_TEST(untimed_launches_take_room)
{
    const struct launch_text jump = {.code =
                                         "address 8000\ncode 16\n" LINE_OF_CODE LINE_OF_CODE,
                                     .program = "{1} NOP; :8 EXIT"},
                             others[] = {{.code = "address 9000\ncode 8\n" LINE_OF_CODE,
                                          .program = "EXIT"},
                                         {.code = "address a000\ncode 8\n" LINE_OF_CODE,
                                          .program = "EXIT"}};
    const uint64_t first = 50 + LOOKED_UP, looks = 20 + 10, in_gcc = first + 2 + looks + END,
                   in_l2 = first + 2 + looks + 3 + FROM_L2 + MORE + END;
    for (int i = 0; i < 4; i++) {
        int timed = i / 2, between = 1 + i % 2;
        struct bench bench = bench_create(
            CODE("gpgpu_kernel_launch_latency=50", "hearth_gcc=384", "hearth_gcc_ways=0",
                 "hearth_gcc_ahead=128", "hearth_gcc_latency=10", "hearth_scatter_turns=0"));
        bench_launch(&bench, &jump);
        for (int j = 0; j < between; j++)
            if (timed)
                bench_launch(&bench, &others[j]);
            else
                run_untimed(&bench, &others[j]);
        launch(&bench, &jump, between == 1 ? in_gcc : in_l2);
        bench_destroy(&bench);
    }
}
END_TEST

/* ULDC of a parameter, and an EXIT that waits for nothing. */
#define FIRST_CODE (LOOKED_UP + FROM_DRAM + 3 * CCDL + MORE + END + 1)
#define PARAMETER  "address 7000\ncode 2\n000fe20000000a000000840000047ab9\n" STRAIGHT

/* Launches leave their parameters in one of two places, in turn, and begin in cycle 50. The
 * first two lack their place: they read its 8 sectors from DRAM, and the ULDC waits for it
 * until 50 + 150, or 20 for L1 if its code came later. EXIT and the end follow. The third and
 * fourth one find it in L2, but not the fifth one after a flush (which reads the 4 sectors of
 * its code, too, later than that). With 768 bytes of bank 0 the sixth writes its place whole
 * and does not wait. */
START_TEST(late_parameters)
{
    const struct launch_text text = {.code = PARAMETER, .program = "ULDC; EXIT"};
    struct bench bench = bench_create(
        CODE("gpgpu_kernel_launch_latency=50", "hearth_const_cache=1", "hearth_param_slots=2",
             "hearth_param_latency=150", "hearth_param_whole=768"));
    const uint64_t there = 50 + FIRST + 20 + 1, cold = 50 + FIRST_CODE + 20;
    const struct {
        uint64_t cycles, dram;
    } expected[] = {{cold, 8 + 4}, {50 + 150 + 2, 8}, {there, 0},
                    {there, 0},    {cold - RCD, 4},   {there, 0}};
    for (unsigned i = 0; i < 6; i++) {
        struct launch_text launch = text;
        launch.id = i + 7;
        if (i == 4)
            sim_flush(bench.sim, SIM_L2, true);
        if (i == 5)
            launch.code = "constants 768\n" PARAMETER;
        struct sim_result result = bench_launch(&bench, &launch);
        ck_assert_uint_eq(result_cycles(&result), expected[i].cycles);
        ck_assert_uint_eq(result.counters.dram_reads, expected[i].dram);
    }
    bench_destroy(&bench);
}
END_TEST

/* Two SMs, each near to one half of L2, with a launch each in turn: parameters that L2 lacks
 * come FAR later to the SM that is far from their place's home, 300 or 450 after the launch's
 * begin in cycle 50. Its code was run before, so ULDC is ready for them earlier. */
START_TEST(far_parameters)
{
    enum { FAR = 150, PLACES = 8, AFTER = 2 };
    struct bench bench = bench_create(
        CODE("gpgpu_n_clusters=2", "gpgpu_n_sub_partition_per_mchannel=2",
             "gpgpu_kernel_launch_latency=50", "hearth_const_cache=1", "hearth_param_slots=8",
             "hearth_param_latency=300", "hearth_l2_far_latency=150"));
    struct launch_text text = {.code = PARAMETER, .program = "ULDC; EXIT"};
    unsigned far_places = 0;
    for (unsigned i = 0; i < 2 * PLACES; i++) {
        if (i == PLACES)
            sim_flush(bench.sim, SIM_L2, false);
        uint32_t set, sm = i % 2;
        text.id = PLACES + i;
        uint64_t place = (UINT64_C(1) << 47) + text.id % PLACES * 4096;
        bool far = engine_home(&bench.sim->engine, place, &set) != sm;
        struct sim_result result = bench_launch(&bench, &text);
        far_places += far;
        if (i % PLACES >= 2) /* the code has come to both */
            ck_assert_uint_eq(result_cycles(&result), 50 + 300 + (far ? FAR : 0) + AFTER);
    }
    ck_assert_uint_ge(far_places, 4);
    ck_assert_uint_le(far_places, 2 * PLACES - 4);
    bench_destroy(&bench);
}
END_TEST

/* Without places in memory, parameters have no home, and come to both SMs at the same time. */
START_TEST(parameters_without_home)
{
    struct bench bench =
        bench_create(CODE("gpgpu_n_clusters=2", "gpgpu_n_sub_partition_per_mchannel=2",
                          "gpgpu_kernel_launch_latency=50", "hearth_const_cache=1",
                          "hearth_cold_code_latency=100", "hearth_cold_const_latency=1000",
                          "hearth_l2_far_latency=150"));
    const struct launch_text text = {.code = PARAMETER, .program = "ULDC; EXIT"};
    for (unsigned i = 0; i < 4; i++) {
        sim_flush(bench.sim, SIM_L2, false);
        struct sim_result result = bench_launch(&bench, &text);
        ck_assert_uint_eq(result_cycles(&result), 50 + 1000 + 2);
    }
    bench_destroy(&bench);
}
END_TEST

/* Four SMs of two GPCs begin with the same line: two requests of its four sectors. Without a
 * GCC, four. */
START_TEST(shared)
{
    static const struct {
        const char *gcc;
        uint64_t sectors;
    } rows[] = {{"hearth_gcc=1024", 8}, {"hearth_gcc=0", 16}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench bench =
            bench_create(CODE("gpgpu_n_clusters=4", "hearth_gpcs=2", "hearth_gcc_ways=0",
                              "hearth_first_sm=1", rows[i].gcc));
        struct sim_result result =
            bench_launch(&bench, &(struct launch_text){.blocks = 4, .program = "EXIT"});
        ck_assert_uint_eq(result.counters.l2_code_reads, rows[i].sectors);
        ck_assert_uint_eq(result.counters.l2_code_read_misses, 4);
        bench_destroy(&bench);
    }
}
END_TEST

/* `legacy` does not ask: its lines come after fixed latencies. */
START_TEST(legacy)
{
    struct bench bench = bench_create(CODE("hearth_core=legacy", "gpgpu_scheduler=lrr"));
    struct sim_result result = bench_launch(&bench, &one);
    ck_assert_uint_eq(result_cycles(&result), 422 + 6); /* code.c: loading */
    ck_assert_uint_eq(result.counters.l2_code_reads, 0);
    bench_destroy(&bench);
}
END_TEST

/* Five warps of a scheduler wait for five lines of parameters, for which its cache has room for
 * four, on each of four schedulers. L1 takes a request a cycle. Each warp issues when its line
 * has come, though another one may have taken its place. */
START_TEST(more_lines_than_room)
{
#define ULDC_OF(line) "000fe20000000a000000" line "0000047ab9\n" STRAIGHT
    char program[400] = "";
    for (int warp = 0; warp < 20; warp++)
        sprintf(program + strlen(program), "%s:%d ULDC; EXIT", warp == 0 ? "" : "|",
                warp / 4 * 2);
    const struct launch_text text = {.threads = 640,
                                     .code = "address 7000\ncode 10\n" ULDC_OF("00") ULDC_OF(
                                         "20") ULDC_OF("40") ULDC_OF("60") ULDC_OF("80"),
                                     .program = program};
    struct sim_result result = launch_on(
        CODE("hearth_icache_l2_latency=0", "hearth_icache=0", "hearth_const_cache=1"), &text);
    ck_assert_uint_eq(result.counters.l1c_misses, 20);
    ck_assert_uint_eq(result_cycles(&result), FIRST + 19 + 20 + 1);
}
END_TEST

/* Where code does not come from L2, parameters do not either: they have no places. */
START_TEST(no_places)
{
#define NO_L2(...) CODE("hearth_icache_l2_latency=0", "hearth_const_cache=1", __VA_ARGS__)
    const struct launch_text text = {.code = PARAMETER, .program = "ULDC; EXIT"};
    struct sim_result without = launch_on(NO_L2(NULL), &text),
                      with = launch_on(
                          NO_L2("hearth_param_slots=2", "hearth_param_latency=5000"), &text);
    ck_assert_uint_eq(result_cycles(&with), result_cycles(&without));
    ck_assert_uint_eq(with.counters.dram_reads, without.counters.dram_reads);
}
END_TEST

/* A warp waits at a barrier in shared memory while the one that arrives there waits for its
 * code: nothing moves in the SM, but the wait is not given up. Without it the launch ends 10
 * cycles after the arrival's issue, when the shared unit has taken that; with it the arrival
 * counts after 29, the answer takes 14, and a NOP and an EXIT follow. */
START_TEST(barrier_waits_for_code)
{
#define BARRIER "{4} SYNCS.EXCH.64 [ 4 1 0x400 0 0 =2097150 =2147481600 ]; "
#define WAIT    "{4,w0} SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 0x400 0 0 =0 ]; {4,m1} NOP; {4} EXIT"
#define ARRIVER                                                                                \
    "| :6 {4} NOP; :64 {4} @1 SYNCS.ARRIVE.TRANS64.RED.A1T0 [ 4 1 0x400 0 ]; {4} EXIT"
    const char *const *sets = CODE("hearth_mbarrier_latency=29", "hearth_mbarrier_answer=14");
    struct launch_text text = {
        .threads = 64, .version = 90, .program = BARRIER "{4} NOP; {4} NOP; {4} EXIT" ARRIVER};
    struct sim_result without = launch_on(sets, &text);
    text.program = BARRIER WAIT ARRIVER;
    struct sim_result with = launch_on(sets, &text);
    ck_assert_uint_eq(with.counters.unknown_waits, 0);
    ck_assert_uint_eq(result_cycles(&with), result_cycles(&without) - 10 + 29 + 14 + 4 + 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {launches,
                                  stall_meets_line,
                                  brought,
                                  brought_cold,
                                  brought_in_turn,
                                  untimed_launches_take_room,
                                  late_parameters,
                                  far_parameters,
                                  parameters_without_home,
                                  shared,
                                  barrier_waits_for_code,
                                  legacy,
                                  more_lines_than_room,
                                  no_places};
    return RUN_TESTS("code_l2", tests);
}
