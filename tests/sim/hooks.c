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

static enum sim_block_choice end_at_two(const struct sim_block *block, uint64_t *cycles)
{
    (void)cycles;
    ck_assert_ptr_nonnull(block->trace);
    ck_assert_uint_eq(block->trace->warps[0].total, block->order == 0 ? 21 : 6);
    return block->order == 2 ? SIM_BLOCK_END : SIM_BLOCK_RUN;
}

/* Blocks 0 and 1 run; the others are not even asked about. The next launch goes on with what
 * these left. */
START_TEST(end_of_blocks)
{
    struct watch watch = {.choose = end_at_two};
    struct sim_result result = watched(NO_SETS, 1, 40, &watch);
    ck_assert_uint_eq(watch.asked, 3);
    ck_assert_uint_eq(watch.ended_count, 2);
    ck_assert(!result.stopped);
    ck_assert_uint_eq(result.counters.blocks, 2);
    ck_assert_uint_eq(result.counters.warp_insts, 21 + 6);
    struct watch three = {.choose = end_at_two};
    struct sim_result same = watched(NO_SETS, 3, 40, &three);
    ck_assert_uint_eq(result_cycles(&result), result_cycles(&same));
}
END_TEST

/* Runs a launch of BLOCKS blocks that a launch of five comes before, which knows it as its next
 * one, if TOLD. FORGOTTEN: it is opened again in between. */
static struct sim_result after_another(unsigned threads, unsigned blocks, bool told,
                                       bool forgotten)
{
    struct error err = {0};
    struct sim_result result;
    struct launch_text text = {.blocks = 5, .program = "20 * FFMA; EXIT # 5 * FFMA; EXIT"};
    struct launch_text long_text = {.blocks = blocks, .program = text.program};
    struct bench bench = bench_create(SETS("gpgpu_n_clusters=4"));
    struct trace_kernel *first = test_kernel(&text), *next = test_kernel(&long_text);
    struct sim_hooks hooks = {.next = told ? next : NULL};
    ck_assert_int_eq(sim_set_threads(bench.sim, threads, &err), 0);
    ck_assert(sim_reads_ahead(bench.sim) == (threads > 1));
    ck_assert_msg(sim_launch(bench.sim, first, &hooks, &result, &err) == 0, "%s", err.text);
    trace_kernel_close(first);
    if (forgotten) {
        sim_forget_next(bench.sim);
        trace_kernel_close(next);
        next = test_kernel(&long_text);
    }
    ck_assert_msg(sim_launch(bench.sim, next, NULL, &result, &err) == 0, "%s", err.text);
    trace_kernel_close(next);
    bench_destroy(&bench);
    return result;
}

/* Which blocks have been read of the next launch changes nothing; more of them than are ever
 * read ahead, too. */
START_TEST(next_launch)
{
    for (unsigned blocks = 3; blocks < 3000; blocks *= 20) {
        struct sim_result one = after_another(1, blocks, false, false);
        ck_assert_uint_eq(one.counters.blocks, blocks);
        for (unsigned threads = 1; threads < 4; threads++)
            for (int forgotten = 0; forgotten < 2; forgotten++) {
                struct sim_result same = after_another(threads, blocks, true, forgotten != 0);
                ck_assert_uint_eq(one.start_cycle, same.start_cycle);
                ck_assert_uint_eq(one.end_cycle, same.end_cycle);
                ck_assert_mem_eq(&one.counters, &same.counters, sizeof one.counters);
            }
    }
}
END_TEST

/* Another launch comes instead: the next one's reader goes before it is closed. */
START_TEST(next_launch_that_never_comes)
{
    struct error err = {0};
    struct sim_result result;
    struct launch_text text = {.blocks = 5, .program = "20 * FFMA; EXIT"};
    struct bench bench = bench_create(NO_SETS);
    struct trace_kernel *first = test_kernel(&text), *next = test_kernel(&text);
    struct trace_kernel *other = test_kernel(&text);
    struct sim_hooks hooks = {.next = next};
    ck_assert_int_eq(sim_set_threads(bench.sim, 2, &err), 0);
    ck_assert_int_eq(sim_launch(bench.sim, first, &hooks, &result, &err), 0);
    ck_assert_int_eq(sim_launch(bench.sim, other, NULL, &result, &err), 0);
    ck_assert_uint_eq(result.counters.blocks, 5);
    trace_kernel_close(next);
    trace_kernel_close(first);
    trace_kernel_close(other);
    bench_destroy(&bench);
}
END_TEST

