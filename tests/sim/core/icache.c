/* Instruction caches (-hearth_icache): when a line is there, and what a launch
 * waits for it. Lines have 128 bytes, 8 instructions; L1 answers after 20
 * cycles, with a line that it does not hold after 120. */
#define _GNU_SOURCE /* stpcpy */
#include "sim/core/icache.h"
#include "tests/sim/support.h"

#define LINE 128u

static struct icache *cache;
static struct icache_spec spec;
static uint64_t place; /* of the code that is fetched */

static void make(uint32_t l0_lines, uint32_t l1_sets, uint32_t l1_ways, uint32_t stream)
{
    spec = (struct icache_spec){.enabled = true,
                                .l0_count = 2,
                                .l0_lines = l0_lines,
                                .l1_sets = l1_sets,
                                .l1_ways = l1_ways,
                                .line = LINE,
                                .stream = stream,
                                .l1_latency = 20,
                                .miss_latency = 100};
    cache = icache_create(&spec);
    place = icache_place(&spec, "kernel");
}

static void destroy(void)
{
    icache_destroy(cache);
}

static uint64_t fetch(uint32_t scheduler, uint32_t line, uint64_t now)
{
    return icache_fetch(cache, scheduler, 0, place + line * LINE, now);
}

START_TEST(miss_and_hit)
{
    make(4, 4, 4, 0);
    ck_assert_uint_eq(fetch(0, 0, 10), 130);
    ck_assert_uint_eq(icache_fetch(cache, 0, 0, place + LINE - 16, 50),
                      130); /* the same line */
    ck_assert_uint_eq(fetch(0, 0, 130), 130);
    ck_assert_uint_eq(fetch(0, 0, 131), 131);
    ck_assert_uint_eq(fetch(0, 1, 140), 260);
    ck_assert_uint_eq(fetch(1, 0, 300), 320); /* in L1 */
    ck_assert_uint_eq(fetch(1, 0, 321), 321);
    ck_assert_uint_eq(cache->stats.fetches, 7);
    ck_assert_uint_eq(cache->stats.l0_misses, 3);
    ck_assert_uint_eq(cache->stats.l0_pending_hits, 1); /* that of 50 */
    ck_assert_uint_eq(cache->stats.l1_requests, 3);
    ck_assert_uint_eq(cache->stats.l1_pending_hits, 0);
    ck_assert_uint_eq(cache->stats.l1_misses, 2);
    destroy();
}
END_TEST

/* A line on its way to L1 comes for both, but not before L1 can answer. L1
 * takes one request a cycle. */
START_TEST(shared_l1)
{
    make(4, 4, 4, 0);
    ck_assert_uint_eq(fetch(0, 0, 10), 130);
    ck_assert_uint_eq(fetch(1, 0, 50), 130);
    ck_assert_uint_eq(fetch(0, 1, 200), 320);
    ck_assert_uint_eq(fetch(1, 1, 310), 330);
    ck_assert_uint_eq(fetch(0, 2, 400), 520);
    ck_assert_uint_eq(fetch(1, 3, 400), 521);
    ck_assert_uint_eq(cache->stats.l1_requests, 6);
    ck_assert_uint_eq(cache->stats.l1_misses, 4);
    ck_assert_uint_eq(cache->stats.l1_pending_hits, 1); /* that of 50 */
    destroy();
}
END_TEST

/* L0: the least recently used of two lines goes. L1 of two sets of one line:
 * lines 0 and 2 take each other's place, 1 has another. */
START_TEST(replacement)
{
    make(2, 64, 2, 0);
    fetch(0, 0, 0);
    fetch(0, 1, 200);
    fetch(0, 0, 400);
    fetch(0, 2, 600);
    ck_assert_uint_eq(fetch(0, 0, 800), 800);
    ck_assert_uint_eq(fetch(0, 1, 801), 821);
    destroy();
    make(1, 2, 1, 0);
    ck_assert_uint_eq(fetch(0, 0, 0), 120);
    ck_assert_uint_eq(fetch(0, 2, 200), 320);
    ck_assert_uint_eq(fetch(0, 0, 400), 520);
    ck_assert_uint_eq(fetch(0, 1, 600), 720);
    ck_assert_uint_eq(fetch(0, 0, 800), 820);
    destroy();
}
END_TEST

