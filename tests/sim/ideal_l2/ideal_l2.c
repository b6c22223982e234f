/* The second clock: by how much launches would have been shorter had L2 held all that they
 * read, against the same launches with all of it in L2. */
#include "tests/sim/support.h"

#include "sim/ideal_l2/calendar.h"

/* A launch with L2 empty, and once more. */
struct pair {
    struct sim_result cold, warm;
    uint64_t lost; /* cycles that the first one takes longer */
};

static struct pair run_twice(const char *const *sets, const struct launch_text *text)
{
    struct error err = {0};
    struct pair pair;
    struct bench bench = bench_create(sets);
    ck_assert_int_eq(sim_ideal_l2(bench.sim, &err), 0);
    pair.cold = bench_launch(&bench, text);
    sim_flush(bench.sim, SIM_L1, false);
    pair.warm = bench_launch(&bench, text);
    ck_assert_uint_gt(pair.cold.counters.dram_reads, 0);
    ck_assert_uint_eq(pair.warm.counters.dram_reads, 0);
    ck_assert_uint_eq(pair.warm.saved_cycles, 0);
    pair.lost = result_cycles(&pair.cold) - result_cycles(&pair.warm);
    bench_destroy(&bench);
    return pair;
}

/* WAITS for a read of an idle DRAM, of 300 to 330 cycles each, lie behind each other. */
static void check(const char *const *sets, const struct launch_text *text, uint64_t waits)
{
    struct pair pair = run_twice(sets, text);
    ck_assert_uint_eq(pair.cold.saved_cycles, pair.lost);
    ck_assert_uint_ge(pair.lost, 300 * waits);
    ck_assert_uint_le(pair.lost, 330 * waits);
}

#define LOAD(reg, address) reg " = LDG.E R2 [ 4 1 " address " 0 ];"
#define USE                "R1 = IADD R1 R1;"
#define ONE                LOAD("R1", "0x1000") USE "EXIT"

START_TEST(one_behind_the_other)
{
    check(NO_SETS, &(struct launch_text){.program = ONE}, 1);
    check(NO_SETS,
          &(struct launch_text){.program =
                                    LOAD("R1", "0x1000") USE LOAD("R1", "0x9000") USE "EXIT"},
          2);
}
END_TEST

/* Only the longer one of two waits counts: the sectors come one after the other. */
START_TEST(side_by_side)
{
    struct launch_text two = {.program = LOAD("R1", "0x1000")
                                  LOAD("R3", "0x1020") "R1 = IADD R1 R3; EXIT"};
    check(NO_SETS, &two, 1);
    two.threads = 64;
    two.program = ONE " |" LOAD("R1", "0x1020") USE "EXIT";
    check(NO_SETS, &two, 1);
}
END_TEST

/* What another warp does meanwhile hides nothing of the wait of the warp that ends last. */
START_TEST(while_another_works)
{
    struct launch_text text = {.threads = 64};
    text.program = repeated(ONE "| % EXIT", 30, USE);
    check(NO_SETS, &text, 1);
}
END_TEST

/* Nothing is saved where another warp takes longer in any case. */
START_TEST(hidden_behind_work)
{
    struct launch_text text = {.threads = 64};
    text.program = repeated(ONE "| % EXIT", 300, USE);
    struct pair pair = run_twice(NO_SETS, &text);
    ck_assert_uint_eq(pair.lost, 0);
    ck_assert_uint_eq(pair.cold.saved_cycles, 0);
}
END_TEST

/* Each warp waits for the other's load. */
START_TEST(over_a_barrier)
{
    check(NO_SETS,
          &(struct launch_text){.threads = 64,
                                .program = LOAD("R1", "0x1000") USE
                                "BAR.SYNC; EXIT |"
                                "BAR.SYNC;" LOAD("R1", "0x9000") USE "EXIT"},
          2);
}
END_TEST

