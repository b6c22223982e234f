/* Homogeneous regions inside a launch, and the model of warps that take turns. */
#include <math.h>

#include "sampling/intra/tbpoint/interleaving.h"
#include "sampling/intra/tbpoint/regions.h"
#include "sampling/intra/tbpoint/skips.h"
#include "sampling/intra/tbpoint/units.h"
#include "tests/sampling/intra/sampled.h"

/* ---- regions ---- */

static void fill(struct region_block *blocks, unsigned from, unsigned to, double requests)
{
    for (unsigned i = from; i < to; i++)
        blocks[i] = (struct region_block){.requests = requests, .insts = 100};
}

/* The figure of the paper: eight epochs of four blocks, of which the first half has another
 * stall probability; blocks of epochs 2 and 3 vary. */
START_TEST(two_regions_at_their_borders)
{
    const struct region_rules rules = {.epoch = 4, .distance = 0.2, .variation = 0.3};
    struct region_block blocks[32];
    struct regions regions;
    fill(blocks, 0, 16, 20);
    fill(blocks, 16, 32, 60);
    blocks[9].insts = blocks[12].insts = 400;
    blocks[9].requests = blocks[12].requests = 80;
    ck_assert(regions_init(&regions, blocks, 32, &rules));
    ck_assert_uint_eq(regions.epochs, 8);
    for (unsigned i = 0; i < 32; i++) {
        uint32_t expected = i < 8 ? regions.of[0] : i < 16 ? REGION_NONE : regions.of[4];
        ck_assert_uint_eq(regions_of(&regions, i), expected);
    }
    ck_assert_uint_ne(regions.of[0], regions.of[4]);
    ck_assert_double_eq_tol(regions.p[0], 0.2, 1e-12);
    ck_assert_double_eq_tol(regions.p[7], 0.6, 1e-12);
    regions_finish(&regions);
}
END_TEST

/* Another GPU needs no other profile: with epochs of eight, the border lies in the same place,
 * and one more block of the region counts to the epoch with the outliers. */
START_TEST(another_occupancy)
{
    const struct region_rules rules = {.epoch = 8, .distance = 0.2, .variation = 0.3};
    struct region_block blocks[30];
    struct regions regions;
    fill(blocks, 0, 16, 20);
    fill(blocks, 16, 30, 60);
    blocks[3].requests = 90;
    ck_assert(regions_init(&regions, blocks, 30, &rules));
    ck_assert_uint_eq(regions.epochs, 4);
    ck_assert_uint_eq(regions_of(&regions, 7), REGION_NONE);
    ck_assert_uint_ne(regions_of(&regions, 15), REGION_NONE);
    ck_assert_uint_ne(regions_of(&regions, 15), regions_of(&regions, 16));
    ck_assert_uint_eq(regions_of(&regions, 16), regions_of(&regions, 29));
    regions_finish(&regions);
}
END_TEST

/* ---- sampling units ---- */

/* 2 warp instructions a cycle up to cycle 1,000, then 3, told every 100 cycles: units end and
 * begin between. */
START_TEST(units_from_block_to_block)
{
    struct sampling_units units = {0};
    unsigned done = 0;
    for (uint64_t cycle = 100; cycle <= 2000; cycle += 100) {
        double insts = cycle <= 1000 ? 2.0 * (double)cycle : 3.0 * (double)cycle - 1000;
        if (cycle == 200)
            units_block_begins(&units, 7, 150);
        if (cycle == 300)
            units_block_begins(&units, 8, 250); /* 7 is specified */
        if (cycle == 900) {
            units_block_ended(&units, 8, 800);
            units_block_ended(&units, 7, 850);
        }
        if (cycle == 1000)
            units_block_begins(&units, 9, 950);
        if (cycle == 1500)
            units_block_ended(&units, 9, 1450);
        if (units_pass(&units, cycle, insts) == 0)
            continue;
        ck_assert_uint_eq(cycle, done == 0 ? 900 : 1500);
        ck_assert_double_eq_tol(units.ipc, done == 0 ? 2 : (100 + 1350) / 500.0, 1e-9);
        ck_assert_double_eq_tol(units.previous, done == 0 ? 0 : 2, 1e-9);
        done++;
    }
    ck_assert_uint_eq(done, 2);
    units_finish(&units);
}
END_TEST