/* Two lines ahead. The requests of a miss in 10 are taken in 10, 11, 12. */
START_TEST(stream)
{
    make(16, 64, 2, 2);
    ck_assert_uint_eq(fetch(0, 0, 10), 130);
    ck_assert_uint_eq(fetch(0, 1, 20), 131);
    /* Line 3 was asked for in 20; line 2, in front of it, is dropped; 4 and 5 follow. */
    ck_assert_uint_eq(fetch(0, 3, 30), 140);
    ck_assert_uint_eq(fetch(0, 4, 200), 200);
    ck_assert_uint_eq(fetch(0, 5, 200), 200);
    ck_assert_uint_eq(cache->stats.stream_hits, 4);
    /* Jumps: the buffer starts anew. 6 and 7 had been asked for and are in L1. */
    ck_assert_uint_eq(fetch(0, 20, 400), 520);
    ck_assert_uint_eq(fetch(0, 7, 600), 620);
    ck_assert_uint_eq(fetch(0, 21, 700), 720); /* the buffer has 8 and 9 */
    /* The other scheduler has a buffer of its own. */
    ck_assert_uint_eq(fetch(1, 22, 800), 820);
    ck_assert_uint_eq(cache->stats.stream_hits, 4);
    destroy();
}
END_TEST

START_TEST(kernels)
{
    make(16, 64, 2, 0);
    fetch(0, 0, 0);
    place = icache_place(&spec, "other");
    ck_assert_uint_eq(fetch(0, 0, 200), 320);
    place = icache_place(&spec, "kernel");
    ck_assert_uint_eq(fetch(0, 0, 400), 400);
    icache_clear(cache);
    ck_assert_uint_eq(fetch(0, 0, 0), 120);
    destroy();
}
END_TEST

/* ---- launches ---- */

#define CACHES(l0, lines)                                                                      \
    SETS("hearth_icache=1", "hearth_icache_l0=" l0, "hearth_icache_stream=" lines,             \
         "hearth_icache_l1_latency=20", "hearth_icache_miss_latency=100")

/* Asked for in 1, there in 121, issued in 122. */
START_TEST(first_fetch)
{
    ck_assert_uint_eq(cycles_of(NO_SETS, "EXIT"), 2 + 6);
    ck_assert_uint_eq(cycles_of(CACHES("2048", "0"), "EXIT"), 122 + 6);
    ck_assert_uint_eq(cycles_of(CACHES("2048", "8"), "EXIT"), 122 + 6);
}
END_TEST

/* Ten lines in a row, 80 instructions. A line that is there in r is issued in
 * r+1 to r+8; in r+8 the next one is looked up. Without a stream buffer it
 * comes in r+128. With one of 8 lines, lines 1 to 8 are there in 122 to 129
 * and are looked up in 129, 137 ... 185. Line 9 is asked for when line 1 is
 * taken, in 129: it is looked up in 193 and there in 249. */
START_TEST(straight_code)
{
    char program[1000];
    strcpy(program, repeated("%EXIT", 79, "FFMA;"));
    ck_assert_uint_eq(cycles_of(NO_SETS, program), 81 + 6);
    ck_assert_uint_eq(cycles_of(CACHES("2048", "0"), program), 121 + 9 * 128 + 8 + 6);
    ck_assert_uint_eq(cycles_of(CACHES("2048", "8"), program), 249 + 8 + 6);
    /* All ten as one stream. */
    ck_assert_uint_eq(cycles_of(CACHES("2048", "9"), program), 121 + 80 + 6);
}
END_TEST

/* The same launch again: code stays in the caches, and time is that of perfect ones. */
START_TEST(warm)
{
    struct launch_text text = {.program = repeated("%EXIT", 79, "FFMA;")};
    struct bench bench = bench_create(CACHES("2048", "0"));
    bench_launch(&bench, &text);
    struct sim_result again = bench_launch(&bench, &text);
    ck_assert_uint_eq(result_cycles(&again), 81 + 6);
    sim_reset(bench.sim);
    struct sim_result cold = bench_launch(&bench, &text);
    ck_assert_uint_eq(result_cycles(&cold), 121 + 9 * 128 + 8 + 6);
    bench_destroy(&bench);
}
END_TEST

/* A loop of four lines, three times. Cold lines come every 128 cycles, the
 * last one in 505. Where L0 holds the loop, the other rounds take 8 cycles a
 * line. Where it holds two lines, none is ever there: 20 more from L1. A
 * stream buffer hides that but for the jump back: the first round ends in 121
 * + 32, each of the others takes 20 + 32. */
START_TEST(loop)
{
    char program[1000], *end = program;
    for (int round = 0; round < 3; round++) {
        end = stpcpy(end, ":0 FFMA;");
        for (int i = 1; i < 32; i++)
            end = stpcpy(end, round == 2 && i == 31 ? "EXIT" : "FFMA;");
    }
    ck_assert_uint_eq(cycles_of(NO_SETS, program), 1 + 96 + 6);
    ck_assert_uint_eq(cycles_of(CACHES("512", "0"), program), 505 + 8 + 8 * 8 + 6);
    ck_assert_uint_eq(cycles_of(CACHES("256", "0"), program), 505 + 8 + 8 * 28 + 6);
    ck_assert_uint_eq(cycles_of(CACHES("256", "8"), program), 121 + 32 + 2 * (20 + 32) + 6);
}
END_TEST

