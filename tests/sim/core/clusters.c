/* Blocks of a cluster that know each other: when and where they begin, what they send to each
 * other, and shared memory of another block; exact cycles worked out by hand. The first
 * instruction issues in cycle 3. */
#include "tests/sim/support.h"

#define FIRST 3

#define CLUSTERS(...)                                                                          \
    SETS("hearth_core=modern", "gpgpu_scheduler=cggty", "hearth_instruction_buffer=0",         \
         "hearth_mbarrier_latency=29", "hearth_mbarrier_answer=14", "hearth_clusters=1",       \
         "hearth_cluster_latency=190", "hearth_cluster_bytes=32", __VA_ARGS__)
#define OF(x)  "# launch 1 dynamic=0 cluster=" x " cooperative=0 carveout=-1\n"
#define PAIRS  OF("2,1,1")
#define ALONE  OF("1,1,1")
#define LONGER "{15} NOP; {15} NOP; "
#define OTHER  " # :16 " /* block 1, whose code lies elsewhere */

static struct sim_result run(const char *const *sets, const char *list, unsigned blocks,
                             const char *program)
{
    return launch_on(sets,
                     &(struct launch_text){
                         .blocks = blocks, .version = 90, .list = list, .program = program});
}

static uint64_t cycles(const char *const *sets, const char *list, unsigned blocks,
                       const char *program)
{
    struct sim_result result = run(sets, list, blocks, program);
    return result_cycles(&result);
}

static void fails(const char *const *sets, const char *list, unsigned blocks,
                  enum error_kind kind)
{
    struct bench bench = bench_create(sets);
    struct trace_kernel *kernel = test_kernel(&(struct launch_text){
        .blocks = blocks, .version = 90, .list = list, .program = "{4} EXIT"});
    struct sim_result result;
    struct error err = {0};
    ck_assert_int_eq(sim_launch(bench.sim, kernel, NULL, &result, &err), -1);
    ck_assert_int_eq(err.kind, kind);
    trace_kernel_close(kernel);
    bench_destroy(&bench);
}

/* ---- where blocks begin ---- */

static void note_block(void *data, const struct sim_block *block)
{
    uint32_t *sms = data;
    sms[block->order] = block->sm;
}

/* Runs a launch; SMS become those that its blocks begin in. */
static void note_sms(struct bench *bench, const struct launch_text *text, uint32_t *sms)
{
    struct trace_kernel *kernel = test_kernel(text);
    const struct sim_hooks hooks = {.block_ended = note_block, .data = sms};
    struct sim_result result;
    struct error err = {0};
    ck_assert_int_eq(sim_launch(bench->sim, kernel, &hooks, &result, &err), 0);
    trace_kernel_close(kernel);
}

/* Of eight SMs in two GPCs, the even ones are the first GPC: clusters go to GPCs in turn. In
 * a grid of four by two, blocks 0, 1, 4 and 5 are a cluster of two by two. */
START_TEST(places)
{
    static const uint32_t expected[3][8] = {
        {0, 2, 1, 3, 4, 6, 5, 7}, {0, 2, 4, 6, 1, 3, 5, 7}, {0, 2, 1, 3, 4, 6, 5, 7}};
    const char *const lists[] = {PAIRS, OF("4,1,1"), OF("2,2,1")};
    for (unsigned i = 0; i < 3; i++) {
        struct bench bench = bench_create(CLUSTERS("gpgpu_n_clusters=8", "hearth_gpcs=2"));
        uint32_t sms[8];
        note_sms(&bench,
                 &(struct launch_text){.blocks = 8,
                                       .rows = i / 2 + 1,
                                       .version = 90,
                                       .list = lists[i],
                                       .program = LONGER "{4} EXIT"},
                 sms);
        ck_assert_mem_eq(sms, expected[i], sizeof sms);
        bench_destroy(&bench);
    }
}
END_TEST

struct places {
    unsigned blocks;
    uint32_t expected[8];
};

/* Blocks of clusters as LIST says, NULL: of none, begin in the SMs that are EXPECTED, of eight.
 */
static void next_begin(struct bench *bench, const char *list, const struct places *wanted)
{
    uint32_t sms[8];
    note_sms(bench,
             &(struct launch_text){.blocks = wanted->blocks,
                                   .version = 90,
                                   .list = list,
                                   .program = LONGER "{4} EXIT"},
             sms);
    ck_assert_mem_eq(sms, wanted->expected, wanted->blocks * sizeof sms[0]);
}