/* ---- what is skipped ---- */

/* Five runs of 1,200 instructions, with IPC of 10 and 12 in turn: 120 and 100 cycles.
 * Neighbours differ by 2 of 11; half of the square is 2 / 121. Four differences count as three
 * degrees of freedom. With one fewer the bar is the model's: 0.05 of all cycles. */
START_TEST(bar_of_what_was_skipped)
{
    struct skips skips = {0};
    for (unsigned i = 0; i < 5; i++) {
        skips_begin(&skips, i % 2 ? 12 : 10, 0.05, i > 0);
        for (unsigned block = 0; block < 12; block++)
            skips_add(&skips, 100);
        ck_assert_uint_eq(skips.blocks, 12);
        if (i == 3)
            ck_assert_double_eq_tol(skips_bar(&skips, 0.95), 0.05 * 440, 1e-9);
    }
    ck_assert_double_eq_tol(skips.cycles, 560, 1e-9);
    double squares = 3 * 120 * 120 + 2 * 100 * 100;
    ck_assert_double_eq_tol(skips_bar(&skips, 0.95), 3.18245 * sqrt(2.0 / 121 * squares), 1e-3);
}
END_TEST

/* Two windows of two units each. The first has an IPC of 10, from 8 and 12, and 1,200
 * instructions are skipped after it; the second has 20, from 15 and 25, with as many. What lies
 * between takes 120 cycles at 10 and 60 at 20: 90. Units differ by 0.4 and 0.5 of their means;
 * one more window, and there are differences enough: 0.08, 0.125 and 0.08 are half of their
 * squares, and each run has a variance of half of their mean. */
START_TEST(bar_of_windows)
{
    static const double ipc[] = {10, 20, 10}, squares[] = {0.08, 0.125, 0.08};
    struct skips skips = {0};
    for (unsigned i = 0; i < 3; i++) {
        skips_begin(&skips, ipc[i], 0.05, i > 0);
        skips_window(&skips, 2, squares[i]);
        for (unsigned block = 0; block < 12; block++)
            skips_add(&skips, 100);
        ck_assert_double_eq_tol(skips.cycles,
                                i == 0   ? 120
                                : i == 1 ? 90 + 60
                                         : 180 + 120,
                                1e-9);
    }
    ck_assert_double_eq_tol(skips_bar(&skips, 0.95), skips.model, 1e-9);
    skips_begin(&skips, 10, 0.05, true);
    skips_window(&skips, 2, 0.08);
    double variance = (3 * 0.08 + 0.125) / 4 / 2;
    ck_assert_double_eq_tol(skips_bar(&skips, 0.95),
                            3.18245 * sqrt(variance * (2 * 90 * 90 + 120 * 120)), 1e-3);
}
END_TEST

/* A tenth of 100 epochs of which 4 were simulated: 6 are left, all for the first window, which
 * has 2 units. A fifth: 16 are left, 2 for the first window of 4, and two others with a unit
 * each that does not count; what is left out lies in three gaps. The same with units of half an
 * epoch, and twice as many. A part that is spent: what agreed counts. */
START_TEST(windows_for_a_part)
{
    static const struct {
        struct unit_budget budget;
        struct unit_plan plan;
    } cases[] = {{{4, 0.1, 4, 96, 1}, {8, 0}},
                 {{4, 0.2, 4, 96, 1}, {4, 26}},
                 {{4, 0.1, 4, 96, 0.5}, {4, 30}},
                 {{4, 0.1, 12, 88, 1}, {2, 0}},
                 {{3, 0, 4, 96, 1}, {3, 0}}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct unit_plan plan = units_plan(&cases[i].budget);
        ck_assert_uint_eq(plan.units, cases[i].plan.units);
        ck_assert_double_eq(plan.gap, cases[i].plan.gap);
    }
}
END_TEST

