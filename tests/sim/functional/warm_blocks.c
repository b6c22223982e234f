/* Blocks that a timed launch leaves out, but whose accesses pass through the tags of L2. */
#include "tests/sim/support.h"

struct choices {
    const enum sim_block_choice *of; /* by order */
};

static enum sim_block_choice choose(void *data, const struct sim_block *block, uint64_t *cycles)
{
    const struct choices *choices = data;
    *cycles = 1000;
    return choices->of[block->order];
}

static struct sim_result chosen(const char *const *sets, unsigned threads,
                                const struct launch_text *text, const enum sim_block_choice *of)
{
    struct error err = {0};
    struct sim_result result;
    struct choices choices = {of};
    const struct sim_hooks hooks = {.block_begins = choose, .data = &choices};
    struct bench bench = bench_create(sets);
    struct trace_kernel *kernel = test_kernel(text);
    ck_assert_int_eq(sim_set_threads(bench.sim, threads, &err), 0);
    ck_assert_msg(sim_launch(bench.sim, kernel, &hooks, &result, &err) == 0, "%s", err.text);
    trace_kernel_close(kernel);
    bench_destroy(&bench);
    return result;
}

#define READ(address) "R1 = LDG.E R2 [ 4 1 " address " 0 ]; DFMA R1; EXIT"

/* One block at a time; the third reads what the second, which is left out, would have read: a
 * hit in L2 only if L2 knows the second one. It is not in L1. Accesses of blocks that are left
 * out count nowhere. */
START_TEST(later_blocks_hit)
{
    const struct launch_text text = {
        .blocks = 3,
        .shmem = 90000,
        .program = READ("0x1000") " # " READ("0x20000") " # " READ("0x20000")};
    static const enum sim_block_choice skip[] = {SIM_BLOCK_RUN, SIM_BLOCK_SKIP, SIM_BLOCK_RUN},
                                       warm[] = {SIM_BLOCK_RUN, SIM_BLOCK_WARM, SIM_BLOCK_RUN};
    struct sim_result cold = chosen(NO_SETS, 1, &text, skip);
    struct sim_result hit = chosen(NO_SETS, 1, &text, warm);
    ck_assert_uint_eq(cold.counters.l2_read_misses, 2);
    ck_assert_uint_eq(cold.counters.l2_read_hits, 0);
    ck_assert_uint_eq(hit.counters.l2_read_misses, 1);
    ck_assert_uint_eq(hit.counters.l2_read_hits, 1);
    ck_assert_uint_eq(hit.counters.l1d_hits, 0);
    ck_assert_uint_eq(hit.counters.dram_reads, 1);
    ck_assert_uint_eq(hit.counters.blocks, 2);
    ck_assert_uint_eq(hit.counters.warp_insts, 6);
    ck_assert_uint_lt(result_cycles(&hit), result_cycles(&cold));
}
END_TEST

/* The same beside a block that only takes its place. */
START_TEST(timed_blocks_warm)
{
    const struct launch_text text = {
        .blocks = 2, .shmem = 90000, .program = READ("0x20000") " # " READ("0x20000")};
    static const enum sim_block_choice timed[] = {SIM_BLOCK_TIMED, SIM_BLOCK_RUN},
                                       warm[] = {SIM_BLOCK_TIMED_WARM, SIM_BLOCK_RUN};
    struct sim_result cold = chosen(NO_SETS, 1, &text, timed);
    struct sim_result hit = chosen(NO_SETS, 1, &text, warm);
    ck_assert_uint_eq(cold.counters.l2_read_misses, 1);
    ck_assert_uint_eq(hit.counters.l2_read_misses, 0);
    ck_assert_uint_eq(hit.counters.l2_read_hits, 1);
    ck_assert_uint_gt(result_cycles(&hit), 1000);
}
END_TEST

/* What is in flight stays in flight: a block that is left out touches the sector that another
 * one has just asked for, and nothing changes. */
