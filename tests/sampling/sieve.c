#include "tests/sampling/support.h"

#define HEAD "launch,kernel,block_x,block_y,block_z,warp_insts\n"

START_TEST(equal_counts_are_tier_1_with_the_first_launch)
{
    /* The second size is more common, but tier 1 takes the first launch. */
    gives(HEAD "1,a,64,1,1,10\n2,a,32,1,1,10\n3,a,32,1,1,10\n", "sieve", "",
          "1: 1 2 3 > 1 x 3");
}
END_TEST

START_TEST(a_kernel_of_one_launch_is_tier_1)
{
    gives(HEAD "4,a,64,1,1,10\n7,b,32,1,1,999\n", "sieve", "", "1: 4 > 4 x 1; 1: 7 > 7 x 1");
}
END_TEST

/* 6 and 14: mean 10, deviation 4: CoV exactly 0.4. */
START_TEST(theta_itself_is_tier_3)
{
    gives(HEAD "1,a,32,1,1,6\n2,a,32,1,1,14\n", "sieve", "theta=0.4",
          "3: 1 > 1 x 1; 3: 2 > 2 x 1");
    gives(HEAD "1,a,32,1,1,6\n2,a,32,1,1,14\n", "sieve", "theta=0.4000001",
          "2: 1 2 > 1 x 3.33333");
}
END_TEST

START_TEST(the_deviation_is_that_of_the_population)
{
    /* 8, 12: 2 / 10 = 0.2; of a sample it would be 0.283. */
    gives(HEAD "1,a,32,1,1,8\n2,a,32,1,1,12\n", "sieve", "theta=0.21", "2: 1 2 > 1 x 2.5");
}
END_TEST

START_TEST(tier_2_takes_the_first_launch_of_the_dominant_block)
{
    gives(HEAD "1,a,64,1,1,10\n2,a,16,2,1,11\n3,a,32,1,1,9\n4,a,8,2,2,10\n", "sieve", "",
          "2: 1 2 3 4 > 2 x 3.63636");
}
END_TEST

START_TEST(of_equally_common_blocks_the_one_seen_first)
{
    gives(HEAD "1,a,64,1,1,10\n2,a,32,1,1,11\n3,a,32,1,1,9\n4,a,64,1,1,10\n", "sieve", "",
          "2: 1 2 3 4 > 1 x 4");
}
END_TEST

START_TEST(without_blocks_the_first_launch)
{
    struct profile *profile = profile_of("launch,kernel,warp_insts\n1,a,10\n2,a,11\n");
    struct sampling *selection = select_by(profile, "sieve", "");
    ck_assert_str_eq(describe(selection), "2: 1 2 > 1 x 2.1");
    ck_assert_ptr_nonnull(selection->note);
    sampling_destroy(selection);
    profile_destroy(profile);
}
END_TEST

/* Equal counts in other grids: together for sieve, apart for sieve-grids. */
START_TEST(grids_apart)
{
    static const char profile[] =
        "launch,kernel,grid_x,grid_y,grid_z,block_x,block_y,block_z,warp_insts\n"
        "1,a,8,1,1,32,1,1,100\n2,a,2,1,1,32,1,1,100\n3,a,8,1,1,32,1,1,100\n"
        "4,b,2,1,1,32,1,1,100\n5,a,2,1,3,32,1,1,100\n";
    gives(profile, "sieve", "", "1: 1 2 3 5 > 1 x 4; 1: 4 > 4 x 1");
    gives(profile, "sieve-grids", "",
          "1: 2 > 2 x 1; 1: 5 > 5 x 1; 1: 1 3 > 1 x 2; 1: 4 > 4 x 1");
}
END_TEST

START_TEST(tier_3_falls_apart_where_counts_do)
{
    gives(HEAD "1,a,32,1,1,100\n2,a,32,1,1,1000\n3,a,32,1,1,101\n4,a,32,1,1,1001\n"
               "5,b,32,1,1,5\n6,a,32,1,1,99\n",
          "sieve", "", "3: 1 3 6 > 1 x 3; 3: 2 4 > 2 x 2.001; 1: 5 > 5 x 1");
}
END_TEST

START_TEST(neighbours_that_fit_together_are_joined)
{
    /* Three heaps; those at 100 and 120 have a CoV of 0.09 together. */
    gives(HEAD "1,a,32,1,1,100\n2,a,32,1,1,100\n3,a,32,1,1,120\n4,a,32,1,1,120\n"
               "5,a,32,1,1,9000\n6,a,32,1,1,9000\n",
          "sieve", "", "3: 1 2 3 4 > 1 x 4.4; 3: 5 6 > 5 x 2");
}
END_TEST

/* Three heaps in both densities; those at 100 and 200 have a CoV of a third together. */
START_TEST(the_linear_density_joins_nothing)
{
    const char *text = HEAD "1,a,32,1,1,100\n2,a,32,1,1,100\n3,a,32,1,1,100\n4,a,32,1,1,100\n"
                            "5,a,32,1,1,200\n6,a,32,1,1,200\n7,a,32,1,1,200\n8,a,32,1,1,200\n"
                            "9,a,32,1,1,9000\n";
    gives(text, "sieve", "density=log", "3: 1 2 3 4 5 6 7 8 > 1 x 12; 3: 9 > 9 x 1");
    gives(text, "sieve", "density=linear",
          "3: 1 2 3 4 > 1 x 4; 3: 5 6 7 8 > 5 x 4; 3: 9 > 9 x 1");
}
END_TEST

