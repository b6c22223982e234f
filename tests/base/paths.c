#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/suite.h"
#include "traces/base/files/paths.h"

static const char *const absolutes[][2] = {
    {"/a/b", "/a/b"},
    {"/a//b/", "/a/b"},
    {"/a/./b/.", "/a/b"},
    {"/a/x/../b", "/a/b"},
    {"/", "/"},
    {"/../a", "/a"},
    {"/a/..", "/"},
    {"/a/...", "/a/..."},
    {"/.a/..b", "/.a/..b"},
    {"/a/b/c/../../d", "/a/d"},
};

START_TEST(absolute)
{
    char *path = paths_absolute(absolutes[_i][0]);
    ck_assert_str_eq(path, absolutes[_i][1]);
    free(path);
}
END_TEST

START_TEST(working_folder)
{
    char *folder = getcwd(NULL, 0), *path = paths_absolute("./x/../y"), expected[4096];
    snprintf(expected, sizeof expected, "%s/y", folder);
    ck_assert_str_eq(path, expected);
    free(path);
    free(folder);
}
END_TEST

static const char *const relatives[][3] = {
    {"/a/s", "/a/w", "../w"},   {"/a/s", "/a/s.states/x", "../s.states/x"},
    {"/a/s", "/a/s/x", "x"},    {"/a/s", "/a/s", ""},
    {"/a/s/t", "/a", "../../"}, {"/a/s", "/b/w/x", "../../b/w/x"},
    {"/", "/b", "b"},           {"/a", "/", "../"},
};

START_TEST(relative)
{
    char *path = paths_relative(relatives[_i][0], relatives[_i][1]);
    ck_assert_str_eq(path, relatives[_i][2]);
    free(path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("paths");
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, absolute, 0, sizeof absolutes / sizeof absolutes[0]);
    tcase_add_test(tests, working_folder);
    tcase_add_loop_test(tests, relative, 0, sizeof relatives / sizeof relatives[0]);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