/* Instructions of different lines are fetched one by one. With one fetch step
 * a cycle a pair takes three cycles (see issue.c), one alone two. */
START_TEST(single_fetches)
{
    uint64_t cycles[2][2];
    for (int on = 0; on < 2; on++) {
        for (int more = 0; more < 2; more++) {
            struct bench bench =
                bench_create(on ? SETS("gpgpu_inst_fetch_throughput=1", "hearth_icache=1")
                                : SETS("gpgpu_inst_fetch_throughput=1"));
            struct launch_text text = {
                .program = repeated("%:9 EXIT", more ? 20 : 10, ":0 FFMA; :9 FFMA;")};
            bench_launch(&bench, &text);
            struct sim_result second = bench_launch(&bench, &text);
            cycles[on][more] = result_cycles(&second);
            bench_destroy(&bench);
        }
    }
    ck_assert_uint_eq(cycles[0][1] - cycles[0][0], 10 * 3);
    ck_assert_uint_eq(cycles[1][1] - cycles[1][0], 20 * 2);
}
END_TEST

/* All ask for the line in 1 or 2 and have it in 121. In the four steps of 121
 * warps 1, 2 and 3 are decoded, in 122 the others: 4, if there is one, and 0,
 * of one scheduler. */
START_TEST(warps)
{
    static const struct {
        unsigned warps, last_issue;
    } rows[] = {{1, 122}, {4, 123}, {5, 124}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sim_result result =
            launch_on(CACHES("2048", "0"),
                      &(struct launch_text){.threads = 32 * rows[i].warps, .program = "EXIT"});
        ck_assert_uint_eq(result_cycles(&result), rows[i].last_issue + 6);
    }
}
END_TEST

#define COUNTS(c, prefix, all, hits, pending, misses)                                          \
    do {                                                                                       \
        ck_assert_uint_eq((c).prefix##_accesses, all);                                         \
        ck_assert_uint_eq((c).prefix##_hits, hits);                                            \
        ck_assert_uint_eq((c).prefix##_pending_hits, pending);                                 \
        ck_assert_uint_eq((c).prefix##_misses, misses);                                        \
    } while (0)

/* Two warps of a scheduler and two of another one run two lines, eleven instructions: pairs,
 * a single EXIT. Each line is missed by one warp in each L0, and found on its way by the other;
 * of the two requests for it L1 takes the second while the line is on its way. The other
 * fetches, 3 and 1 more of each warp, hit. Again, all hit. */
START_TEST(counters)
{
    struct launch_text text = {.threads = 4 * 32, .program = repeated("%EXIT", 10, "FFMA;")};
    struct bench bench = bench_create(SETS("gpgpu_num_sched_per_core=2",
                                           "gpgpu_sub_core_model=0", "hearth_icache=1",
                                           "hearth_icache_l0=2048", "hearth_icache_stream=0"));
    struct sim_counters c = bench_launch(&bench, &text).counters;
    COUNTS(c, l0i, 4 * 6, 4 * 4, 2 * 2, 2 * 2);
    COUNTS(c, l1i, 4, 0, 2, 2);
    ck_assert_uint_eq(c.l0i_stream_hits, 0);
    c = bench_launch(&bench, &text).counters;
    COUNTS(c, l0i, 4 * 6, 4 * 6, 0, 0);
    COUNTS(c, l1i, 0, 0, 0, 0);
    bench_destroy(&bench);
    /* The second line comes out of the stream buffer, which asks for it and the third at once,
     * and then for a fourth. */
    text.threads = 32;
    c = launch_on(CACHES("2048", "2"), &text).counters;
    COUNTS(c, l0i, 6, 4, 0, 2);
    COUNTS(c, l1i, 4, 0, 0, 4);
    ck_assert_uint_eq(c.l0i_stream_hits, 1);
    c = launch_on(NO_SETS, &text).counters;
    COUNTS(c, l0i, 0, 0, 0, 0);
    COUNTS(c, l1i, 0, 0, 0, 0);
}
END_TEST

START_TEST(refused)
{
    const char *const *const rows[] = {
        SETS("hearth_icache=1", "gpgpu_cache:il1=none"),
        SETS("hearth_icache=1", "hearth_icache_l0=64"),
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {0};
        struct sim_config *config = test_config(rows[i]);
        ck_assert_ptr_null(sim_create(config, &err));
        ck_assert_int_eq(err.kind, ERROR_USAGE);
        ck_assert_ptr_nonnull(strstr(err.text, "-gpgpu_cache:il1"));
        sim_config_destroy(config);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        miss_and_hit, shared_l1, replacement,    stream, kernels,  first_fetch, straight_code,
        warm,         loop,      single_fetches, warps,  counters, refused,
    };
    return RUN_TESTS("icache", tests);
}