static void blocks_begin(const char *const *sets, const struct places *wanted)
{
    struct bench bench = bench_create(sets);
    next_begin(&bench, NULL, wanted);
    bench_destroy(&bench);
}

#define IN_ROWS(...)                                                                           \
    CLUSTERS("gpgpu_n_clusters=8", "hearth_gpcs=2", "hearth_tpc=2", "hearth_gpc_blocks=1",     \
             __VA_ARGS__)

/* A GPC's SMs are numbered in a row: 0 to 3, and 4 to 7. Few blocks are shared by GPCs, and
 * each TPC of two SMs gets one before any gets a second one. */
START_TEST(places_of_blocks)
{
    static const struct places cases[] = {
        {8, {0, 1, 2, 3, 4, 5, 6, 7}}, {5, {0, 1, 2, 4, 6}}, {4, {0, 2, 4, 6}}, {2, {0, 4}}};
    for (unsigned i = 0; i < 4; i++)
        blocks_begin(IN_ROWS("hearth_gpc_first=0"), &cases[i]);
}
END_TEST

/* One TPC, SMs 0 and 1, comes before all others, and the rest of its GPC, SMs 2 and 3, last: of
 * five blocks three are left, two for the other GPC, a TPC each, and one for that rest. */
START_TEST(first_places)
{
    static const struct places cases[] = {
        {8, {0, 1, 4, 5, 6, 7, 2, 3}}, {5, {0, 1, 4, 6, 2}}, {3, {0, 1, 4}}, {1, {0}}};
    for (unsigned i = 0; i < 4; i++)
        blocks_begin(IN_ROWS("hearth_gpc_first=1"), &cases[i]);
}
END_TEST

/* Turns go on from launch to launch, whatever SMs have them: all eight come in the order 0, 1,
 * 4 to 7, 2, 3. Five blocks take five turns, the sixth is SM 7's, whose GPC gets the first of
 * four clusters; the last one takes SMs 2 and 3, and the next launch begins with the first turn
 * again. */
START_TEST(turns_go_on)
{
    static const struct places five = {5, {0, 1, 4, 6, 2}}, one = {1, {0}},
                               clusters = {8, {4, 5, 0, 1, 6, 7, 2, 3}};
    struct bench bench = bench_create(IN_ROWS("hearth_gpc_first=1"));
    next_begin(&bench, NULL, &five);
    next_begin(&bench, PAIRS, &clusters);
    next_begin(&bench, NULL, &one);
    bench_destroy(&bench);
}
END_TEST

/* Of six SMs in TPCs of two, the second of two GPCs has two TPCs: with the first GPC's TPC
 * before all others, three blocks come to it and to SM 2. */
START_TEST(larger_gpc)
{
    static const struct places cases[] = {{6, {0, 1, 2, 3, 4, 5}}, {3, {0, 1, 2}}};
    for (unsigned i = 0; i < 2; i++)
        blocks_begin(IN_ROWS("hearth_gpc_first=1", "gpgpu_n_clusters=6"), &cases[i]);
}
END_TEST

/* Of six SMs in TPCs of two, the first of two GPCs has four: a cluster of four fits. With SMs
 * in turn both have three. */
START_TEST(whole_tpcs)
{
    struct sim_result result =
        run(CLUSTERS("gpgpu_n_clusters=6", "hearth_gpcs=2", "hearth_tpc=2"), OF("4,1,1"), 8,
            "{4} EXIT");
    ck_assert_uint_eq(result.counters.blocks, 8);
    fails(CLUSTERS("gpgpu_n_clusters=6", "hearth_gpcs=2"), OF("4,1,1"), 8, ERROR_USAGE);
}
END_TEST

/* With SMs in rows the larger GPC is the last one, and the first one is empty if there are more
 * GPCs than TPCs: a cluster of four fits in SMs 2 to 5, one of two in any of three TPCs. */
START_TEST(fits_in_larger_gpc)
{
    struct sim_result result =
        run(IN_ROWS("gpgpu_n_clusters=6", "gpgpu_shader_cta=1"), OF("4,1,1"), 8, "{4} EXIT");
    ck_assert_uint_eq(result.counters.blocks, 8);
    result = run(IN_ROWS("gpgpu_n_clusters=6", "hearth_gpcs=5"), PAIRS, 8, "{4} EXIT");
    ck_assert_uint_eq(result.counters.blocks, 8);
    fails(IN_ROWS("gpgpu_n_clusters=6", "hearth_gpcs=5"), OF("4,1,1"), 8, ERROR_USAGE);
}
END_TEST

