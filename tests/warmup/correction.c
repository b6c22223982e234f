/* Each term of the correction factors, worked by hand. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "tests/suite.h"
#include "warmup/warmup.h"

static const struct sim_counters counters = {
    .blocks = 4, .dram_reads = 1000, .dram_read_bytes = 32000};

/* 256 lines, four of the eight channels' worth of bytes, 4 blocks on 46 SMs. */
static struct correction_input example(void)
{
    return (struct correction_input){
        .reuse = {.forward = 0.5,
                  .forward_artifact = 0.25,
                  .received = 0.75,
                  .lines = 256,
                  .copies = 8},
        .cycles = 2000,
        .saved_cycles = 1000,
        .counters = &counters,
        .channel_bytes = 32000,
        .busiest_channel_bytes = 8000,
        .peaks = {.sms = 46, .dram_bytes = 32},
        .line = 128,
        .dram_latency = 254,
        .l2_latency = 187,
        .penalty = 270,
    };
}

static struct correction make(const char *name, const struct correction_input *input)
{
    struct correction correction;
    const struct correction_kind *kind = correction_find(name);
    ck_assert_ptr_nonnull(kind);
    kind->make(input, &correction);
    return correction;
}

START_TEST(thesis_divides_lines_by_bytes)
{
    struct correction_input input = example();
    struct correction c = make("thesis", &input);
    ck_assert_double_eq(c.accesses, 256);
    ck_assert_double_eq(c.controllers, 4);
    ck_assert_double_eq(c.penalty, 67);
    ck_assert_double_eq(c.delta, 256.0 / (4 * 128) * 0.5 * 67); /* 16.75 */
    ck_assert_double_eq(c.cycles, 2000 - 16.75);
}
END_TEST

START_TEST(thesis_adds_cycles_where_l2_is_slower)
{
    struct correction_input input = example();
    input.dram_latency = 100; /* QV100 */
    input.l2_latency = 160;
    ck_assert_double_eq(make("thesis", &input).cycles, 2000 + 0.5 * 0.5 * 60);
}
END_TEST

START_TEST(artifact_counts_copies_and_its_own_reuse)
{
    struct correction_input input = example();
    struct correction c = make("artifact", &input);
    ck_assert_double_eq(c.accesses, 264);
    ck_assert_double_eq(c.forward, 0.25);
    ck_assert_double_eq(c.delta, 264.0 / (4 * 128) * 0.25 * 67);
}
END_TEST

START_TEST(artifact_adds_controllers_in_single_precision)
{
    struct correction_input input = example();
    input.busiest_channel_bytes = 3000;
    ck_assert_double_eq(make("artifact", &input).controllers, (float)(32000.0 / 3000));
    ck_assert_double_eq(make("thesis", &input).controllers, 32000.0 / 3000);
}
END_TEST

START_TEST(one_controller_where_nothing_moved)
{
    struct correction_input input = example();
    input.channel_bytes = input.busiest_channel_bytes = 0;
    ck_assert_double_eq(correction_controllers(&input), 1);
}
END_TEST

/* Two waits of two sectors each, one of the four missing: one of the waits is saved. */
START_TEST(corrected_takes_the_share_of_what_was_waited)
{
    struct correction_input input = example();
    struct sim_counters few = {.blocks = 1, .dram_reads = 4};
    input.counters = &few;
    input.saved_cycles = 540;
    struct correction c = make("corrected", &input);
    ck_assert_double_eq(c.exposed, 540);
    ck_assert_double_eq(c.parallel, 2);
    ck_assert_double_eq(c.serial, 256.0 / 4 * 0.75 * 270);
    ck_assert_double_eq(c.writes, 0);
    ck_assert_double_eq_tol(c.delta, 270, 1e-9);
    ck_assert_double_eq_tol(c.cycles, 2000 - 270, 1e-9);
}
END_TEST

