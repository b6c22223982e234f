/* What paths that do not exist probably mean. */
#include "traces/base/files/path_guess.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/suite.h"

static char *place, before[4096];

static const char *const folders[] = {
    "demo", "demo/deep", "demo/deep/er", "demo/deep/er/most", "demo/deep/er/most/far", "empty"};
static const char *const files[] = {
    "demo/gemm.packed",      "demo/reduction.packed",         "demo/scan.packed",
    "demo/deep/er/b.packed", "demo/deep/er/most/a.packed",    "demo/.hidden.packed",
    "demo/deep/er/c.other",  "demo/deep/er/most/far/x.packed"};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void set_up(void)
{
    ck_assert_ptr_nonnull(getcwd(before, sizeof before));
    place = make_folder();
    ck_assert_int_eq(chdir(place), 0);
    for (size_t i = 0; i < COUNT(folders); i++)
        ck_assert_int_eq(mkdir(folders[i], 0700), 0);
    for (size_t i = 0; i < COUNT(files); i++)
        free(make_file(".", files[i], "", 0));
}

static void tear_down(void)
{
    ck_assert_int_eq(chdir(before), 0);
    remove_folder(place);
}

static const char *const cases[][2] = {
    {"demo/reductoin.packed", "; did you mean demo/reduction.packed?"},
    {"dmo", "; did you mean demo?"},
    {"dmo/", "; did you mean demo/?"},
    {"./dmo//redction.packed", "; did you mean ./demo/reduction.packed?"},
    {"demo/reduction",
     "; did you mean demo/reduction.packed?"}, /* only the suffix is missing */
    {"demo/scna", "; did you mean demo/scan.packed?"},
    {"demo/gemm.packed", NULL}, /* exists */
    {"demo/gemm.packed/x", NULL},
    {"demo/nothing-like-it", NULL},
    {"unlike/gemm.packed", NULL},
    {"demo/hidden.packed", NULL},
    {"empty/x", NULL},
    {"/", NULL},
    {"", NULL},
};

START_TEST(misspelt)
{
    char *hint = path_guess_hint(cases[_i][0]);
    if (cases[_i][1] == NULL)
        ck_assert_msg(hint == NULL, "%s: %s", cases[_i][0], hint);
    else
        ck_assert_pstr_eq(hint, cases[_i][1]);
    free(hint);
}
END_TEST

static bool is_packed(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL && strcmp(dot, ".packed") == 0;
}

static void below(const char *folder, const char *expected)
{
    char *text = path_guess_below(folder, is_packed);
    ck_assert_pstr_eq(text, expected);
    free(text);
}

START_TEST(wanted_files)
{
    below("demo/", "demo/gemm.packed, demo/reduction.packed, demo/scan.packed and others");
    below("demo/deep", "demo/deep/er/b.packed, demo/deep/er/most/a.packed, "
                       "demo/deep/er/most/far/x.packed");
    below("demo/deep/er/most/far", "demo/deep/er/most/far/x.packed");
    below("empty", NULL);
    below("none", NULL);
    ck_assert_int_eq(remove("demo/scan.packed") | remove("demo/reduction.packed"), 0);
    below(".", "./demo/gemm.packed and ./demo/deep/er/b.packed"); /* others are too deep */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("path guess");
    TCase *tcase = tcase_create("path guess");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, misspelt, 0, COUNT(cases));
    tcase_add_test(tcase, wanted_files);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