START_TEST(block_behind_block)
{
    const struct launch_text three = {.blocks = 3,
                                      .program = ONE "#" LOAD("R1", "0x9000") USE
                                      "EXIT #" LOAD("R1", "0x5000") USE "EXIT"};
    check(SETS("gpgpu_shader_cta=1"), &three, 3);
    check(SETS("gpgpu_shader_cta=2"), &three, 2);
    check(SETS("gpgpu_shader_cta=1", "gpgpu_n_clusters=3", "gpgpu_n_mem=2"), &three, 1);
}
END_TEST

START_TEST(past_l1)
{
    check(SETS("gpgpu_gmem_skip_L1D=1"), &(struct launch_text){.program = ONE}, 1);
    check(NO_SETS,
          &(struct launch_text){
              .program = "@00000001 R1 = ATOMG.E.ADD R2 R3 [ 4 1 0x1000 0 ];" USE "EXIT"},
          1);
}
END_TEST

/* What waits for all that is on its way. */
START_TEST(drained)
{
    check(NO_SETS,
          &(struct launch_text){.program = "LDGSTS.E R2 R3 [ 4 1 0x1000 0 ]; LDGDEPBAR;"
                                           "DEPBAR.LE $0; R1 = IADD R2 R2; EXIT"},
          1);
    check(NO_SETS,
          &(struct launch_text){.program = LOAD("R1", "0x1000") "MEMBAR.SC.GPU;"
                                                                "R3 = IADD R2 R2; EXIT"},
          1);
    check(NO_SETS, &(struct launch_text){.program = LOAD("R1", "0x1000") "EXIT"}, 1);
}
END_TEST

/* 32 sectors: DRAM brings them slower than L2 and the SM pass them on. */
START_TEST(many_sectors)
{
    const struct launch_text text = {.program = "R1 = LDG.E R2 [ 4 1 0x1000 128 ];" USE "EXIT"};
    struct pair pair = run_twice(NO_SETS, &text);
    ck_assert_uint_gt(pair.lost, 400);
    ck_assert_uint_eq(pair.cold.saved_cycles, pair.lost);
}
END_TEST

/* 32 sectors in front of an L2 slice that awaits two lines at a time: where one of them waits
 * for room, all behind it do. */
START_TEST(held_in_front_of_l2)
{
    const struct launch_text text = {.threads = 128,
                                     .program = "R1 = LDG.E R2 [ 4 1 0x1000 128 ];" USE "EXIT"};
    struct pair pair =
        run_twice(SETS("gpgpu_cache:dl2=S:32:128:24,L:B:m:L:P,A:2:4,32:0,32"), &text);
    ck_assert_uint_gt(pair.lost, 16 * 250);
    ck_assert_uint_eq(pair.cold.saved_cycles, pair.lost);
}
END_TEST

/* Where there is no L2 none could hold anything, however long the way to DRAM is full. */
START_TEST(without_l2)
{
    const struct launch_text text = {.threads = 128,
                                     .program = "R1 = LDG.E R2 [ 4 1 0x1000 128 ];" USE "EXIT"};
    struct error err = {0};
    struct bench bench =
        bench_create(SETS("gpgpu_cache:dl2=none", "gpgpu_dram_partition_queues=1:1:1:1",
                          "gpgpu_frfcfs_dram_sched_queue_size=1"));
    ck_assert_int_eq(sim_ideal_l2(bench.sim, &err), 0);
    struct sim_result result = bench_launch(&bench, &text);
    ck_assert_uint_eq(result.counters.dram_reads, 32);
    ck_assert_uint_eq(result.saved_cycles, 0);
    bench_destroy(&bench);
}
END_TEST

START_TEST(nothing_else_changes)
{
    const struct launch_text text = {.blocks = 8,
                                     .threads = 256,
                                     .program = LOAD("R1", "0x1000") USE
                                     "STG.E R2 R1 [ 4 1 0x8000 128 ]; EXIT"};
    struct sim_result without = launch_on(NO_SETS, &text);
    struct sim_result with = run_twice(NO_SETS, &text).cold;
    ck_assert_uint_eq(without.saved_cycles, 0);
    ck_assert_uint_gt(with.saved_cycles, 0);
    ck_assert_uint_eq(result_cycles(&without), result_cycles(&with));
    ck_assert_mem_eq(&without.counters, &with.counters, sizeof with.counters);
}
END_TEST