/* The same four on two SMs: each saves each of two waits with a chance of sqrt(1 / 2), so that
 * both save at least one with (1 - (1 - sqrt(1 / 2))^2)^2, and both with (1 / 2)^2. */
START_TEST(corrected_ends_with_the_last_sm)
{
    struct correction_input input = example();
    struct sim_counters few = {.blocks = 2, .dram_reads = 4};
    input.counters = &few;
    input.saved_cycles = 540;
    struct correction c = make("corrected", &input);
    double none = 1 - sqrt(0.5), one = 1 - none * none;
    ck_assert_double_eq(c.parallel, 1);
    ck_assert_double_eq_tol(c.delta, 270 * (one * one + 0.25), 1e-9);
}
END_TEST

/* Of 1,000 sectors that one SM waits for in so many waits, each wait is saved with the chance
 * that none of its sectors is missing. */
START_TEST(corrected_of_one_sm_is_the_mean)
{
    const struct sim_counters one = {.blocks = 1, .dram_reads = 1000};
    for (uint64_t waits = 1; waits <= 1000; waits *= 10) {
        struct correction_input input = example();
        input.counters = &one;
        input.saved_cycles = 270 * waits;
        input.reuse.received = 0.99;
        double chance = 1;
        for (uint64_t i = 0; i < 1000 / waits; i++)
            chance *= i < 990 ? (990.0 - (double)i) / (1000.0 - (double)i) : 0;
        struct correction c = make("corrected", &input);
        ck_assert_double_eq(c.parallel, 1000.0 / (double)waits);
        ck_assert_double_eq_tol(c.delta, chance * 270 * (double)waits, 1e-6);
    }
}
END_TEST

/* 3,000 sectors pushed out, 750 reads saved: 32,000 + 32 x 2,250 = 104,000 bytes take 3,250
 * cycles at 32 bytes a cycle. */
START_TEST(corrected_adds_cycles_for_evictions)
{
    struct correction_input input = example();
    input.saved_cycles = 0;
    input.reuse.pushed = 3000;
    struct correction c = make("corrected", &input);
    ck_assert_double_eq(c.writes, 1250);
    ck_assert_double_eq(c.parallel, 0);
    ck_assert_double_eq(c.cycles, 2000 + 1250);
    input.reuse.pushed = 1000; /* the pins have time for these */
    ck_assert_double_eq(make("corrected", &input).writes, 0);
}
END_TEST

/* One sector of many that is not there is waited for as all of them. */
START_TEST(corrected_keeps_waits_that_one_sector_prolongs)
{
    struct correction_input input = example();
    const struct sim_counters one = {.blocks = 1, .dram_reads = 50};
    input.counters = &one;
    input.saved_cycles = 270;
    input.reuse.received = 0.98;
    struct correction c = make("corrected", &input);
    ck_assert_double_eq(c.parallel, 50);
    ck_assert_double_eq(c.delta, 0);
    input.reuse.received = 1;
    ck_assert_double_eq(make("corrected", &input).delta, 270);
    input.reuse.received = 0.98;
    input.saved_cycles = 50 * 270; /* one behind the other */
    c = make("corrected", &input);
    ck_assert_double_eq(c.parallel, 1);
    ck_assert_double_eq_tol(c.delta, 49 * 270, 1e-6);
}
END_TEST

/* A share of a sector that may be missing costs that share of the wait. */
START_TEST(corrected_takes_fractions)
{
    struct correction_input input = example();
    const struct sim_counters one = {.blocks = 1, .dram_reads = 4};
    input.counters = &one;
    input.saved_cycles = 270;
    input.reuse.received = 1 - 0.25 / 4;
    ck_assert_double_eq_tol(make("corrected", &input).delta, 0.75 * 270, 1e-9);
    input.reuse.received = 1 - 1e-9;
    ck_assert_double_eq_tol(make("corrected", &input).delta, 270, 1e-5);
}
END_TEST

