/* Page walks: the table of regions, and what a launch pays for them. */
#include "tests/sim/support.h"

#include "sim/memory/page_walks.h"

#define MB (UINT64_C(1) << 20)

static struct page_walks make(void)
{
    struct page_walks walks;
    ck_assert(page_walks_init(&walks, &(struct page_walks_spec){.latency = 800, .shift = 25}));
    return walks;
}

/* The first to ask starts the walk, later ones wait for its end only. */
START_TEST(first_access)
{
    struct page_walks walks = make();
    ck_assert_uint_eq(page_walks_ready(&walks, 33 * MB, 100), 900);
    ck_assert_uint_eq(page_walks_ready(&walks, 63 * MB, 500), 900);
    ck_assert_uint_eq(page_walks_ready(&walks, 64 * MB, 501), 1301);
    ck_assert_uint_eq(page_walks_ready(&walks, 32 * MB, 502), 900);
    ck_assert_uint_eq(page_walks_ready(&walks, 32 * MB, 1000), 1000);
    page_walks_finish(&walks);
}
END_TEST

/* Two at a time: the third walk waits for the end of the first, the fourth for that of the
 * second; the fifth finds a walker, since the third is done. */
START_TEST(walkers)
{
    struct page_walks walks;
    ck_assert(page_walks_init(
        &walks, &(struct page_walks_spec){.latency = 800, .shift = 25, .walkers = 2}));
    ck_assert_uint_eq(page_walks_ready(&walks, 0, 100), 900);
    ck_assert_uint_eq(page_walks_ready(&walks, 32 * MB, 200), 1000);
    ck_assert_uint_eq(page_walks_ready(&walks, 64 * MB, 300), 1700);
    ck_assert_uint_eq(page_walks_ready(&walks, 65 * MB, 400), 1700);
    ck_assert_uint_eq(page_walks_ready(&walks, 96 * MB, 500), 1800);
    ck_assert_uint_eq(page_walks_ready(&walks, 128 * MB, 1750), 2550);
    page_walks_finish(&walks);
}
END_TEST

static void ask(struct queue *requests, uint16_t sm, uint64_t address, uint64_t now)
{
    queue_push(requests, &(struct packet){.address = address, .sm = sm}, now);
}

/* One walk at a time. SM 1 asks for the second region before SM 0 asks for the first one, in
 * the same window. */
START_TEST(by_time)
{
    struct page_walks walks;
    struct queue low = {0}, high = {0};
    ck_assert(page_walks_init(
        &walks, &(struct page_walks_spec){.latency = 800, .shift = 25, .walkers = 1}));
    ask(&low, 0, 0, 120);
    ask(&low, 0, 32 * MB, 130);
    ask(&high, 1, 32 * MB, 110);
    page_walks_delay(&walks, &low);
    page_walks_delay(&walks, &high);
    page_walks_begin(&walks);
    ck_assert_uint_eq(queue_at(&low, 0)->ready, 110 + 2 * 800);
    ck_assert_uint_eq(queue_at(&low, 1)->ready, 110 + 800);
    ck_assert_uint_eq(queue_at(&high, 0)->ready, 110 + 800);
    queue_finish(&low);
    queue_finish(&high);
    page_walks_finish(&walks);
}
END_TEST

/* More regions than the table has room for at first, address 0 among them. */
START_TEST(many_regions)
{
    struct page_walks walks = make();
    for (uint64_t r = 0; r < 1000; r++)
        ck_assert_uint_eq(page_walks_ready(&walks, r * 32 * MB, r), r + 800);
    for (uint64_t r = 0; r < 1000; r++)
        ck_assert_uint_eq(page_walks_ready(&walks, r * 32 * MB + 5, 10), r + 800);
    ck_assert_uint_eq(walks.count, 1000);
    page_walks_finish(&walks);
}
END_TEST

START_TEST(known_regions)
{
    struct page_walks walks = make();
    page_walks_know(&walks, 40 * MB);
    ck_assert_uint_eq(page_walks_ready(&walks, 32 * MB, 7), 7);
    ck_assert_uint_eq(page_walks_ready(&walks, 31 * MB, 7), 807);
    page_walks_know(&walks, 31 * MB); /* its walk goes on */
    ck_assert_uint_eq(page_walks_ready(&walks, 31 * MB, 8), 807);
    page_walks_forget(&walks);
    ck_assert_uint_eq(walks.count, 0);
    ck_assert_uint_eq(page_walks_ready(&walks, 32 * MB, 9), 809);
    page_walks_finish(&walks);
}
END_TEST

