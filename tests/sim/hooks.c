/* Hooks: leaving blocks out, timing them, watching them end. */
#include "tests/sim/support.h"

struct watch {
    enum sim_block_choice (*choose)(const struct sim_block *block, uint64_t *cycles);
    uint64_t asked;
    struct sim_block ended[64];
    uint32_t ended_count;
};

static enum sim_block_choice begins(void *data, const struct sim_block *block, uint64_t *cycles)
{
    struct watch *watch = data;
    ck_assert_uint_eq(block->order, watch->asked);
    watch->asked++;
    return watch->choose != NULL ? watch->choose(block, cycles) : SIM_BLOCK_RUN;
}

static void ends(void *data, const struct sim_block *block)
{
    struct watch *watch = data;
    ck_assert_uint_lt(watch->ended_count, 64);
    watch->ended[watch->ended_count++] = *block;
}

static struct sim_result watched(const char *const *sets, unsigned threads, unsigned blocks,
                                 struct watch *watch)
{
    struct error err = {0};
    struct sim_result result;
    struct sim_hooks hooks = {.block_begins = begins, .block_ended = ends, .data = watch};
    struct launch_text text = {.blocks = blocks, .program = "20 * FFMA; EXIT # 5 * FFMA; EXIT"};
    struct bench bench = bench_create(sets);
    struct trace_kernel *kernel = test_kernel(&text);
    ck_assert_int_eq(sim_set_threads(bench.sim, threads, &err), 0);
    ck_assert_msg(sim_launch(bench.sim, kernel, &hooks, &result, &err) == 0, "%s", err.text);
    trace_kernel_close(kernel);
    bench_destroy(&bench);
    return result;
}

static enum sim_block_choice skip_odd(const struct sim_block *block, uint64_t *cycles)
{
    (void)cycles;
    return block->order % 2 ? SIM_BLOCK_SKIP : SIM_BLOCK_RUN;
}

/* Blocks 0, 2, 4 are left: one of 21 instructions, two of 6. */
START_TEST(skip)
{
    struct watch watch = {.choose = skip_odd};
    struct sim_result result = watched(NO_SETS, 1, 6, &watch);
    ck_assert_uint_eq(watch.asked, 6);
    ck_assert_uint_eq(watch.ended_count, 3);
    ck_assert_uint_eq(result.counters.blocks, 3);
    ck_assert_uint_eq(result.counters.warp_insts, 21 + 2 * 6);
}
END_TEST

static enum sim_block_choice skip_all(const struct sim_block *block, uint64_t *cycles)
{
    (void)block;
    (void)cycles;
    return SIM_BLOCK_SKIP;
}

START_TEST(skip_everything)
{
    struct watch watch = {.choose = skip_all};
    struct sim_result result = watched(NO_SETS, 1, 6, &watch);
    ck_assert_uint_eq(watch.ended_count, 0);
    ck_assert_uint_eq(result.counters.warp_insts, 0);
}
END_TEST

static enum sim_block_choice fifty(const struct sim_block *block, uint64_t *cycles)
{
    (void)block;
    *cycles = 50;
    return SIM_BLOCK_TIMED;
}

/* Six places on the SM; one block a cycle, at the ends of cycles 0 to 5. The
 * last one keeps its place to cycle 55: 56 cycles. */
START_TEST(timed)
{
    struct watch watch = {.choose = fifty};
    struct sim_result result = watched(NO_SETS, 1, 6, &watch);
    ck_assert_uint_eq(result_cycles(&result), 56);
    ck_assert_uint_eq(result.counters.warp_insts, 0);
    ck_assert_uint_eq(result.counters.blocks, 0);
    ck_assert_uint_eq(watch.ended_count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        ck_assert_uint_eq(watch.ended[i].order, i);
        ck_assert_uint_eq(watch.ended[i].begin, i);
        ck_assert_uint_eq(watch.ended[i].end, i + 50);
    }
}
END_TEST

static enum sim_block_choice long_block(const struct sim_block *block, uint64_t *cycles)
{
    *cycles = 1000000;
    return block->order == 0 ? SIM_BLOCK_TIMED : SIM_BLOCK_RUN;
}

/* A launch that only waits for a timed block is no deadlock. */
START_TEST(long_timed)
{
    struct watch watch = {.choose = long_block};
    struct sim_result result = watched(NO_SETS, 1, 2, &watch);
    ck_assert_uint_eq(result_cycles(&result), 1000001);
}
END_TEST

/* Blocks are told by the cycle of their end, then by SM, for any number of
 * threads alike. */
START_TEST(watched_in_order)
{
    const char *const *sets = SETS("gpgpu_n_clusters=3");
    struct watch one = {0}, more = {0};
    struct sim_result first = watched(sets, 1, 40, &one);
    struct sim_result second = watched(sets, 3, 40, &more);
    ck_assert_uint_eq(result_cycles(&first), result_cycles(&second));
    ck_assert_uint_eq(one.ended_count, 40);
    ck_assert_uint_eq(more.ended_count, 40);
    for (uint32_t i = 0; i < 40; i++) {
        ck_assert_uint_eq(one.ended[i].order, more.ended[i].order);
        ck_assert_uint_eq(one.ended[i].sm, more.ended[i].sm);
        ck_assert_uint_eq(one.ended[i].end, more.ended[i].end);
        if (i != 0)
            ck_assert(one.ended[i - 1].end < one.ended[i].end ||
                      (one.ended[i - 1].end == one.ended[i].end && one.ended[i - 1].sm <= one.ended[i].sm));
    }
    ck_assert_uint_eq(one.ended[39].end + 1, result_cycles(&first));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {skip, skip_everything, timed, long_timed, watched_in_order};
    return RUN_TESTS("hooks", tests);
}