/* Three SMs with a block each. Blocks 0 and 1 end in cycles FIRST + 30 and FIRST + 60, and the
 * other two, which take 60, begin together with the end of block 0; without clusters block 2
 * begins at once. */
START_TEST(begins_whole)
{
    const char *program = LONGER "{4} EXIT" OTHER LONGER LONGER "{4} EXIT";
    const char *const *sets = CLUSTERS("gpgpu_n_clusters=3", "gpgpu_shader_cta=1",
                                       "gpgpu_shader_core_pipeline=32:32");
    ck_assert_uint_eq(cycles(sets, PAIRS, 4, program), FIRST + 30 + FIRST + 60 + 1);
    ck_assert_uint_eq(cycles(sets, ALONE, 4, program), FIRST + 30 + FIRST + 60 + 1);
    ck_assert_uint_eq(cycles(sets, PAIRS, 2, program), FIRST + 60 + 1);
}
END_TEST

/* Two SMs get two pairs each: the second one 40 cycles after the first, where blocks of no
 * cluster come 13 after each other. */
START_TEST(pairs_take_turns)
{
    const char *const *sets = CLUSTERS("gpgpu_n_clusters=2", "hearth_block_interval=13",
                                       "hearth_cluster_interval=40");
    const char *const *as_others =
        CLUSTERS("gpgpu_n_clusters=2", "hearth_block_interval=13", "hearth_cluster_interval=0");
    const char *program = LONGER "{4} EXIT";
    ck_assert_uint_eq(cycles(sets, PAIRS, 4, program), FIRST + 30 + 40 + 1);
    ck_assert_uint_eq(cycles(as_others, PAIRS, 4, program), FIRST + 30 + 13 + 1);
    ck_assert_uint_eq(cycles(sets, ALONE, 4, program), FIRST + 30 + 13 + 1);
}
END_TEST

/* ---- barriers ---- */

#define MEET "{4} UCGABAR_ARV; {4} UCGABAR_WAIT; "

/* Block 0 arrives in cycle FIRST + 30, and block 1 waits for that, whose last instruction comes
 * 30 after the barrier. Blocks that do not know each other wait for themselves only. A block
 * that has ended is not waited for, from when the others know. */
START_TEST(barrier_of_cluster)
{
    const char *const *two = CLUSTERS("gpgpu_n_clusters=2");
    const char *program = LONGER MEET "{4} EXIT" OTHER MEET LONGER "{4} EXIT";
    ck_assert_uint_eq(cycles(two, PAIRS, 2, program), FIRST + 30 + 190 + 30 + 1);
    ck_assert_uint_eq(cycles(two, ALONE, 2, program), FIRST + 30 + 190 + 1);
    ck_assert_uint_eq(
        cycles(CLUSTERS("gpgpu_n_clusters=2", "hearth_cluster_barrier=66"), PAIRS, 2, program),
        FIRST + 30 + 66 + 30 + 1);
    ck_assert_uint_eq(
        cycles(two, PAIRS, 2, LONGER "{4} EXIT" OTHER MEET MEET LONGER "{4} EXIT"),
        FIRST + 30 + 190 + 190 + 30 + 1);
}
END_TEST

#define BARRIER(place) "{4} SYNCS.EXCH.64 [ 4 1 " place " 0 0 =2097150 =2147481600 ]; "
#define ARRIVE(place)  "{4} @1 SYNCS.ARRIVE.TRANS64.RED.A1T0 [ 4 1 " place " 0 ]; "
#define WAIT(place)                                                                            \
    "{4,w0} SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 " place " 0 0 =0 ]; {4,m1} NOP; "

/* Block 1 arrives at the barrier of block 0 in cycle FIRST + 34; the shared unit takes that 9
 * later, it counts 190 after that, and block 0 knows 14 later. */
START_TEST(arrives_elsewhere)
{
    const char *program = BARRIER("0x400") WAIT("0x400") "{4} EXIT" OTHER BARRIER("0x1000400")
        LONGER ARRIVE("0x400") "{4} EXIT";
    ck_assert_uint_eq(cycles(CLUSTERS("gpgpu_n_clusters=2"), PAIRS, 2, program),
                      FIRST + 34 + 9 + 190 + 14 + 4 + 1);
}
END_TEST