struct basics {
    struct sim_basic_block of[16];
    uint32_t count;
    uint64_t loads, load_cycles;
};

static void keep_basic(void *data, const struct sim_basic_block *basic)
{
    struct basics *basics = data;
    ck_assert_uint_lt(basics->count, 16);
    basics->of[basics->count++] = *basic;
}

static void keep_results(void *data, uint8_t type, uint64_t count, uint64_t cycles)
{
    static const struct trace_inst load = {.unit = TRACE_UNIT_MEMORY,
                                           .space = TRACE_SPACE_GLOBAL};
    struct basics *basics = data;
    if (type != trace_inst_type(&load))
        return;
    basics->loads += count;
    basics->load_cycles += cycles;
}

/* A warp's instructions up to a branch, a barrier, a jump without one, and the end: each basic
 * block ends as the next one begins, and the last one with the warp. Both core models. */
START_TEST(basic_blocks)
{
    const struct launch_text text = {
        .program =
            "FADD R1 R1; FADD R2 R2; BRA; FADD R3 R3; BAR.SYNC; R1 = LDG.E R2 [ 4 1 0x1000 4 ];"
            " :20 FADD R1 R1; FADD R5 R5; EXIT"};
    static const uint32_t pcs[] = {0, 48, 80, 320}, insts[] = {3, 2, 1, 3};
    struct error err = {0};
    struct sim_result result;
    struct basics basics = {.count = 0};
    const struct sim_hooks hooks = {
        .basic_block_ended = keep_basic, .results_came = keep_results, .data = &basics};
    struct bench bench =
        bench_create(_i ? SETS("hearth_core=modern", "gpgpu_scheduler=cggty") : NO_SETS);
    struct trace_kernel *kernel = test_kernel(&text);
    ck_assert_msg(sim_launch(bench.sim, kernel, &hooks, &result, &err) == 0, "%s", err.text);
    ck_assert_uint_eq(basics.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(basics.of[i].pc, pcs[i]);
        ck_assert_uint_eq(basics.of[i].insts, insts[i]);
        ck_assert_uint_gt(basics.of[i].end, basics.of[i].begin);
        ck_assert(i == 3 || basics.of[i].end == basics.of[i + 1].begin);
        ck_assert(i == 0 || basics.of[i].wait == 0);
    }
    ck_assert_uint_eq(basics.of[0].wait, basics.of[0].begin);
    ck_assert_uint_le(basics.of[3].end, result_cycles(&result));
    ck_assert_uint_eq(basics.loads, 1);
    ck_assert_uint_lt(basics.of[2].begin + basics.load_cycles, basics.of[3].end);
    ck_assert_uint_gt(basics.load_cycles, 100);
    trace_kernel_close(kernel);
    bench_destroy(&bench);
}
END_TEST

static enum sim_block_choice functional_choice(void *data, const struct sim_block *block,
                                               uint64_t *cycles)
{
    const uint64_t *last = data;
    (void)cycles;
    return block->order >= *last   ? SIM_BLOCK_END
           : block->order % 2 == 0 ? SIM_BLOCK_SKIP
                                   : SIM_BLOCK_RUN;
}

/* Functional launches leave blocks out, too: of 40, 1 to 19 that are odd are left; each reads a
 * sector. */
