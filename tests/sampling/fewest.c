/* The fewest contiguous groups: against a search of all starts. */
#include "sampling/methods/fewest.h"

#include <math.h>
#include <stdlib.h>

#include "tests/sampling/support.h"

#define MOST 600

struct numbers {
    double value[MOST], weight[MOST];
    size_t count;
};

/* Ascending numbers with gaps small and large; some occur often. */
static void make_numbers(struct numbers *numbers, unsigned seed)
{
    unsigned state = seed * 7919 + 1;
    double last = 1 + seed % 5;
    numbers->count = 1 + seed * 37 % MOST;
    for (size_t i = 0; i < numbers->count; i++) {
        state = state * 1103515245 + 12345;
        unsigned draw = state >> 16;
        last += draw % 50 == 0 ? last : 1 + draw % 7;
        numbers->value[i] = last;
        numbers->weight[i] = draw % 11 == 0 ? 1 + draw % 300 : 1;
    }
}

/* The same recurrence without a tree, cost by sums of deviations. */
static void by_all_starts(const struct numbers *numbers, double theta, size_t *groups,
                          double *cost)
{
    groups[0] = 0;
    cost[0] = 0;
    for (size_t end = 1; end <= numbers->count; end++) {
        double n = 0, mean = 0, squares = 0;
        groups[end] = SIZE_MAX;
        for (size_t i = end; i-- > 0;) { /* West's update */
            double w = numbers->weight[i], off = numbers->value[i] - mean;
            n += w;
            mean += off * w / n;
            squares += w * off * (numbers->value[i] - mean);
            if (i + 1 < end && sqrt(squares / n) > theta * mean)
                continue;
            if (groups[i] + 1 < groups[end] ||
                (groups[i] + 1 == groups[end] && cost[i] + squares < cost[end])) {
                groups[end] = groups[i] + 1;
                cost[end] = cost[i] + squares;
            }
        }
    }
}

START_TEST(as_by_all_starts)
{
    static const double thetas[] = {0.01, 0.1, 0.25, 0.4, 0.7, 1};
    static struct numbers numbers;
    static size_t groups[MOST + 1];
    static double cost[MOST + 1];
    struct fewest fewest;
    double theta = thetas[_i % 6];
    make_numbers(&numbers, (unsigned)_i);
    by_all_starts(&numbers, theta, groups, cost);
    ck_assert_int_eq(fewest_init(&fewest, numbers.count), 0);
    fewest_find(&fewest, numbers.value, numbers.weight, numbers.count, theta);
    for (size_t i = 1; i <= numbers.count; i++) {
        ck_assert_uint_eq(fewest.prefixes[i].groups, groups[i]);
        ck_assert_double_eq_tol((double)fewest.prefixes[i].cost, cost[i],
                                1e-6 + 1e-9 * cost[i]);
        ck_assert_uint_lt(fewest.prefixes[i].start, i);
    }
    fewest_finish(&fewest);
}
END_TEST

/* 1, 10: mean 5.5, deviation 4.5. 1, 10, 11: mean 7.33, deviation 4.5. Whoever
 * takes numbers as long as they fit cuts behind the 1. */
START_TEST(more_can_fit_where_less_does_not)
{
    static const double value[] = {1, 10, 11}, weight[] = {1, 1, 1};
    struct fewest fewest;
    ck_assert_int_eq(fewest_init(&fewest, 3), 0);
    fewest_find(&fewest, value, weight, 3, 0.7);
    ck_assert_uint_eq(fewest.prefixes[2].groups, 2);
    ck_assert_uint_eq(fewest.prefixes[3].groups, 1);
    ck_assert_uint_eq(fewest.prefixes[3].start, 0);
    fewest_finish(&fewest);
}
END_TEST

/* 1 2 | 3 and 1 | 2 3 cost 0.5 each: the last group begins as late as it can. */
START_TEST(of_equal_ways_the_last_start)
{
    static const double value[] = {1, 2, 3}, weight[] = {1, 1, 1};
    struct fewest fewest;
    ck_assert_int_eq(fewest_init(&fewest, 3), 0);
    fewest_find(&fewest, value, weight, 3, 0.35);
    ck_assert_uint_eq(fewest.prefixes[3].groups, 2);
    ck_assert_double_eq((double)fewest.prefixes[3].cost, 0.5);
    ck_assert_uint_eq(fewest.prefixes[3].start, 2);
    fewest_finish(&fewest);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fewest");
    TCase *tests = tcase_create("fewest");
    tcase_add_loop_test(tests, as_by_all_starts, 0, 120);
    tcase_add_test(tests, more_can_fit_where_less_does_not);
    tcase_add_test(tests, of_equal_ways_the_last_start);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