/* Two units of 100 cycles, of 8 and 12 instructions a cycle, then one of 300 cycles with 6. */
START_TEST(ipc_of_a_window)
{
    struct unit_window window = {0};
    struct sampling_units units = {.begin = 100, .end = 200, .ipc = 8};
    unit_window_add(&window, &units);
    units = (struct sampling_units){.begin = 210, .end = 310, .ipc = 12};
    unit_window_add(&window, &units);
    ck_assert_double_eq_tol(unit_window_ipc(&window), 10, 1e-12);
    ck_assert_double_eq_tol(window.squares, 0.08, 1e-12);
    units = (struct sampling_units){.begin = 400, .end = 700, .ipc = 6};
    unit_window_add(&window, &units);
    ck_assert_double_eq_tol(unit_window_ipc(&window), 3800 / 500.0, 1e-12);
    ck_assert_double_eq_tol(window.squares, 0.08 + 4.0 / 9 / 2, 1e-12);
    ck_assert_uint_eq(window.count, 3);
}
END_TEST

/* ---- a launch ---- */

/* All blocks alike: one region, left out once two units agree. */
START_TEST(one_region)
{
    const struct launch_text text = {
        .blocks = 200, .shmem = 40000, .program = "500 * FFMA R1 R1; EXIT"};
    struct sampled sampled = sample_launch(&text, "tbpoint-intra");
    ck_assert_int_eq(sampled.outcome.check, INTRA_DONE);
    ck_assert_uint_lt(sampled.outcome.blocks, 20);
    ck_assert_double_lt(fabs(sampled_error(&sampled)), 0.01);
    ck_assert_uint_eq(sampled.result.counters.warp_insts, sampled.full.counters.warp_insts);
}
END_TEST

#define LOADS "40 * R1 = LDG.E R8 [ 4 1 0x1000 4 ]; 160 * FFMA R1 R1; EXIT"

/* Two regions, one behind the other: both are entered, and both are left out. */
START_TEST(two_regions)
{
    static char program[8192];
    program[0] = 0;
    for (unsigned i = 0; i < 99; i++)
        strcat(program, LOADS " # ");
    strcat(program, LOADS " # 500 * FFMA R1 R1; EXIT");
    const struct launch_text text = {.blocks = 200, .shmem = 40000, .program = program};
    struct sampled sampled = sample_launch(&text, "tbpoint-intra");
    ck_assert_int_eq(sampled.outcome.check, INTRA_DONE);
    ck_assert_uint_gt(sampled.outcome.blocks, 8);
    ck_assert_uint_lt(sampled.outcome.blocks, 30);
    ck_assert_double_lt(fabs(sampled_error(&sampled)), 0.05);
}
END_TEST

/* One region by its requests, but instructions of the second half of the blocks wait for each
 * other. The paper's rule carries the IPC of the first half on; with a gap of five epochs it is
 * taken again, until it is that of the second half. */
START_TEST(ipc_taken_again)
{
    static char program[16384];
    program[0] = 0;
    for (unsigned i = 0; i < 100; i++)
        strcat(program, "500 * FFMA R1 R1; EXIT # ");
    strcat(program, "500 * R1 = FFMA R1 R1; EXIT");
    const struct launch_text text = {.blocks = 200, .shmem = 40000, .program = program};
    struct sampled once = sample_launch(&text, "tbpoint-intra");
    struct sampled again = sample_launch(&text, "tbpoint-intra:gap=5");
    ck_assert_double_lt(sampled_error(&once), -0.2);
    ck_assert_double_lt(fabs(sampled_error(&again)), 0.03);
    ck_assert_uint_lt(again.outcome.blocks, 100);
    ck_assert_uint_eq(again.result.counters.warp_insts, again.full.counters.warp_insts);
}
END_TEST

/* The IPC swings: instructions of four blocks wait for each other, and those of the next four
 * do not. One unit has the IPC of either; windows spread over a part of the launch have its
 * mean.
 */
START_TEST(ipc_that_swings)
{
    static char program[16384];
    program[0] = 0;
    for (unsigned i = 0; i < 400; i++)
        strcat(program,
               i / 4 % 2 ? "300 * R1 = FFMA R1 R1; EXIT # " : "300 * FFMA R1 R1; EXIT # ");
    strcat(program, "EXIT");
    const struct launch_text text = {.blocks = 400, .shmem = 40000, .program = program};
    struct sampled once = sample_launch(&text, "tbpoint-intra:agreement=1");
    struct sampled part = sample_launch(&text, "tbpoint-intra:agreement=1:units=8:part=0.3");
    ck_assert_double_gt(fabs(sampled_error(&once)), 0.1);
    ck_assert_double_lt(fabs(sampled_error(&part)), 0.05);
    ck_assert_uint_gt(part.outcome.blocks, 80);
    ck_assert_uint_lt(part.outcome.blocks, 130);
    ck_assert_double_gt(part.outcome.bar, fabs(sampled_error(&part)));
}
END_TEST