START_TEST(functional_skip)
{
    struct error err = {0};
    struct sim_result result;
    uint64_t last = 20;
    struct sim_hooks hooks = {.block_begins = functional_choice, .data = &last};
    const struct launch_text text = {.blocks = 40,
                                     .program = "R1 = LDG.E R2 [ 4 1 0x1000 0 ]; EXIT"};
    struct bench bench = bench_create(NO_SETS);
    for (int i = 0; i < 2; i++) {
        struct trace_kernel *kernel = test_kernel(&text);
        ck_assert_int_eq(sim_functional(bench.sim, kernel, &hooks, &result, &err), 0);
        trace_kernel_close(kernel);
        ck_assert_uint_eq(result.counters.blocks, last == 20 ? 10 : 0);
        ck_assert_uint_eq(result.counters.l1d_accesses, last == 20 ? 10 : 0);
        last = 0;
    }
    bench_destroy(&bench);
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
                      (one.ended[i - 1].end == one.ended[i].end &&
                       one.ended[i - 1].sm <= one.ended[i].sm));
    }
    ck_assert_uint_eq(one.ended[39].end + 1, result_cycles(&first));
}
END_TEST

/* ---- intervals ---- */

struct series {
    struct sim_interval of[4096];
    uint32_t count;
};

static void interval_ended(void *data, const struct sim_interval *interval)
{
    struct series *series = data;
    ck_assert_uint_lt(series->count, 4096);
    series->of[series->count++] = *interval;
}

/* The intervals of LAUNCHES launches of TEXT, and what the last one gave. */
static struct sim_result in_series(const char *const *sets, const struct launch_text *text,
                                   unsigned threads, uint64_t length, int launches,
                                   struct series *series)
{
    struct error err = {0};
    struct sim_result result = {0};
    struct sim_hooks hooks = {
        .interval_ended = interval_ended, .interval = length, .data = series};
    struct bench bench = bench_create(sets);
    ck_assert_int_eq(sim_set_threads(bench.sim, threads, &err), 0);
    for (int i = 0; i < launches; i++) {
        struct trace_kernel *kernel = test_kernel(text);
        series->count = 0;
        ck_assert_msg(sim_launch(bench.sim, kernel, &hooks, &result, &err) == 0, "%s",
                      err.text);
        trace_kernel_close(kernel);
    }
    bench_destroy(&bench);
    return result;
}

/* A load past L1, issued in 2, meets L2 in 2 + 194; its row is opened in 2 + 451,
 * and read RCD = 24 later; the instruction that waits for it is issued in 2 + 506:
 * all 40 less than through L1, see memory.c. */
START_TEST(intervals_count_by_cycle)
{
    static struct series series;
    const struct launch_text text = {
        .program = "R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x1000 0 ]; DFMA R1; EXIT"};
    struct sim_result result = in_series(NO_SETS, &text, 1, 1, 1, &series);
    ck_assert_uint_eq(series.count, result_cycles(&result));
    for (uint32_t i = 0; i < series.count; i++) {
        const struct sim_counters *c = &series.of[i].counters;
        ck_assert_uint_eq(series.of[i].begin, i);
        ck_assert_uint_eq(series.of[i].end, i + 1);
        ck_assert_uint_eq(c->l2_read_misses, i == 196);
        ck_assert_uint_eq(c->dram_activates, i == 453);
        ck_assert_uint_eq(c->dram_read_bytes, i == 477 ? 32 : 0);
        if (i == 2 || i == 508)
            ck_assert_uint_eq(c->warp_insts, 1);
    }
}
END_TEST

/* The rest of a launch is an interval of its own, none is empty, and the launch
 * latency is part of the first ones. */
START_TEST(intervals_end_with_the_launch)
{
    static struct series series;
    const struct launch_text text = {.program = "EXIT"};
    struct sim_result result =
        in_series(SETS("gpgpu_kernel_launch_latency=100"), &text, 1, 40, 3, &series);
    ck_assert_uint_eq(result_cycles(&result), 108);
    ck_assert_uint_eq(series.count, 3);
    ck_assert_uint_eq(series.of[2].begin, 80);
    ck_assert_uint_eq(series.of[2].end, 108);
    ck_assert_uint_eq(series.of[1].counters.warp_insts, 0);
    ck_assert_uint_eq(series.of[2].counters.warp_insts, 1);
    in_series(SETS("gpgpu_kernel_launch_latency=100"), &text, 1, 54, 3, &series);
    ck_assert_uint_eq(series.count, 2);
    ck_assert_uint_eq(series.of[1].end, 108);
}
END_TEST

