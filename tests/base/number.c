#include "traces/base/number.h"
#include "tests/suite.h"

START_TEST(whole_numbers)
{
    uint64_t number = 0;
    ck_assert(number_whole("18446744073709551615", 0, UINT64_MAX, &number));
    ck_assert_uint_eq(number, UINT64_MAX);
    ck_assert(number_whole("007", 1, 7, &number));
    ck_assert_uint_eq(number, 7);
    static const char *const wrong[] = {"",    " 1",  "1 ",  "-1",
                                        "+1",  "1.0", "0x1", "1e3",
                                        "six", "0",   "8",   "18446744073709551616"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(!number_whole(wrong[i], 1, 7, &number), "%s", wrong[i]);
    ck_assert_int_eq(number_count("18446744073709551616", UINT64_MAX, &number), NUMBER_LARGE);
    ck_assert_int_eq(number_count("18446744073709551616x", UINT64_MAX, &number), NUMBER_WRONG);
}
END_TEST

START_TEST(decimal_numbers)
{
    double number;
    ck_assert(number_decimal("1.25e2", 0, 1000, &number));
    ck_assert_double_eq(number, 125);
    ck_assert(number_decimal(".5", 0.5, 0.5, &number));
    static const char *const wrong[] = {"",      " 1",    "1 ", "-1",   "nan", "inf",   "0x1p3",
                                        "1e999", "1.2.3", "1e", "four", "0.9", "1000.1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(!number_decimal(wrong[i], 1, 1000, &number), "%s", wrong[i]);
}
END_TEST

START_TEST(numbers_in_a_text)
{
    const char *at = "12,x";
    uint64_t number;
    ck_assert(!number_next(&at, 11, &number));
    ck_assert_str_eq(at, "12,x");
    ck_assert(number_next(&at, 12, &number));
    ck_assert_str_eq(at++, ",x");
    ck_assert(!number_next(&at, UINT64_MAX, &number));
    ck_assert_uint_eq(number_prefix("0x1Fg", true, &number), 4);
    ck_assert_uint_eq(number, 31);
    ck_assert_uint_eq(number_prefix("0178", true, &number), 3);
    ck_assert_uint_eq(number, 15);
    ck_assert_uint_eq(number_prefix("0x1F", false, &number), 1);
    ck_assert_uint_eq(number_prefix("99999999999999999999", false, &number), 20);
    ck_assert_uint_eq(number, UINT64_MAX);
    double decimal;
    ck_assert_uint_eq(number_prefix_decimal("0.1:2", &decimal), 3);
    ck_assert_double_eq(decimal, 0.1);
    ck_assert_uint_eq(number_prefix_decimal(".1", &decimal), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {whole_numbers, decimal_numbers, numbers_in_a_text};
    return RUN_TESTS("number", tests);
}
