#include "sampling/methods/sieve_split.h"
#include "tests/sampling/support.h"

#define HEAD "launch,kernel,grid_x,grid_y,grid_z,block_x,block_y,block_z,warp_insts\n"

/* Sizes of the groups that VALUES fall into. */
static const char *split(const double *values, size_t n)
{
    static char text[512];
    size_t ends[SIEVE_SPLIT_POINTS + 1];
    size_t groups = sieve_split(values, n, ends), used = 0;
    for (size_t i = 0; i < groups; i++)
        used += (size_t)sprintf(text + used, "%s%zu", i > 0 ? " " : "",
                                ends[i] - (i > 0 ? ends[i - 1] : 0));
    return text;
}

START_TEST(the_greatest_value_falls_off)
{
    static const double values[] = {10, 11, 12};
    ck_assert_str_eq(split(values, 2), "1 1");
    ck_assert_str_eq(split(values, 3), "2 1");
}
END_TEST

/* What the script was seen to do with evenly spaced counts: an effect of its 50
 * places and its bandwidth of one instruction. */
START_TEST(evenly_spaced_counts_fall_into_arbitrary_groups)
{
    double values[100];
    for (int i = 0; i < 100; i++)
        values[i] = 10 * (i + 1);
    ck_assert_str_eq(split(values, 100), "49 2 49");
}
END_TEST

START_TEST(powers_of_two_make_six_groups)
{
    double values[10];
    size_t ends[SIEVE_SPLIT_POINTS + 1];
    for (int i = 0; i < 10; i++)
        values[i] = 16 << i;
    ck_assert_uint_eq(sieve_split(values, 10, ends), 6);
}
END_TEST

START_TEST(far_values_do_not_underflow)
{
    static const double values[] = {1, 2e9};
    ck_assert_str_eq(split(values, 2), "1 1");
}
END_TEST

/* Places 2 apart: those at 49 and 51 are equally far from both values and equally
 * low. Neither is below its neighbours on both sides, yet there is a minimum. */
START_TEST(a_plateau_counts)
{
    static const double values[] = {1, 99};
    ck_assert_str_eq(split(values, 2), "1 1");
}
END_TEST

START_TEST(a_kernel_of_one_launch_is_tier_1)
{
    gives(HEAD "4,a,2,1,1,64,1,1,10\n7,b,1,1,1,32,1,1,999\n", "sieve-artifact", "",
          "1: 4 > 4 x 1; 1: 7 > 7 x 1");
}
END_TEST

START_TEST(tier_2_takes_the_common_grid_then_the_common_count)
{
    /* Threads of the grid: 64, 64, 64, 32, 64. Of the four, 12 is most common. */
    gives(HEAD "1,a,2,1,1,32,1,1,10\n2,a,1,1,1,64,1,1,12\n3,a,1,2,1,32,1,1,11\n"
               "4,a,1,1,1,32,1,1,10\n5,a,2,1,1,32,1,1,12\n",
          "sieve-artifact", "", "2: 1 2 3 4 5 > 2 x 4.58333");
}
END_TEST

START_TEST(tier_3_takes_the_upper_median_of_the_counts)
{
    /* Two heaps: in the first, 100 to 103, each count once: the third is 102.
     * The greatest value of the second falls off. */
    gives(HEAD "1,a,1,1,1,32,1,1,103\n2,a,1,1,1,32,1,1,102\n3,a,1,1,1,32,1,1,101\n"
               "4,a,1,1,1,32,1,1,100\n5,a,1,1,1,32,1,1,900\n6,a,1,1,1,32,1,1,100\n",
          "sieve-artifact", "theta=0.3", "3: 1 2 3 4 6 > 2 x 4.96078; 3: 5 > 5 x 1");
}
END_TEST

START_TEST(needs_grid_and_block)
{
    refuses("launch,kernel,grid_x,grid_y,grid_z,warp_insts\n1,a,1,1,1,5\n", "sieve-artifact",
            "",
            "p.csv: sieve-artifact needs block_x, block_y, block_z, which the profile does not "
            "have for every launch (first not for launch 1)");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sieve_artifact");
    TCase *tests = tcase_create("sieve_artifact");
    tcase_add_test(tests, the_greatest_value_falls_off);
    tcase_add_test(tests, evenly_spaced_counts_fall_into_arbitrary_groups);
    tcase_add_test(tests, powers_of_two_make_six_groups);
    tcase_add_test(tests, far_values_do_not_underflow);
    tcase_add_test(tests, a_plateau_counts);
    tcase_add_test(tests, a_kernel_of_one_launch_is_tier_1);
    tcase_add_test(tests, tier_2_takes_the_common_grid_then_the_common_count);
    tcase_add_test(tests, tier_3_takes_the_upper_median_of_the_counts);
    tcase_add_test(tests, needs_grid_and_block);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
