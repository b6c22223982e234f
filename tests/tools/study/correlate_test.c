/* The arithmetic of hearth study correlate on made-up rows. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "tests/suite.h"
#include "tools/study/correlate/error_stats.h"
#include "tools/study/correlate/kernel_name.h"
#include "tools/study/correlate/measured.h"
#include "tools/study/correlate/pairing.h"
#include "tools/study/correlate/parameters.h"

#define NEAR(value, expected) ck_assert_double_eq_tol(value, expected, 1e-12)

START_TEST(errors)
{
    /* +10 %, -20 %, +50 %, and one that is missing. */
    const struct error_pair pairs[] = {{100, 110}, {1000, 800}, {10, 15}, {50, NAN}};
    struct error_stats stats;
    ck_assert_int_eq(error_stats_of(&stats, pairs, 4), 0);
    ck_assert_uint_eq(stats.count, 4);
    ck_assert_uint_eq(stats.missing, 1);
    NEAR(stats.mean, (0.1 + 0.2 + 0.5 + 1) / 4);
    NEAR(stats.bias, (0.1 - 0.2 + 0.5) / 3);
    NEAR(stats.sum, 925.0 / 1110 - 1);
    NEAR(stats.median, 0.2);
    NEAR(stats.p90, 0.2 + 0.8 * 0.3);
    NEAR(stats.worst, 0.5);
    NEAR(stats.rank, 1);
    ck_assert(stats.pearson > 0.99 && stats.pearson < 1);
}
END_TEST

START_TEST(correlations)
{
    struct error_stats stats;
    /* Exactly opposite, and y = x with a tie in each series. */
    const struct error_pair down[] = {{1, 6}, {2, 4}, {3, 2}};
    ck_assert_int_eq(error_stats_of(&stats, down, 3), 0);
    NEAR(stats.pearson, -1);
    NEAR(stats.rank, -1);
    /* Ranks 0.5 0.5 2 3 and 0 1.5 1.5 3: deviations -1 -1 0.5 1.5 and -1.5 0 0 1.5. */
    const struct error_pair ties[] = {{1, 1}, {1, 2}, {5, 2}, {9, 3}};
    ck_assert_int_eq(error_stats_of(&stats, ties, 4), 0);
    NEAR(stats.rank, (1.5 + 2.25) / 4.5);
    const struct error_pair constant[] = {{7, 1}, {7, 2}};
    ck_assert_int_eq(error_stats_of(&stats, constant, 2), 0);
    ck_assert(isnan(stats.pearson) && isnan(stats.rank));
}
END_TEST

START_TEST(nothing)
{
    struct error_stats stats;
    const struct error_pair missing = {5, NAN};
    ck_assert_int_eq(error_stats_of(&stats, NULL, 0), 0);
    ck_assert(isnan(stats.mean) && isnan(stats.sum) && isnan(stats.worst));
    ck_assert_int_eq(error_stats_of(&stats, &missing, 1), 0);
    NEAR(stats.mean, 1);
    ck_assert(isnan(stats.bias) && isnan(stats.worst));
}
END_TEST

START_TEST(names)
{
    static const char *const same[][2] = {
        {"_Z5visitPKiPiiiS1_", "visit(const int *, int *, int, int, const int *)"},
        {"_Z7reduce6IfLj256EEvPKT_PS0_j",
         "void reduce6<float, 256>(const T1 *, T1 *, unsigned)"},
        {"_Z7reduce6IfLj256EEvPKT_PS0_j", "reduce6"},
        {"_ZN2at6native13reduce_kernelILi512EEEvT_", "void at::native::reduce_kernel<512>(T1)"},
        {"_ZN2at6native12_GLOBAL__N_14copyEv",
         "void at::native::(anonymous namespace)::copy<float>()"},
        {"main_kernel", "main_kernel(float *)"},
        {"main_kernel", "main_kernel"},
    };
    static const char *const different[][2] = {
        {"_Z5visitPKi", "_Z5visitPKf"},
        {"visit(int)", "visit(float)"},
        {"_Z5visitPKi", "visit2(const int *)"},
        {"a", "b"},
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        ck_assert_msg(kernel_name_same(same[i][0], same[i][1]), "%s", same[i][1]);
        ck_assert(kernel_name_same(same[i][1], same[i][0]));
    }
    for (size_t i = 0; i < sizeof different / sizeof different[0]; i++)
        ck_assert_msg(!kernel_name_same(different[i][0], different[i][1]), "%s",
                      different[i][1]);
}
END_TEST

START_TEST(parameters)
{
    ck_assert(parameters_differ_by("warps=1;hops=1024", "warps=1;hops=2048", 2));
    ck_assert(parameters_differ_by("warps=1;hops=1024", "warps=1;hops=1024", 2));
    ck_assert(!parameters_differ_by("warps=1;hops=1024", "warps=2;hops=1024", 4));
    ck_assert(!parameters_differ_by("warps=1;hops=1024", "warps=1;hops=2049", 2));
    ck_assert(!parameters_differ_by("warps=1;hops=1024", "warps=1;steps=2048", 2));
    ck_assert(!parameters_differ_by("warps=1", "warps=1;hops=2048", 2));
    ck_assert(!parameters_differ_by("card=a", "card=b", 2));
}
END_TEST

/* ---- pairing ----------------------------------------------------------- */

/* Pairs launches named by one letter each, and says how: "a=a" a pair, "b=" one that was only
 * measured, "=c" one that was only simulated. */
static const char *pair_letters(const char *measured_names, const char *row_names)
{
    static char said[256];
    static const char *const letters[] = {"a", "b", "c", "d"};
    struct measured_launch launches[16];
    struct measured measured = {.launches = launches};
    struct pairing pairing;
    const struct ranges all = {0};
    struct error err = {0};
    struct row_store *store = row_store_create(&err);
    struct rows rows = {.store = store};
    for (; *measured_names != '\0'; measured_names++)
        launches[measured.count++] =
            (struct measured_launch){.program = "", .kernel = letters[*measured_names - 'a']};
    for (; *row_names != '\0'; row_names++)
        ck_assert_int_eq(
            rows_add(&rows, &(struct row){.kernel = letters[*row_names - 'a']}, &err), 0);
    ck_assert_int_eq(pairing_init(&pairing, &measured, "any", &all, &rows, &err), 0);
    said[0] = '\0';
    for (size_t i = 0; i < pairing.count; i++) {
        const struct pairing_item *item = &pairing.items[i];
        strcat(said, i > 0 ? " " : "");
        strcat(said, item->measured != NULL ? item->measured->kernel : "");
        strcat(said, "=");
        strcat(said, item->row != NULL ? item->row->kernel : "");
    }
    pairing_finish(&pairing);
    rows_finish(&rows);
    row_store_destroy(store);
    return said;
}

START_TEST(pairs)
{
    ck_assert_str_eq(pair_letters("abc", "abc"), "a=a b=b c=c");
    ck_assert_str_eq(pair_letters("abc", "ac"), "a=a b= c=c");
    ck_assert_str_eq(pair_letters("ac", "abbc"), "a=a =b =b c=c");
    ck_assert_str_eq(pair_letters("abd", "acd"), "a=a b= =c d=d");
    ck_assert_str_eq(pair_letters("aab", "aaab"), "a=a a=a =a b=b");
    ck_assert_str_eq(pair_letters("ab", ""), "a= b=");
    ck_assert_str_eq(pair_letters("", "d"), "=d");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {errors, correlations, nothing, names, parameters, pairs};
    return RUN_TESTS("correlate", tests);
}
