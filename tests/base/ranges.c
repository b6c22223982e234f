#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"
#include "traces/base/ranges.h"

START_TEST(reads_numbers_and_ranges)
{
    struct ranges ranges;
    struct error err = {0};
    ck_assert_int_eq(ranges_init(&ranges, "1,5-9,18446744073709551615", "list", NULL, 0, &err),
                     0);
    ck_assert_uint_eq(ranges.count, 3);
    ck_assert(ranges_contain(&ranges, 1));
    ck_assert(!ranges_contain(&ranges, 2));
    ck_assert(!ranges_contain(&ranges, 4));
    ck_assert(ranges_contain(&ranges, 5));
    ck_assert(ranges_contain(&ranges, 9));
    ck_assert(!ranges_contain(&ranges, 10));
    ck_assert(ranges_contain(&ranges, UINT64_MAX));
    ranges_finish(&ranges);
}
END_TEST

static const char *const wrong[] = {
    "",    ",",  "1,", "1,,2",  "a",   "1-",  "-1",
    "9-5", "1 ", " 1", "1-2-3", "0x5", "1.5", "18446744073709551616",
};

START_TEST(refuses_anything_else)
{
    struct ranges ranges;
    struct error err = {0};
    ck_assert_int_eq(ranges_init(&ranges, wrong[_i], "--launches", NULL, 0, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "--launches"));
    ck_assert_uint_eq(ranges.count, 0);
}
END_TEST

static const struct {
    const char *text;
    bool overlap;
} sets[] = {
    {"1", false},    {"1,2", false},    {"5-9,1-4", false},   {"1,1", true},
    {"2,1-3", true}, {"9,1,5-9", true}, {"1-3,4,5-6", false}, {"7-9,1,2-7", true},
};

START_TEST(overlap)
{
    struct ranges ranges;
    struct error err = {0};
    ck_assert_int_eq(ranges_init(&ranges, sets[_i].text, "test", NULL, 0, &err), 0);
    ck_assert_int_eq(ranges_overlap(&ranges), sets[_i].overlap);
    ranges_finish(&ranges);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ranges");
    TCase *tests = tcase_create("ranges");
    tcase_add_test(tests, reads_numbers_and_ranges);
    tcase_add_loop_test(tests, overlap, 0, sizeof sets / sizeof sets[0]);
    tcase_add_loop_test(tests, refuses_anything_else, 0, sizeof wrong / sizeof wrong[0]);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