static void add_up(const struct series *fine, uint64_t begin, uint64_t end,
                   struct sim_counters *sum)
{
    *sum = (struct sim_counters){0};
    for (uint32_t i = 0; i < fine->count; i++)
        if (fine->of[i].begin >= begin && fine->of[i].end <= end)
            sim_counters_add(sum, &fine->of[i].counters);
}

/* Three launches of loads and stores through a small L2, so that write-backs
 * trail each launch. Intervals of any length, for any number of threads, hold
 * what the single cycles hold, and add up to the launch, which is the same
 * without intervals; one longer than the launch is the launch. */
START_TEST(intervals_add_up)
{
    static struct series fine, coarse;
    const uint64_t lengths[] = {7, 64, 187, 300, 100000};
    const char *const *sets =
        SETS("gpgpu_n_clusters=2", "gpgpu_clock_domains=1000:1000:900:1700",
             "gpgpu_cache:dl2=S:1:128:8,L:B:m:L:L,A:192:4,32:0,32");
    const struct launch_text text = {
        .blocks = 12,
        .threads = 64,
        .program = "R1 = LDG.E R2 [ 4 1 0x1000 128 ]; STG.E R2 R1 [ 4 1 0x9000 64 ]; 30 * FFMA;"
                   "STG.E R2 R3 [ 4 1 0x20000 128 ]; EXIT"};
    struct sim_result result = in_series(sets, &text, 1, 1, 3, &fine);
    struct sim_counters sum;
    add_up(&fine, 0, UINT64_MAX, &sum);
    ck_assert_int_eq(memcmp(&sum, &result.counters, sizeof sum), 0);
    ck_assert_uint_gt(sum.dram_write_bytes, 0);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            struct sim_result same = in_series(sets, &text, threads, lengths[l], 3, &coarse);
            ck_assert_int_eq(memcmp(&same.counters, &result.counters, sizeof sum), 0);
            ck_assert_uint_eq(same.end_cycle, result.end_cycle);
            for (uint32_t i = 0; i < coarse.count; i++) {
                add_up(&fine, coarse.of[i].begin, coarse.of[i].end, &sum);
                ck_assert_int_eq(memcmp(&sum, &coarse.of[i].counters, sizeof sum), 0);
            }
        }
    struct sim_result without = in_series(sets, &text, 1, 0, 3, &coarse);
    ck_assert_uint_eq(coarse.count, 0);
    ck_assert_int_eq(memcmp(&without.counters, &result.counters, sizeof sum), 0);
}
END_TEST

/* Nor do intervals move the next launch, which begins when the last stores are acknowledged,
 * and reductions that nobody waits for are done: whether there are few of them, or more than
 * the crossbar takes at once. */
START_TEST(intervals_move_nothing)
{
    static struct series series;
    const char *const programs[] = {
        "STG.E R2 R3 [ 4 1 0x20000 128 ]; EXIT",
        ("20 * STG.E R2 R3 [ 4 1 0x20000 128 ]; EXIT # R1 = LDG.E R2 [ 4 1 0x1000 128 ]; "
         "STG.E R2 R1 [ 4 1 0x9000 64 ]; EXIT"),
        "RED.E.ADD R2 R3 [ 4 1 0x20000 128 ]; EXIT",
        "20 * RED.E.ADD R2 R3 [ 4 1 0x20000 128 ]; STG.E R2 R1 [ 4 1 0x9000 64 ]; EXIT"};
    const char *const *sets =
        SETS("hearth_core=modern", "gpgpu_scheduler=cggty", "hearth_instruction_buffer=0",
             "hearth_posted_reductions=24", "gpgpu_n_clusters=2",
             "gpgpu_clock_domains=1000:1000:900:1700");
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        const struct launch_text text = {.blocks = 4, .threads = 64, .program = programs[p]};
        struct sim_result without = in_series(sets, &text, 1, 0, 3, &series);
        for (uint64_t length = 3; length < 400; length += 13) {
            struct sim_result with = in_series(sets, &text, 1 + length % 2, length, 3, &series);
            ck_assert_uint_eq(with.start_cycle, without.start_cycle);
            ck_assert_uint_eq(with.end_cycle, without.end_cycle);
            ck_assert_mem_eq(&with.counters, &without.counters, sizeof with.counters);
        }
    }
}
END_TEST