START_TEST(capacity_bounds_what_is_retained)
{
    ck_assert_double_eq(correction_retained(100, 0, 100, 100), 1);
    ck_assert_double_eq(correction_retained(101, 0, 101, 100), 0);
    ck_assert_double_eq(correction_retained(10, 91, 10, 100), 0);
    /* (1 - u) 150 + u 50 < 100 for u above one half, whichever is larger */
    ck_assert_double_eq(correction_retained(150, 0, 50, 100), 0.5);
    ck_assert_double_eq(correction_retained(50, 0, 150, 100), 0.5);
    ck_assert_double_eq(correction_retained(50, 25, 150, 100), 0.25);
}
END_TEST

START_TEST(penalty_follows_the_configuration)
{
    const char *config_name = "rtx3070";
    struct error err = {0};
    struct sim_config *config = sim_config_create(&config_name, 1, NULL, 0, NULL, NULL, &err);
    struct correction_input input = {.cycles = 1};
    correction_configure(&input, config);
    ck_assert_uint_eq(input.dram_latency, 254);
    ck_assert_uint_eq(input.l2_latency, 187);
    ck_assert_uint_eq(input.line, 128);
    /* RCD 24, CL 24, 16 / 4 for the data, at 3500.5 MHz */
    ck_assert_double_eq_tol(input.penalty, 254 + 52 * 1132 / 3500.5, 1e-9);
    sim_config_destroy(config);
}
END_TEST

START_TEST(scripts_reuse_is_of_the_sender)
{
    uint64_t a[] = {1, 2, 3, 4}, b[] = {0, 3, 4, 5, 9};
    struct correction_addresses from = {a, 4, 4}, to = {b, 5, 5}, none = {0};
    ck_assert_double_eq(correction_addresses_forward(&from, &to), 0.5);
    ck_assert_double_eq(correction_addresses_forward(&to, &from), 0.4);
    ck_assert(isnan(correction_addresses_forward(&none, &to)));
}
END_TEST

START_TEST(a_correction_stands_alone)
{
    struct warmup warmup;
    struct error err = {0};
    ck_assert_int_eq(warmup_parse(&warmup, "correction:corrected", &err), 0);
    ck_assert_ptr_eq(warmup.correction, correction_find("corrected"));
    ck_assert_str_eq(warmup.policy->policy.name, "none");
    static const char *const wrong[] = {"correction",
                                        "correction:",
                                        "correction:other",
                                        "full+correction:thesis",
                                        "correction:thesis+prime:5",
                                        "prime:5+correction:thesis"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_int_eq(warmup_parse(&warmup, wrong[i], &err), -1);
        ck_assert_int_eq(err.kind, ERROR_USAGE);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("correction");
    TCase *tests = tcase_create("correction");
    tcase_add_test(tests, thesis_divides_lines_by_bytes);
    tcase_add_test(tests, thesis_adds_cycles_where_l2_is_slower);
    tcase_add_test(tests, artifact_counts_copies_and_its_own_reuse);
    tcase_add_test(tests, artifact_adds_controllers_in_single_precision);
    tcase_add_test(tests, one_controller_where_nothing_moved);
    tcase_add_test(tests, corrected_takes_the_share_of_what_was_waited);
    tcase_add_test(tests, corrected_ends_with_the_last_sm);
    tcase_add_test(tests, corrected_takes_fractions);
    tcase_add_test(tests, corrected_of_one_sm_is_the_mean);
    tcase_add_test(tests, corrected_adds_cycles_for_evictions);
    tcase_add_test(tests, corrected_keeps_waits_that_one_sector_prolongs);
    tcase_add_test(tests, capacity_bounds_what_is_retained);
    tcase_add_test(tests, penalty_follows_the_configuration);
    tcase_add_test(tests, scripts_reuse_is_of_the_sender);
    tcase_add_test(tests, a_correction_stands_alone);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
