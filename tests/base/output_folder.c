#include <stdbool.h>
#include <unistd.h>

#include "tests/suite.h"
#include "traces/base/files/output_folder.h"

static char *place, path[2048], other[4096];

static void begin(void)
{
    place = make_folder();
    snprintf(path, sizeof path, "%s/a/out", place);
}

static void end(void)
{
    remove_folder(place);
}

static bool exists(const char *name)
{
    snprintf(other, sizeof other, "%s/%s", path, name);
    return access(other, F_OK) == 0;
}

static void write_file(struct output_folder *folder, const char *name)
{
    struct error err = {0};
    FILE *out = output_folder_open(folder, name, &err);
    ck_assert_msg(out != NULL, "%s", err.text);
    fputs("text\n", out);
    ck_assert_int_eq(output_folder_close(folder, out, &err), 0);
}

START_TEST(folder_is_complete_or_absent)
{
    static const char *const stale[] = {"old", NULL};
    struct output_folder folder;
    struct error err = {0};
    ck_assert_msg(output_folder_init(&folder, path, NULL, &err) == 0, "%s", err.text);
    write_file(&folder, "one");
    ck_assert_int_ne(access(path, F_OK), 0);
    output_folder_finish(&folder); /* given up: nothing stays */
    snprintf(other, sizeof other, "%s/a", place);
    ck_assert_int_eq(rmdir(other), 0);

    ck_assert_int_eq(output_folder_init(&folder, path, NULL, &err), 0);
    write_file(&folder, "one");
    write_file(&folder, "old");
    write_file(&folder, "last");
    ck_assert_int_eq(output_folder_commit(&folder, "last", stale, &err), 0);
    output_folder_finish(&folder);
    ck_assert(exists("one") && exists("old") && exists("last"));

    ck_assert_int_eq(output_folder_init(&folder, path, NULL, &err), 0);
    write_file(&folder, "last");
    ck_assert_int_eq(output_folder_commit(&folder, "last", stale, &err), 0);
    output_folder_finish(&folder);
    ck_assert(exists("one") && !exists("old") && exists("last"));
    snprintf(other, sizeof other, "rmdir %s/a/out.part-* 2>/dev/null", place);
    ck_assert_int_ne(system(other), 0); /* none is left */
}
END_TEST

START_TEST(folder_refuses_a_file)
{
    struct output_folder folder;
    struct error err = {0};
    snprintf(path, sizeof path, "%s/file", place);
    FILE *file = fopen(path, "w");
    fclose(file);
    ck_assert_int_eq(output_folder_init(&folder, path, NULL, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_OUTPUT);
    output_folder_finish(&folder);
}
END_TEST

START_TEST(full_disk_is_an_error)
{
    struct output_folder folder;
    struct error err = {0};
    ck_assert_int_eq(output_folder_init(&folder, path, NULL, &err), 0);
    FILE *full = fopen("/dev/full", "w");
    ck_assert_ptr_nonnull(full);
    fputs("text\n", full);
    ck_assert_int_eq(output_folder_close(&folder, full, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_OUTPUT);
    output_folder_finish(&folder);
}
END_TEST

START_TEST(files_are_not_written_through_links)
{
    struct output_folder folder;
    struct error err = {0};
    char *victim = make_file(place, "victim", "kept", 4), text[8] = "";
    ck_assert_int_eq(output_folder_init(&folder, path, NULL, &err), 0);
    snprintf(other, sizeof other, "%s/one", folder.writing);
    ck_assert_int_eq(symlink(victim, other), 0);
    write_file(&folder, "one");
    ck_assert_int_eq(output_folder_commit(&folder, "one", (const char *const[]){NULL}, &err),
                     0);
    output_folder_finish(&folder);
    FILE *in = fopen(victim, "r");
    ck_assert_uint_eq(fread(text, 1, sizeof text, in), 4);
    ck_assert_str_eq(text, "kept");
    fclose(in);
    free(victim);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("output folder");
    TCase *tests = tcase_create("output folder");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, folder_is_complete_or_absent);
    tcase_add_test(tests, folder_refuses_a_file);
    tcase_add_test(tests, full_disk_is_an_error);
    tcase_add_test(tests, files_are_not_written_through_links);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