/* Every second block is ten times as long: no epoch is homogeneous. */
START_TEST(no_region)
{
    static char program[8192];
    program[0] = 0;
    for (unsigned i = 0; i < 50; i++)
        strcat(program, "500 * FFMA R1 R1; EXIT # 50 * FFMA R1 R1; EXIT # ");
    strcat(program, "EXIT");
    const struct launch_text text = {.blocks = 100, .shmem = 40000, .program = program};
    struct sampled sampled = sample_launch(&text, "tbpoint-intra");
    ck_assert_str_eq(intra_check_name(sampled.outcome.check), "regions");
    ck_assert_uint_eq(result_cycles(&sampled.result), result_cycles(&sampled.full));
}
END_TEST

/* ---- warps that take turns ---- */

#define MOST 4

/* The probability of one step of the chain from state FROM to TO: equation 3. */
static double step(double p, const double *stalls, unsigned warps, unsigned from, unsigned to)
{
    double product = 1;
    for (unsigned w = 0; w < warps; w++) {
        bool runs = from >> w & 1, will = to >> w & 1;
        double leaves = runs ? p : 1 / stalls[w];
        product *= runs == will ? 1 - leaves : leaves;
    }
    return product;
}

/* The IPC of the full chain: all warps can run at first, then many steps. */
static double chain_ipc(double p, const double *stalls, unsigned warps)
{
    unsigned states = 1u << warps;
    double now[1 << MOST] = {0}, next[1 << MOST];
    now[states - 1] = 1;
    for (unsigned i = 0; i < 20000; i++) {
        for (unsigned to = 0; to < states; to++) {
            next[to] = 0;
            for (unsigned from = 0; from < states; from++)
                next[to] += now[from] * step(p, stalls, warps, from, to);
        }
        memcpy(now, next, sizeof now);
    }
    return 1 - now[0];
}

START_TEST(product_equals_the_full_chain)
{
    static const double probabilities[] = {0.05, 0.1, 0.4};
    static const double stalls[MOST] = {100, 380, 7, 33.3};
    for (unsigned warps = 1; warps <= MOST; warps++)
        for (unsigned i = 0; i < 3; i++)
            ck_assert_double_eq_tol(interleaving_ipc(probabilities[i], stalls, warps),
                                    chain_ipc(probabilities[i], stalls, warps), 1e-9);
}
END_TEST

/* The lemma, for the values of the paper's figure and others: 95 % of the IPC are within a
 * tenth of their mean. */
START_TEST(lemma_of_a_tenth)
{
    static const double probabilities[] = {0.05, 0.1, 0.2}, means[] = {100, 200, 400};
    for (unsigned p = 0; p < 3; p++)
        for (unsigned m = 0; m < 3; m++)
            for (unsigned warps = 1; warps <= 48; warps += warps < 4 ? 1 : 22) {
                const struct interleaving model = {probabilities[p], means[m], warps};
                double spread = interleaving_spread(&model, 0.95);
                ck_assert_double_gt(spread, 0);
                ck_assert_double_lt(spread, 0.1);
            }
}
END_TEST

/* The stall cycles that an IPC says give that IPC. */
START_TEST(stall_cycles_of_an_ipc)
{
    double stall = interleaving_stall(0.1, 0.3, 3), all[3] = {stall, stall, stall};
    ck_assert_double_eq_tol(interleaving_ipc(0.1, all, 3), 0.3, 1e-12);
    ck_assert_double_eq(interleaving_stall(0, 0.3, 3), 0);
    ck_assert_double_eq(interleaving_stall(0.1, 1, 3), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {two_regions_at_their_borders,
                                  another_occupancy,
                                  units_from_block_to_block,
                                  bar_of_what_was_skipped,
                                  bar_of_windows,
                                  windows_for_a_part,
                                  ipc_of_a_window,
                                  ipc_that_swings,
                                  ipc_taken_again,
                                  one_region,
                                  two_regions,
                                  no_region,
                                  product_equals_the_full_chain,
                                  lemma_of_a_tenth,
                                  stall_cycles_of_an_ipc};
    return RUN_TESTS("tbpoint inside", tests);
}