/* The cycles of TEXT's launch with intervals of LENGTH, 0 for none. */
static uint64_t cycles_with(struct bench *bench, const struct launch_text *text,
                            uint64_t length)
{
    static struct series series;
    struct error err = {0};
    struct sim_result result;
    const struct sim_hooks hooks = {
        .interval_ended = interval_ended, .interval = length, .data = &series};
    struct trace_kernel *kernel = test_kernel(text);
    series.count = 0;
    ck_assert_msg(sim_launch(bench->sim, kernel, &hooks, &result, &err) == 0, "%s", err.text);
    trace_kernel_close(kernel);
    return result_cycles(&result);
}

/* Two SMs of a cluster. The first one's load is the first one to its region of memory and waits
 * for a page walk of 500 cycles. The load that the second one sends in the next cycle is to a
 * known region, but waits behind it, wherever an interval ends; four more follow one after the
 * other. When both regions are known, nothing waits. */
START_TEST(intervals_move_no_request)
{
#define FIRST "R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x1000 0 ]; EXIT"
#define CHAIN                                                                                  \
    "R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x9000 0 ]; 4 * R1 = LDG.E.STRONG.GPU R1 [ 4 1 0x9000 0 "  \
    "];"                                                                                       \
    "EXIT"
    const struct launch_text chain = {.blocks = 2, .program = "EXIT #" CHAIN},
                             both = {.blocks = 2, .program = FIRST "#" CHAIN};
    for (uint64_t length = 0; length < 100; length++) {
        struct bench bench = bench_create(SETS(
            "gpgpu_n_cores_per_cluster=2", "hearth_page_walk=500", "hearth_page_reach=4096"));
        bench_launch(&bench, &chain);
        uint64_t behind = cycles_with(&bench, &both, length);
        ck_assert_uint_eq(cycles_with(&bench, &both, length), behind - 500);
        bench_destroy(&bench);
    }
}
END_TEST

struct order {
    uint64_t interval; /* end of the last one */
    uint32_t blocks;
};

static void order_interval(void *data, const struct sim_interval *interval)
{
    ((struct order *)data)->interval = interval->end;
}

static void order_block(void *data, const struct sim_block *block)
{
    struct order *order = data;
    ck_assert_uint_ge(block->end, order->interval);
    order->blocks++;
}

/* What ended in an interval is told before the interval is. */
START_TEST(intervals_follow_their_blocks)
{
    struct error err = {0};
    struct sim_result result;
    for (uint64_t length = 5; length < 60; length += 9) {
        struct order order = {0};
        const struct sim_hooks hooks = {.interval_ended = order_interval,
                                        .interval = length,
                                        .block_ended = order_block,
                                        .data = &order};
        const struct launch_text text = {.blocks = 40, .program = "20 * FFMA; EXIT"};
        struct bench bench = bench_create(NO_SETS);
        struct trace_kernel *kernel = test_kernel(&text);
        ck_assert_msg(sim_launch(bench.sim, kernel, &hooks, &result, &err) == 0, "%s",
                      err.text);
        ck_assert_uint_eq(order.blocks, 40);
        trace_kernel_close(kernel);
        bench_destroy(&bench);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {skip,
                                  skip_everything,
                                  end_of_blocks,
                                  next_launch,
                                  next_launch_that_never_comes,
                                  functional_skip,
                                  timed,
                                  long_timed,
                                  watched_in_order,
                                  intervals_count_by_cycle,
                                  intervals_end_with_the_launch,
                                  intervals_add_up,
                                  intervals_move_nothing,
                                  intervals_move_no_request,
                                  intervals_follow_their_blocks};
    const TTest *const loops[] = {basic_blocks};
    return RUN_LOOPS("hooks", tests, loops, 2);
}