/* A block whose partner never arrives goes on when nothing moves any more. */
START_TEST(nobody_arrives)
{
    const char *program = BARRIER("0x400") WAIT("0x400") "{4} EXIT" OTHER "{4} EXIT";
    struct sim_result result = run(CLUSTERS("gpgpu_n_clusters=2"), PAIRS, 2, program);
    ck_assert_uint_gt(result_cycles(&result), 4096);
    ck_assert_uint_eq(result.counters.unknown_waits, 1);
}
END_TEST

/* ---- copies ---- */

#define ANNOUNCE(place, bytes) "{4} @1 SYNCS.ARRIVE.TRANS64 [ 4 1 " place " 0 0 =" bytes " ]; "

/* 64 bytes go to block 1 in 2 cycles, 190 cycles away: UBLKCP issues in FIRST + 4. */
START_TEST(copy_to_another_block)
{
    const char *program =
        BARRIER("0x400") "{4} UBLKCP.S.S [ 4 1 0x400 0 0 =16777216 =16778240 =0 =0 =4 ]; {4} "
                         "EXIT" OTHER BARRIER("0x1000400") ANNOUNCE("0x1000400", "64")
                             WAIT("0x1000400") "{4} EXIT";
    ck_assert_uint_eq(cycles(CLUSTERS("gpgpu_n_clusters=2"), PAIRS, 2, program),
                      FIRST + 4 + 190 + 2 + 14 + 4 + 1);
}
END_TEST

/* Block 1 stores a word in block 0 in cycle FIRST + 34, or adds to one, which counts at its
 * barrier. */
START_TEST(store_elsewhere)
{
#define SIGNAL(opcode)                                                                         \
    BARRIER("0x400")                                                                           \
    ANNOUNCE("0x400", "4")                                                                     \
    WAIT("0x400")                                                                              \
    "{4} EXIT" OTHER BARRIER("0x1000400") LONGER "{4} @1 " opcode                              \
                                                 " [ 4 1 0x40000000408 0 ]; {4} EXIT"
    const char *const programs[] = {SIGNAL("STAS"), SIGNAL("REDAS.ADD.S32")};
    for (int i = 0; i < 2; i++)
        ck_assert_uint_eq(cycles(CLUSTERS("gpgpu_n_clusters=2"), PAIRS, 2, programs[i]),
                          FIRST + 34 + 9 + 190 + 14 + 4 + 1);
}
END_TEST

/* 64 bytes for both blocks: two sectors are asked for once, and come to both at once. */
START_TEST(copy_of_bytes_for_two)
{
    const char *const *two = CLUSTERS("gpgpu_n_clusters=2", "hearth_tma_sectors=1");
#define BYTES(x, size)                                                                         \
    BARRIER("0x400")                                                                           \
    "{4} UBLKCP.S.G" x " [ 4 1 0x10000 0 0 =0 =1024 =65536 =0 =" size                          \
    " ]; " ANNOUNCE("0x400", "64") WAIT("0x400") "{4} EXIT"
    struct sim_result alone = run(two, ALONE, 1, BYTES("", "4"));
    struct sim_result both = run(two, PAIRS, 2,
                                 BYTES(".MULTICAST", "196612") OTHER BARRIER("0x1000400")
                                     ANNOUNCE("0x1000400", "64") WAIT("0x1000400") "{4} EXIT");
    ck_assert_uint_eq(both.counters.l2_reads, 2);
    ck_assert_uint_eq(both.counters.unseen_copies, 0);
    ck_assert_uint_eq(result_cycles(&both), result_cycles(&alone));
}
END_TEST

#define ZEROS "00000000000000000000000000000000" /* 16 bytes */
#define MAP                                                                                    \
    "# tensormap " ZEROS ZEROS ZEROS ZEROS ZEROS ZEROS ZEROS ZEROS                             \
    " tiled type=6 address=0x20000 dims=48,3 strides=96 steps=1,1 box=32,2 interleave=0 "      \
    "swizzle=0 promotion=0 fill=0\n"
#define MAPS(x) MAP "# launch 1 dynamic=0 cluster=" x " cooperative=0 carveout=-1 maps=64:1\n"
#define GET(x)                                                                                 \
    BARRIER("0x400")                                                                           \
    "{4} UTMALDG.2D" x " ]; " ANNOUNCE("0x400", "128") WAIT("0x400") "{4} EXIT"
