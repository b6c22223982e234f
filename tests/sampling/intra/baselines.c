/* The baselines of sampling inside launches. */
#include <math.h>

#include "tests/sampling/intra/sampled.h"

static const struct launch_text equal = {
    .blocks = 400, .shmem = 40000, .program = "100 * FFMA R1 R1; EXIT"};

/* Two blocks at a time, all alike: exactly as many as asked for are drawn, and cycles follow
 * from them but for the begin of the first pair. */
START_TEST(random_draws_a_part)
{
    ck_assert_uint_eq(launch_places(&equal), 2);
    struct sampled sampled = sample_launch(&equal, "random:part=0.25");
    ck_assert_int_eq(sampled.outcome.check, INTRA_DONE);
    ck_assert_uint_eq(sampled.outcome.blocks, 100);
    ck_assert_uint_eq(sampled.outcome.warp_insts, 100 * 101);
    ck_assert_uint_eq(sampled.result.counters.warp_insts, 400 * 101);
    ck_assert_uint_eq(sampled.result.counters.blocks, 400);
    ck_assert_double_le(fabs(sampled_error(&sampled)), 0.01);
    ck_assert(isnan(sampled.outcome.bar));
    sampled = sample_launch(&equal, "random:part=1");
    ck_assert_uint_eq(result_cycles(&sampled.result), result_cycles(&sampled.full));
}
END_TEST

/* The draw depends on the seed: blocks of two lengths make other cycles. */
START_TEST(random_depends_on_the_seed)
{
    const struct launch_text text = {
        .blocks = 60,
        .shmem = 40000,
        .program = "900 * FFMA R1 R1; EXIT # 20 * FFMA R1 R1; EXIT # 20 * FFMA R1 R1; EXIT # "
                   "900 * FFMA R1 R1; EXIT # 20 * FFMA R1 R1; EXIT"};
    bool differ = false;
    uint64_t first = 0;
    for (int seed = 0; seed < 4; seed++) {
        char method[64];
        snprintf(method, sizeof method, "random:part=0.3:seed=%d", seed);
        struct sampled sampled = sample_launch(&text, method);
        struct sampled again = sample_launch(&text, method);
        uint64_t cycles = result_cycles(&sampled.result);
        ck_assert_uint_eq(sampled.outcome.blocks, 18);
        ck_assert_uint_eq(cycles, result_cycles(&again.result));
        differ |= seed > 0 && cycles != first;
        first = seed == 0 ? cycles : first;
    }
    ck_assert(differ);
}
END_TEST

START_TEST(random_needs_a_wave)
{
    struct sampled sampled = sample_launch(&equal, "random:part=0.002");
    ck_assert_str_eq(intra_check_name(sampled.outcome.check), "waves");
    ck_assert_uint_eq(result_cycles(&sampled.result), result_cycles(&sampled.full));
}
END_TEST

/* Units of equal blocks are alike: one or a few stand for all. */
START_TEST(simpoint_of_equal_units)
{
    struct sampled sampled = sample_launch(&equal, "ideal-simpoint:unit=2000");
    ck_assert_int_eq(sampled.outcome.check, INTRA_DONE);
    ck_assert_uint_eq(sampled.outcome.blocks, 400); /* it simulates all */
    ck_assert_uint_ge(sampled.outcome.warp_insts, 2000);
    ck_assert_uint_lt(sampled.outcome.warp_insts, 400 * 101 / 2);
    ck_assert_uint_eq(sampled.result.counters.warp_insts, 400 * 101);
    ck_assert_double_le(fabs(sampled_error(&sampled)), 0.05);
}
END_TEST

/* Half of the launch is other code, at another rate: a unit of each kind is chosen. One unit
 * could not be right for both. */
START_TEST(simpoint_of_two_phases)
{
    static char program[8000];
    size_t used = 0;
    for (int i = 0; i < 80; i++)
        used +=
            (size_t)snprintf(program + used, sizeof program - used, "%s%s", i > 0 ? " # " : "",
                             i < 40 ? "200 * FFMA R1 R1; EXIT" : "200 * MUFU.EX2 R1 R1; EXIT");
    const struct launch_text text = {.blocks = 80, .shmem = 40000, .program = program};
    struct sampled sampled = sample_launch(&text, "ideal-simpoint:unit=800");
    ck_assert_int_eq(sampled.outcome.check, INTRA_DONE);
    ck_assert_uint_ge(sampled.outcome.warp_insts, 1600);
    ck_assert_uint_lt(sampled.outcome.warp_insts, 80 * 201 / 2);
    ck_assert_double_le(fabs(sampled_error(&sampled)), 0.1);
}
END_TEST

START_TEST(simpoint_needs_two_units)
{
    struct sampled sampled = sample_launch(&equal, "ideal-simpoint");
    ck_assert_str_eq(intra_check_name(sampled.outcome.check), "units");
    ck_assert_uint_eq(result_cycles(&sampled.result), result_cycles(&sampled.full));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {random_draws_a_part,    random_depends_on_the_seed,
                                  random_needs_a_wave,    simpoint_of_equal_units,
                                  simpoint_of_two_phases, simpoint_needs_two_units};
    return RUN_TESTS("intra baselines", tests);
}
