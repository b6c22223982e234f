#include <math.h>

#include "tests/sampling/support.h"

#define HEAD "launch,kernel,warp_insts\n"

START_TEST(at_most_theta_fits)
{
    gives(HEAD "1,a,6\n2,a,14\n", "optimal", "theta=0.4", "2: 1 2 > 1 x 3.33333");
    gives(HEAD "1,a,6\n2,a,14\n", "optimal", "theta=0.399", "3: 1 > 1 x 1; 3: 2 > 2 x 1");
    gives(HEAD "1,a,6\n2,a,6\n", "optimal", "theta=0", "1: 1 2 > 1 x 2");
}
END_TEST

START_TEST(a_kernel_of_one_launch_is_tier_1)
{
    gives(HEAD "4,a,10\n7,b,999\n", "optimal", "", "1: 4 > 4 x 1; 1: 7 > 7 x 1");
}
END_TEST

START_TEST(of_several_ways_the_tightest)
{
    /* 10 11 | 14, not 10 | 11 14. */
    gives(HEAD "1,a,10\n2,a,11\n3,a,14\n", "optimal", "theta=0.121",
          "3: 1 2 > 1 x 2.1; 3: 3 > 3 x 1");
}
END_TEST

START_TEST(a_common_count_makes_the_cov_smaller)
{
    /* 5 and 10 alone: 0.33. With ten times 10 it is 0.15. */
    gives(HEAD
          "1,a,5\n2,a,10\n3,a,10\n4,a,10\n5,a,10\n6,a,10\n7,a,10\n8,a,10\n9,a,10\n10,a,10\n"
          "11,a,10\n",
          "optimal", "theta=0.2", "2: 1 2 3 4 5 6 7 8 9 10 11 > 1 x 21");
}
END_TEST

/* Whether the values from A up to B have a CoV of at most THETA. */
static bool fits(const double *values, int a, int b, double theta)
{
    double sum = 0, squares = 0;
    for (int i = a; i < b; i++)
        sum += values[i];
    double mean = sum / (b - a);
    for (int i = a; i < b; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return sqrt(squares / (b - a)) <= theta * mean;
}

/* The fewest groups, by trying every set of cuts of N ascending values. */
static unsigned by_force(const double *values, int n, double theta)
{
    unsigned fewest = (unsigned)n;
    for (unsigned cuts = 0; cuts < 1u << (n - 1); cuts++) {
        unsigned groups = 0;
        bool good = true;
        for (int from = 0, to = 1; to <= n; to++)
            if (to == n || (cuts >> (to - 1) & 1)) {
                good = good && fits(values, from, to, theta);
                groups++;
                from = to;
            }
        fewest = good && groups < fewest ? groups : fewest;
    }
    return fewest;
}

START_TEST(no_way_has_fewer)
{
    unsigned state = (unsigned)_i * 7919 + 1;
    double values[11], last = 3;
    char text[512] = HEAD;
    for (int i = 0; i < 11; i++) {
        state = state * 1103515245 + 12345;
        values[i] = last += (double)((state >> 16) % (i % 4 == 0 ? 40 : 9)) + 1;
        sprintf(text + strlen(text), "%d,a,%.0f\n", i + 1, values[i]);
    }
    struct profile *profile = profile_of(text);
    struct sampling *selection = select_by(profile, "optimal", "theta=0.15");
    ck_assert_uint_eq(selection->count, by_force(values, 11, 0.15));
    sampling_destroy(selection);
    profile_destroy(profile);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("optimal");
    TCase *tests = tcase_create("optimal");
    tcase_add_test(tests, at_most_theta_fits);
    tcase_add_test(tests, a_kernel_of_one_launch_is_tier_1);
    tcase_add_test(tests, of_several_ways_the_tightest);
    tcase_add_test(tests, a_common_count_makes_the_cov_smaller);
    tcase_add_loop_test(tests, no_way_has_fewer, 0, 50);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