#define EXPECT(place) BARRIER(place) ANNOUNCE(place, "128") WAIT(place) "{4} EXIT"
#define FROM(y)       " [ 4 1 0xae2802c0 0 0 =0 =1024 =0 =" y " =576 =127"

/* A copy for both blocks: its four sectors, or two if one row is outside, are asked for once,
 * and come to both at the same time as to one alone. Of what is outside block 1 knows 190
 * cycles after the last request, which would be 100 after the copy. A copy for block 1 only
 * leaves block 0 waiting. */
START_TEST(copy_for_two)
{
    const char *const *two = CLUSTERS("gpgpu_n_clusters=2", "hearth_tma_sectors=1");
#define TWICE(y, mask)                                                                         \
    run(two, MAPS("2,1,1"), 2, GET(".MULTICAST" FROM(y) " =" mask) OTHER EXPECT("0x1000400"))
    struct sim_result alone = run(two, MAPS("1,1,1"), 1, GET(FROM("0")));
    struct sim_result both = TWICE("0", "196608");
    ck_assert_uint_eq(both.counters.l2_reads, 4);
    ck_assert_uint_eq(result_cycles(&both), result_cycles(&alone));
    both = TWICE("2", "196608");
    ck_assert_uint_eq(both.counters.l2_reads, 2);
    both = TWICE("3", "196608");
    ck_assert_uint_eq(both.counters.l2_reads, 0);
    ck_assert_uint_eq(result_cycles(&both), FIRST + 4 + 100 + 190 + 14 + 4 + 1);
    both = TWICE("0", "131072");
    ck_assert_uint_gt(result_cycles(&both), 4096);
}
END_TEST

/* ---- shared memory of another block ---- */

#define LOAD(place) "{4,w0} R1 = LD.E R2 [ 4 1 " place " 4 ]; {4,m1} NOP; "

/* A load of 128 bytes of the other block takes 190 cycles, and 3 more, as 32 come a cycle, and
 * so does an atomic; of the own one's it takes the time of LDS. A second one comes 4 after it.
 */
START_TEST(loads_elsewhere)
{
    const char *const *two = CLUSTERS("gpgpu_n_clusters=2");
#define ROW(place) cycles(two, PAIRS, 2, LOAD(place) "{4} EXIT" OTHER "{4} EXIT")
#define ATOMIC     "{4,w0} R1 = ATOM.E.ADD R2 [ 4 1 0x7f0003000400 4 ]; {4,m1} NOP; {4} EXIT"
    ck_assert_uint_eq(ROW("0x7f0003000400"), FIRST + 190 + 3 + 4 + 1);
    ck_assert_uint_eq(cycles(two, PAIRS, 2, ATOMIC OTHER "{4} EXIT"), FIRST + 190 + 3 + 4 + 1);
    uint64_t own =
        cycles(two, PAIRS, 2,
               "{4,w0} R1 = LDS R2 [ 4 1 0x400 4 ]; {4,m1} NOP; {4} EXIT" OTHER "{4} EXIT");
    ck_assert_uint_eq(ROW("0x7f0002000400"), own);
    ck_assert_uint_eq(cycles(two, PAIRS, 2,
                             "{1,w1} R4 = LD.E R2 [ 4 1 0x7f0003000800 4 ]; " LOAD(
                                 "0x7f0003000400") "{4} EXIT" OTHER "{4} EXIT"),
                      FIRST + 190 + 3 + 4 + 4 + 1);
}
END_TEST

/* ---- errors ---- */

START_TEST(does_not_fit)
{
    const char *const *four = CLUSTERS("gpgpu_n_clusters=4", "hearth_gpcs=2");
    fails(four, OF("3,1,1"), 3, ERROR_USAGE); /* two SMs in a GPC */
    fails(four, PAIRS, 3, ERROR_TRACE);
    fails(four, OF("1,2,1"), 2, ERROR_TRACE);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {places,
                                  places_of_blocks,
                                  first_places,
                                  turns_go_on,
                                  larger_gpc,
                                  whole_tpcs,
                                  fits_in_larger_gpc,
                                  begins_whole,
                                  pairs_take_turns,
                                  barrier_of_cluster,
                                  arrives_elsewhere,
                                  nobody_arrives,
                                  copy_to_another_block,
                                  store_elsewhere,
                                  copy_of_bytes_for_two,
                                  copy_for_two,
                                  loads_elsewhere,
                                  does_not_fit};
    return RUN_TESTS("clusters", tests);
}
