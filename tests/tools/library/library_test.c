/* hearth.h, called as a program of a user calls it. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/suite.h"
#include "tools/library/hearth.h"

static const char *demo; /* a workload that takes a second */
static char *place;      /* the working folder of a test */

static void write_file(const char *name, const char *text)
{
    free(make_file(place, name, text, strlen(text)));
}

/* A list of two kernels of one warp that adds and ends. */
static void setup(void)
{
    place = make_folder();
    ck_assert_int_eq(chdir(place), 0);
    for (int i = 1; i <= 2; i++) {
        char name[32], text[512];
        snprintf(name, sizeof name, "kernel-%d.traceg", i);
        snprintf(text, sizeof text,
                 "-kernel name = add%d\n-kernel id = %d\n-grid dim = (1,1,1)\n"
                 "-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n-binary version = 86\n"
                 "-cuda stream id = 0\n-accelsim tracer version = 5\n\n"
                 "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n"
                 "0000 ffffffff 1 R9 FADD 2 R8 R8 0 0\n0010 ffffffff 0 EXIT 0 0 0\n#END_TB\n",
                 i, i);
        write_file(name, text);
    }
    write_file("list", "kernel-1.traceg\nkernel-2.traceg\n");
    write_file("short", "kernel-1.traceg\nkernel-3.traceg\n");
}

static void teardown(void)
{
    remove_folder(place);
}

static void expect_row(const struct hearth_results *results, size_t launch, const char *kernel)
{
    char buffer[HEARTH_TEXT];
    const size_t column = hearth_find_column("kernel");
    ck_assert_str_eq(hearth_text(results, launch, column, buffer), kernel);
    ck_assert(isnan(hearth_number(results, launch, column)));
    ck_assert_str_eq(hearth_text(results, launch, hearth_find_column("grid"), buffer), "1x1x1");
    ck_assert_str_eq(hearth_text(results, launch, hearth_find_column("warp_insts"), buffer),
                     "2");
    ck_assert(hearth_number(results, launch, hearth_find_column("warp_insts")) == 2);
    ck_assert(hearth_number(results, launch, hearth_find_column("cycles")) > 0);
}

START_TEST(rows_without_a_folder)
{
    struct hearth_error err;
    const struct hearth_request request = {.target = "list"};
    struct hearth_results *results = hearth_run(&request, NULL, &err);
    ck_assert_ptr_nonnull(results);
    ck_assert_int_eq(err.status, HEARTH_OK);
    ck_assert_uint_eq(hearth_launches(results), 2);
    expect_row(results, 0, "add1");
    expect_row(results, 1, "add2");
    hearth_results_destroy(results);
    ck_assert_int_ne(access("hearth-out", F_OK), 0);
}
END_TEST

START_TEST(rows_of_a_folder)
{
    struct hearth_error err;
    const struct hearth_request request = {.target = "list", .output = "out", .resume = true};
    for (int i = 0; i < 2; i++) { /* the second time they are complete */
        struct hearth_results *results = hearth_run(&request, NULL, &err);
        ck_assert_int_eq(err.status, HEARTH_OK);
        ck_assert_uint_eq(hearth_launches(results), 2);
        expect_row(results, 1, "add2");
        hearth_results_destroy(results);
    }
    struct hearth_results *results = hearth_read("out", &err);
    ck_assert_int_eq(err.status, HEARTH_OK);
    expect_row(results, 0, "add1");
    hearth_results_destroy(results);
    ck_assert_ptr_null(hearth_read("nowhere", &err));
    ck_assert_int_ne(err.status, HEARTH_OK);
}
END_TEST

static void on_progress(void *data, const struct hearth_progress *now)
{
    size_t *launches = data;
    ck_assert_uint_le(now->done, now->launches);
    ck_assert(now->share >= 0 && now->share <= 1);
    *launches = now->launches;
}

START_TEST(hooks_are_told)
{
    struct hearth_error err;
    size_t launches = 0;
    const struct hearth_request request = {
        .target = demo, .launches = "115-118", .warm = "memory:all", .threads = 1};
    const struct hearth_hooks hooks = {.data = &launches, .progress = on_progress};
    hearth_results_destroy(hearth_run(&request, &hooks, &err));
    ck_assert_int_eq(err.status, HEARTH_OK);
    ck_assert_uint_eq(launches, 115 + 116 + 117 + 118);
}
END_TEST

START_TEST(finished_launches_are_kept)
{
    struct hearth_error err;
    const struct hearth_request request = {.target = "short"};
    struct hearth_results *results = hearth_run(&request, NULL, &err);
    ck_assert_int_eq(err.status, HEARTH_TRACE);
    ck_assert_ptr_nonnull(strstr(err.text, "kernel-3.traceg"));
    if (results != NULL)
        expect_row(results, 0, "add1");
    hearth_results_destroy(results);
}
END_TEST

START_TEST(invalid_requests)
{
    struct hearth_error err;
    const char *const card = "gtx9", *const set = "gpgpu_n_clusters=none";
    const struct {
        struct hearth_request request;
        const char *text;
    } cases[] = {
        {{0}, "a workload or a plan is expected"},
        {{.target = "list", .configs = &card, .config_count = 1}, "gtx9"},
        {{.target = "list", .sets = &set, .set_count = 1}, "gpgpu_n_clusters"},
        {{.target = "list", .flush = "l3"}, "l3"},
        {{.target = "list", .launches = "9"}, "9"},
        {{.target = "list", .warm = "hot"}, "hot"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_ptr_null(hearth_run(&cases[i].request, NULL, &err));
        ck_assert_int_eq(err.status, HEARTH_USAGE);
        ck_assert_ptr_nonnull(strstr(err.text, cases[i].text));
        ck_assert_ptr_null(hearth_run(&cases[i].request, NULL, NULL));
    }
}
END_TEST

START_TEST(columns)
{
    ck_assert_uint_eq(hearth_find_column("no such column"), hearth_columns());
    for (size_t i = 0; i < hearth_columns(); i++) {
        ck_assert_uint_eq(hearth_find_column(hearth_column(i).name), i);
        ck_assert_ptr_nonnull(hearth_column(i).unit);
        ck_assert_str_ne(hearth_column(i).description, "");
    }
}
END_TEST

int main(int argc, char **argv)
{
    demo = argc > 1 ? argv[1] : "";
    Suite *suite = suite_create("library");
    TCase *tests = tcase_create("library");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, rows_without_a_folder);
    tcase_add_test(tests, rows_of_a_folder);
    tcase_add_test(tests, hooks_are_told);
    tcase_add_test(tests, finished_launches_are_kept);
    tcase_add_test(tests, invalid_requests);
    tcase_add_test(tests, columns);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