/* A simulator that begins anew goes on with it. */
START_TEST(after_reset)
{
    struct error err = {0};
    const struct launch_text text = {.program = ONE};
    struct bench bench = bench_create(NO_SETS);
    ck_assert_int_eq(sim_ideal_l2(bench.sim, &err), 0);
    uint64_t saved = bench_launch(&bench, &text).saved_cycles;
    sim_reset(bench.sim);
    ck_assert_uint_gt(saved, 0);
    ck_assert_uint_eq(bench_launch(&bench, &text).saved_cycles, saved);
    bench_destroy(&bench);
}
END_TEST

START_TEST(slots_are_given_once)
{
    struct calendar *calendar = calloc(1, sizeof *calendar);
    ck_assert_uint_eq(calendar_take(calendar, 100), 100);
    ck_assert_uint_eq(calendar_take(calendar, 99), 99);
    ck_assert_uint_eq(calendar_take(calendar, 99), 101);
    for (uint64_t slot = 102; slot < 300; slot++)
        ck_assert_uint_eq(calendar_take(calendar, 99), slot);
    ck_assert_uint_eq(calendar_take(calendar, 98), 98);
    free(calendar);
}
END_TEST

/* Slots that lie too far back are free. */
START_TEST(slots_are_forgotten)
{
    const uint64_t all = 64ull * CALENDAR_WORDS;
    struct calendar *calendar = calloc(1, sizeof *calendar);
    ck_assert_uint_eq(calendar_take(calendar, 5), 5);
    ck_assert_uint_eq(calendar_take(calendar, all + 5), all + 5);
    ck_assert_uint_eq(calendar_take(calendar, 5), 5);
    ck_assert_uint_eq(calendar_take(calendar, 5), 5);
    ck_assert_uint_eq(calendar_take(calendar, all + 5), all + 6);
    free(calendar);
}
END_TEST

START_TEST(slots_are_marked)
{
    struct calendar *calendar = calloc(1, sizeof *calendar);
    calendar_mark(calendar, 60, 70);
    calendar_mark(calendar, 200, 199); /* none */
    calendar_mark(calendar, 64 + 64, 5 * 64 - 1);
    ck_assert_uint_eq(calendar_take(calendar, 59), 59);
    ck_assert_uint_eq(calendar_take(calendar, 59), 71);
    ck_assert_uint_eq(calendar_take(calendar, 127), 127);
    ck_assert_uint_eq(calendar_take(calendar, 127), 5 * 64);
    free(calendar);
}
END_TEST

/* 16 SMs read as fast as four slices can serve: without waits for DRAM requests come earlier,
 * and wait for each other in front of L2 instead. Of the cycles of the second clock 3 % may be
 * wrong; were each request as long on its way as it was, it would be 26 %. */
START_TEST(queues_in_front_of_l2)
{
    const struct launch_text text = {
        .blocks = 16,
        .threads = 256,
        .program = repeated("% EXIT", 2,
                            "R1 = LDG.E R2 [ 4 1 0x100000 32 ]; R4 = IADD R1 R1;"
                            "R1 = LDG.E R2 [ 4 1 0x110000 128 ]; R4 = IADD R1 R1;"
                            "R1 = LDG.E R2 [ 4 1 0x110000 256 ]; R4 = IADD R1 R1;")};
    struct pair pair =
        run_twice(SETS("gpgpu_n_clusters=16", "gpgpu_n_mem=4", "gpgpu_gmem_skip_L1D=1"), &text);
    double warm = (double)result_cycles(&pair.warm), cold = (double)result_cycles(&pair.cold);
    double would = cold - (double)pair.cold.saved_cycles;
    ck_assert_double_gt(cold, 1.08 * warm);
    ck_assert_double_ge(would, 0.97 * warm);
    ck_assert_double_le(would, 1.03 * warm);
}
END_TEST

