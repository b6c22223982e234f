#include <math.h>

#include "sampling/methods/kde.h"
#include "tests/sampling/support.h"

static const double ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

START_TEST(bandwidth_by_hand)
{
    /* Deviation 2, quartiles 1 and 5: 4 / 1.34 is more. n = 4. */
    static const double x[] = {1, 5}, weight[] = {2, 2};
    ck_assert_double_eq_tol(kde_bandwidth(x, weight, 2), 0.9 * 2 / pow(4, 0.2), 1e-12);
    static const double far[] = {0, 1, 2, 3, 1000};
    ck_assert_double_eq_tol(kde_bandwidth(far, ones, 5), 0.9 * (2 / 1.34) / pow(5, 0.2), 1e-12);
    static const double one[] = {7};
    ck_assert_double_eq(kde_bandwidth(one, weight, 1), 0);
}
END_TEST

START_TEST(bandwidth_grows_with_the_scale)
{
    static const double x[] = {1, 2, 4, 7}, large[] = {1e9, 2e9, 4e9, 7e9};
    ck_assert_double_eq_tol(kde_bandwidth(large, ones, 4) / kde_bandwidth(x, ones, 4), 1e9, 1);
}
END_TEST

/* Two values of equal weight have one peak up to a distance of 2 h, two above. */
START_TEST(two_values_part_at_two_bandwidths)
{
    struct error err = {0};
    size_t cuts[2];
    static const double near[] = {0, 1.9}, far[] = {0, 2.3};
    ck_assert_int_eq(kde_minima(near, ones, 2, 1, cuts, &err), 0);
    ck_assert_int_eq(kde_minima(far, ones, 2, 1, cuts, &err), 1);
    ck_assert_uint_eq(cuts[0], 1);
}
END_TEST

/* The grid has 4 points a bandwidth. At 13 steps the two in the middle are equally
 * low, at 14 one is lowest; the cut is between the values either way. */
START_TEST(a_plateau_is_one_minimum)
{
    struct error err = {0};
    size_t cuts[2];
    static const double even[] = {0, 3.25}, odd[] = {0, 3.5};
    ck_assert_int_eq(kde_minima(even, ones, 2, 1, cuts, &err), 1);
    ck_assert_uint_eq(cuts[0], 1);
    ck_assert_int_eq(kde_minima(odd, ones, 2, 1, cuts, &err), 1);
    ck_assert_uint_eq(cuts[0], 1);
}
END_TEST

START_TEST(gaps_beyond_reach_part_too)
{
    struct error err = {0};
    size_t cuts[5];
    static const double x[] = {0, 0.5, 100, 100.5, 1e6};
    ck_assert_int_eq(kde_minima(x, ones, 5, 1, cuts, &err), 2);
    ck_assert_uint_eq(cuts[0], 2);
    ck_assert_uint_eq(cuts[1], 4);
}
END_TEST

START_TEST(even_spacing_has_no_minimum)
{
    struct error err = {0};
    size_t cuts[10];
    static const double x[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    ck_assert_int_eq(kde_minima(x, ones, 10, 2, cuts, &err), 0);
    ck_assert_int_eq(kde_minima(x, ones, 1, 2, cuts, &err), 0);
}
END_TEST

START_TEST(small_bandwidths_part_everything)
{
    struct error err = {0};
    size_t cuts[10];
    static const double x[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    ck_assert_int_eq(kde_minima(x, ones, 10, 0.2, cuts, &err), 9);
    for (size_t i = 0; i < 9; i++)
        ck_assert_uint_eq(cuts[i], i + 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("density");
    TCase *tests = tcase_create("density");
    tcase_add_test(tests, bandwidth_by_hand);
    tcase_add_test(tests, bandwidth_grows_with_the_scale);
    tcase_add_test(tests, two_values_part_at_two_bandwidths);
    tcase_add_test(tests, a_plateau_is_one_minimum);
    tcase_add_test(tests, gaps_beyond_reach_part_too);
    tcase_add_test(tests, even_spacing_has_no_minimum);
    tcase_add_test(tests, small_bandwidths_part_everything);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