START_TEST(sectors_in_flight)
{
    const struct launch_text text = {.blocks = 2, .program = READ("0x1000")};
    static const enum sim_block_choice skip[] = {SIM_BLOCK_RUN, SIM_BLOCK_SKIP},
                                       warm[] = {SIM_BLOCK_RUN, SIM_BLOCK_WARM};
    struct sim_result cold = chosen(NO_SETS, 1, &text, skip);
    struct sim_result same = chosen(NO_SETS, 1, &text, warm);
    ck_assert_uint_le(result_cycles(&same), result_cycles(&cold));
    ck_assert_uint_eq(same.counters.l2_reads, 1);
}
END_TEST

/* Stores of blocks that are left out make lines dirty, which are written back when others push
 * them out: an L2 of one set a slice and two ways. */
START_TEST(stores_become_dirty)
{
    const struct launch_text text = {
        .blocks = 3,
        .shmem = 90000,
        .program = "EXIT # STG.E R2 R3 [ 4 1 0x1000 4 ]; STG.E R2 R3 [ 4 1 0x9000 4 ]; EXIT # "
                   "R1 = LDG.E R2 [ 4 1 0x11000 4 ]; R1 = LDG.E R2 [ 4 1 0x19000 4 ]; "
                   "R1 = LDG.E R2 [ 4 1 0x21000 4 ]; DFMA R1; EXIT"};
    const char *const *sets = SETS("gpgpu_cache:dl2=S:1:128:2,L:B:m:L:L,A:32:4,32:0,32",
                                   "gpgpu_n_mem=1", "gpgpu_n_sub_partition_per_mchannel=1");
    static const enum sim_block_choice skip[] = {SIM_BLOCK_RUN, SIM_BLOCK_SKIP, SIM_BLOCK_RUN},
                                       warm[] = {SIM_BLOCK_RUN, SIM_BLOCK_WARM, SIM_BLOCK_RUN};
    struct sim_result clean = chosen(sets, 1, &text, skip);
    struct sim_result dirty = chosen(sets, 1, &text, warm);
    ck_assert_uint_eq(clean.counters.l2_evictions_dirty, 0);
    ck_assert_uint_eq(dirty.counters.l2_evictions_dirty, 2);
    ck_assert_uint_eq(dirty.counters.l2_writes, 0);
}
END_TEST

/* Blocks of a long launch, every third one left out: alike for any number of threads. */
static enum sim_block_choice third(void *data, const struct sim_block *block, uint64_t *cycles)
{
    (void)data;
    (void)cycles;
    return block->order % 3 == 1 ? SIM_BLOCK_WARM : SIM_BLOCK_RUN;
}

START_TEST(any_number_of_threads)
{
    struct error err = {0};
    struct sim_result results[2];
    const struct sim_hooks hooks = {.block_begins = third};
    const struct launch_text text = {
        .blocks = 300,
        .program = READ("0x1000") " # " READ("0x2000") " # STG.E R2 R3 [ 4 1 0x3000 4 ]; EXIT"
                                                       " # " READ("0x20000")};
    for (unsigned i = 0; i < 2; i++) {
        struct bench bench = bench_create(SETS("gpgpu_n_clusters=4"));
        struct trace_kernel *kernel = test_kernel(&text);
        ck_assert_int_eq(sim_set_threads(bench.sim, 1 + 2 * i, &err), 0);
        ck_assert_msg(sim_launch(bench.sim, kernel, &hooks, &results[i], &err) == 0, "%s",
                      err.text);
        trace_kernel_close(kernel);
        bench_destroy(&bench);
    }
    ck_assert_uint_eq(result_cycles(&results[0]), result_cycles(&results[1]));
    ck_assert_int_eq(
        memcmp(&results[0].counters, &results[1].counters, sizeof results[0].counters), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {later_blocks_hit, timed_blocks_warm, sectors_in_flight,
                                  stores_become_dirty, any_number_of_threads};
    return RUN_TESTS("warm blocks", tests);
}