/* Counts without a gap still end below theta. */
static void check_spread(const char *settings, double theta, double unit)
{
    char text[32768] = HEAD;
    size_t used = strlen(text);
    for (int i = 0; i < 500; i++)
        used += (size_t)sprintf(text + used, "%d,a,32,1,1,%.0f\n", i + 1, (i + 10) * unit);
    struct profile *profile = profile_of(text);
    struct sampling *selection = select_by(profile, "sieve", settings);
    for (size_t i = 0; i < selection->count; i++) {
        const struct sampling_stratum *stratum = &selection->strata[i];
        double sum = 0, squares = 0, n = (double)stratum->count;
        for (size_t k = 0; k < stratum->count; k++) {
            double x = (double)(selection->members[stratum->first + k] + 10);
            sum += x;
            squares += x * x;
        }
        ck_assert_double_lt(squares / n - sum / n * (sum / n),
                            theta * theta * (sum / n * sum / n));
    }
    /* Not far from the fewest, which is about log(51) / log((1 + 1.73 t) / (1 - 1.73 t)). */
    ck_assert_uint_le(selection->count, theta > 0.3 ? 6 : 40);
    sampling_destroy(selection);
    profile_destroy(profile);
}

START_TEST(strata_stay_below_theta_at_any_scale)
{
    check_spread("theta=0.4", 0.4, 1);
    check_spread("theta=0.4", 0.4, 1e6);
    check_spread("theta=0.1", 0.1, 1);
    check_spread("theta=0.1", 0.1, 1e6);
}
END_TEST

START_TEST(theta_0_keeps_only_equal_counts_together)
{
    gives(HEAD "1,a,32,1,1,5\n2,a,32,1,1,6\n3,a,32,1,1,5\n", "sieve", "theta=0",
          "3: 1 3 > 1 x 2; 3: 2 > 2 x 1");
}
END_TEST

START_TEST(the_prediction_is_the_weighted_harmonic_mean)
{
    struct profile *profile = profile_of(
        "launch,kernel,warp_insts,cycles\n1,a,100,50\n2,a,110,60\n3,b,30,300\n4,a,90,45\n");
    struct sampling *selection = select_by(profile, "sieve", "");
    double cycles[] = {50, 60, 300, 45};
    /* Weights 300 / 330 and 30 / 330 of IPC 2 and 0.1. */
    double ipc = 1 / (300.0 / 330 / 2 + 30.0 / 330 / 0.1);
    ck_assert_double_eq_tol(sampling_predict(selection, cycles), 330 / ipc, 1e-9);
    struct sampling_evaluation evaluation;
    struct sampling_options options;
    sampling_options_init(&options);
    ck_assert_int_eq(sampling_evaluate(selection, &options, NULL, &evaluation, NULL), 0);
    ck_assert(isnan(evaluation.bar));                            /* launches are not drawn */
    ck_assert_double_eq_tol(evaluation.error, 5.0 / 455, 1e-12); /* 450 of 455 */
    ck_assert_double_eq_tol(evaluation.speedup_cycles, 455.0 / 350, 1e-12);
    ck_assert_double_eq_tol(evaluation.speedup_insts, 330.0 / 130, 1e-12);
    ck_assert_uint_eq(evaluation.tiers[1], 1);
    ck_assert_uint_eq(evaluation.tiers[2], 3);
    sampling_destroy(selection);
    profile_destroy(profile);
}
END_TEST

START_TEST(other_representatives)
{
    static const char text[] =
        HEAD "1,a,64,1,1,8\n2,a,32,1,1,10\n3,a,32,1,1,12\n4,a,32,1,1,11\n";
    gives(text, "sieve", "", "2: 1 2 3 4 > 2 x 4.1");
    gives(text, "sieve", "representative=first", "2: 1 2 3 4 > 1 x 5.125");
    /* Mean 10.25. */
    gives(text, "sieve", "representative=centroid", "2: 1 2 3 4 > 2 x 4.1");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sieve");
    TCase *tests = tcase_create("sieve");
    tcase_add_test(tests, equal_counts_are_tier_1_with_the_first_launch);
    tcase_add_test(tests, a_kernel_of_one_launch_is_tier_1);
    tcase_add_test(tests, theta_itself_is_tier_3);
    tcase_add_test(tests, the_linear_density_joins_nothing);
    tcase_add_test(tests, the_deviation_is_that_of_the_population);
    tcase_add_test(tests, tier_2_takes_the_first_launch_of_the_dominant_block);
    tcase_add_test(tests, of_equally_common_blocks_the_one_seen_first);
    tcase_add_test(tests, without_blocks_the_first_launch);
    tcase_add_test(tests, grids_apart);
    tcase_add_test(tests, tier_3_falls_apart_where_counts_do);
    tcase_add_test(tests, neighbours_that_fit_together_are_joined);
    tcase_add_test(tests, strata_stay_below_theta_at_any_scale);
    tcase_add_test(tests, theta_0_keeps_only_equal_counts_together);
    tcase_add_test(tests, the_prediction_is_the_weighted_harmonic_mean);
    tcase_add_test(tests, other_representatives);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
