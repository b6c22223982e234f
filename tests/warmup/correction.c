/* Each term of the correction factors, worked by hand. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "tests/suite.h"
#include "warmup/warmup.h"

/* 256 lines, four of the eight channels' worth of bytes. */
static struct correction_input example(void)
{
    return (struct correction_input){
        .reuse = {.forward = 0.5, .forward_artifact = 0.25, .lines = 256, .copies = 8},
        .cycles = 2000,
        .channel_bytes = 32000,
        .busiest_channel_bytes = 8000,
        .line = 128,
        .dram_latency = 254,
        .l2_latency = 187,
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

START_TEST(latencies_are_those_of_the_configuration)
{
    const char *config_name = "rtx3070";
    struct error err = {0};
    struct sim_config *config = sim_config_create(&config_name, 1, NULL, 0, NULL, NULL, &err);
    struct correction_input input = {.cycles = 1};
    correction_configure(&input, config);
    ck_assert_uint_eq(input.dram_latency, 254);
    ck_assert_uint_eq(input.l2_latency, 187);
    ck_assert_uint_eq(input.line, 128);
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
    ck_assert_int_eq(warmup_parse(&warmup, "correction:artifact", &err), 0);
    ck_assert_ptr_eq(warmup.correction, correction_find("artifact"));
    ck_assert_str_eq(warmup.policy->policy.name, "none");
    static const char *const wrong[] = {"correction",
                                        "correction:",
                                        "correction:corrected", /* of 0.1 and 0.2 */
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
    tcase_add_test(tests, latencies_are_those_of_the_configuration);
    tcase_add_test(tests, scripts_reuse_is_of_the_sender);
    tcase_add_test(tests, a_correction_stands_alone);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