/* Block 0 waits for DRAM, and asks L2 for a sector, stores one or adds to one then; without the
 * wait it would do so just when each of block 1's four warps asks for 32 sectors, which end
 * last then: a part of the wait is saved. */
#define BESIDE                                                                                 \
    " EXIT | EXIT | EXIT | EXIT # "                                                            \
    "R1 = LDG.E R2 [ 4 1 0x2000 0 ]; R3 = LDG.E R1 [ 4 1 0x4000 32 ]; R4 = IADD R3 R3; EXIT |" \
    "R1 = LDG.E R2 [ 4 1 0x2000 0 ]; R3 = LDG.E R1 [ 4 1 0x5000 32 ]; R4 = IADD R3 R3; EXIT |" \
    "R1 = LDG.E R2 [ 4 1 0x2000 0 ]; R3 = LDG.E R1 [ 4 1 0x6000 32 ]; R4 = IADD R3 R3; EXIT |" \
    "R1 = LDG.E R2 [ 4 1 0x2000 0 ]; R3 = LDG.E R1 [ 4 1 0x7000 32 ]; R4 = IADD R3 R3; EXIT"
#define AGAIN "R6 = IADD R5 R1;"
static const char *const beside[] = {
    LOAD("R1", "0x9000") "R5 = LDG.E R1 [ 4 1 0x2000 0 ];" AGAIN BESIDE,
    LOAD("R1", "0x9000") "STG.E R1 R1 [ 4 1 0x2000 0 ]; MEMBAR.SC.GPU;" AGAIN BESIDE,
    "@00000001 R1 = LDG.E R2 [ 4 1 0x9000 0 ]; @00000001 R5 = ATOMG.E.ADD R1 R3 [ 4 1 0x2000 0 "
    "];" AGAIN BESIDE,
};
static const char *const *const places[] = {
    SETS("gpgpu_n_clusters=2"),
    SETS("gpgpu_n_clusters=2", "gpgpu_gmem_skip_L1D=1"),
    SETS("gpgpu_n_clusters=1", "gpgpu_n_cores_per_cluster=2"),
    SETS("gpgpu_n_clusters=2", "gpgpu_clock_domains=1000:1000:500:1000"),
};
#define PLACES (sizeof places / sizeof places[0])

START_TEST(behind_others)
{
    struct error err = {0};
    struct bench bench = bench_create(places[_i % PLACES]);
    struct launch_text text = {.blocks = 2, .threads = 128, .program = beside[_i / PLACES]};
    ck_assert_int_eq(sim_ideal_l2(bench.sim, &err), 0);
    bench_launch(&bench, &(struct launch_text){.blocks = 2, .threads = 128, .program = BESIDE});
    sim_flush(bench.sim, SIM_L1, false);
    struct sim_result cold = bench_launch(&bench, &text);
    sim_flush(bench.sim, SIM_L1, false);
    struct sim_result warm = bench_launch(&bench, &text);
    ck_assert_uint_eq(warm.counters.dram_reads, 0);
    uint64_t lost = result_cycles(&cold) - result_cycles(&warm);
    ck_assert_uint_gt(lost, 0);
    ck_assert_uint_le(cold.saved_cycles, lost + 2);
    ck_assert_uint_ge(cold.saved_cycles + 2, lost);
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {one_behind_the_other,
                                  side_by_side,
                                  while_another_works,
                                  hidden_behind_work,
                                  over_a_barrier,
                                  block_behind_block,
                                  past_l1,
                                  drained,
                                  many_sectors,
                                  held_in_front_of_l2,
                                  without_l2,
                                  nothing_else_changes,
                                  after_reset,
                                  slots_are_given_once,
                                  slots_are_forgotten,
                                  slots_are_marked,
                                  queues_in_front_of_l2};
    const TTest *const loops[] = {behind_others};
    return RUN_LOOPS("ideal_l2", tests, loops, PLACES * (sizeof beside / sizeof beside[0]));
}