#define SMALL(...)                                                                             \
    SETS("gpgpu_flush_l1_cache=1", "hearth_scatter_turns=0", "hearth_page_reach=4096",         \
         __VA_ARGS__)

/* The first launch takes the walk longer than without the option, also where copies have filled
 * L2; later ones to the same region take no longer. */
START_TEST(launches)
{
    struct bench walked = bench_create(SMALL("hearth_page_walk=777"));
    struct bench plain = bench_create(SMALL("hearth_page_walk=0"));
    const uint64_t addresses[] = {0x10000, 0x10000, 0x10080, 0x11000, 0x10f80};
    const uint64_t more[] = {777, 0, 0, 777, 0};
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        uint64_t cycles = bench_access(&plain, BENCH_READ, addresses[i]);
        ck_assert_uint_eq(bench_access(&walked, BENCH_READ, addresses[i]), cycles + more[i]);
    }
    bench_destroy(&walked);
    bench_destroy(&plain);
}
END_TEST

/* A region that a state of L2 holds has been used before. */
START_TEST(restored)
{
    struct bench first = bench_create(SMALL("hearth_page_walk=777"));
    struct bench second = bench_create(SMALL("hearth_page_walk=777"));
    bench_access(&first, BENCH_READ, 0x10000);
    uint64_t warm = bench_access(&first, BENCH_READ, 0x10000);
    FILE *file = tmpfile();
    struct error err = {0};
    ck_assert_int_eq(sim_save(first.sim, file, "state", &err), 0);
    rewind(file);
    ck_assert_int_eq(sim_restore(second.sim, file, "state", &err), 0);
    fclose(file);
    ck_assert_uint_eq(bench_access(&second, BENCH_READ, 0x10000), warm);
    ck_assert_uint_gt(bench_access(&second, BENCH_READ, 0x20000), warm + 777);
    bench_destroy(&first);
    bench_destroy(&second);
}
END_TEST

#define TINY                                                                                   \
    SMALL("hearth_page_walk=777", "gpgpu_cache:dl2=S:1:128:2,L:B:m:L:L,A:192:4,32:0,32")

/* Reads of three regions, of whose lines the L2 of TINY holds the last two. */
static const struct launch_text three = {.program =
                                             "@00000001 R1 = LDG.E R2 [ 4 1 0x10000 0 ];"
                                             "@00000001 R3 = LDG.E R1 [ 4 1 0x20000 0 ];"
                                             "@00000001 R4 = LDG.E R3 [ 4 1 0x30000 0 ]; EXIT"};

/* No walk for the first one, but for a region that is new. */
static void expect_known(struct bench *bench)
{
    ck_assert_uint_lt(bench_access(bench, BENCH_READ, 0x10000), 777);
    ck_assert_uint_gt(bench_access(bench, BENCH_READ, 0x40000), 777);
    bench_destroy(bench);
}

/* A region stays translated, after functional launches and in a state, too, when L2 holds
 * nothing of it any more. */
START_TEST(evicted)
{
    struct error err = {0};
    struct sim_result result;
    struct bench timed = bench_create(TINY), without = bench_create(TINY),
                 again = bench_create(TINY), both = bench_create(TINY);
    struct trace_kernel *kernel = test_kernel_rows(&three);
    FILE *file = tmpfile();
    bench_launch(&timed, &three);
    ck_assert_int_eq(sim_save(timed.sim, file, "state", &err), 0);
    rewind(file);
    ck_assert_int_eq(sim_restore(again.sim, file, "state", &err), 0);
    ck_assert_int_eq(sim_functional(without.sim, kernel, NULL, &result, &err), 0);
    rewind(file);
    ck_assert_int_eq(sim_save(without.sim, file, "state", &err), 0);
    rewind(file);
    ck_assert_int_eq(sim_restore(both.sim, file, "state", &err), 0);
    fclose(file);
    trace_kernel_close(kernel);
    expect_known(&timed);
    expect_known(&again);
    expect_known(&without);
    expect_known(&both);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {first_access,  walkers,  by_time,  many_regions,
                                  known_regions, launches, restored, evicted};
    return RUN_TESTS("page_walks", tests);
}
