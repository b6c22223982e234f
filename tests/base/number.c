#include "traces/base/number.h"

#include <math.h>
#include <stdio.h>

#include "tests/suite.h"
#include "traces/base/random.h"
#include "traces/base/text/number_text.h"

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

static void expect_real(double number)
{
    char expected[NUMBER_TEXT], buffer[NUMBER_TEXT];
    snprintf(expected, sizeof expected, "%.6g", number);
    ck_assert_str_eq(number_text_real(number, buffer), expected);
}

/* As snprintf() prints them: also between two numbers, and next to a power of ten. */
START_TEST(numbers_as_text)
{
    static const double special[] = {0.,        -0.,          1,        -1.5,         0.5,
                                     1e-4,      9.9e-5,       1e6,      999999.5,     999999.4,
                                     123456.5,  0.0001234565, 1e5,      99999.95,     1.000005,
                                     0.9999995, 0.99999951,   1e300,    INFINITY,     1e-300,
                                     12.34565,  0.1,          100000.5, 0.00099999949};
    struct random random;
    char buffer[NUMBER_TEXT];
    random_init(&random, 1, 0);
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        expect_real(special[i]);
    for (int i = 0; i < 200000; i++) {
        double share = random_real(&random);
        expect_real(share * pow(10, (double)random_below(&random, 17) - 10));
        expect_real((double)random_below(&random, 2000000) / 1000);
    }
    ck_assert_str_eq(number_text_count(0, buffer), "0");
    ck_assert_str_eq(number_text_count(UINT64_MAX, buffer), "18446744073709551615");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {whole_numbers, decimal_numbers, numbers_in_a_text,
                                  numbers_as_text};
    return RUN_TESTS("number", tests);
}
