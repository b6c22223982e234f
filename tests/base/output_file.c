#define _GNU_SOURCE /* asprintf */
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/suite.h"
#include "traces/base/files/output_files.h"

static char *place, *path, *part;

static void begin(void)
{
    place = make_folder();
    ck_assert_int_gt(asprintf(&path, "%s/out", place), 0);
    ck_assert_int_gt(asprintf(&part, "%s/out.part", place), 0);
}

static void end(void)
{
    free(path);
    free(part);
    remove_folder(place);
}

/* That the file at NAME holds TEXT; NULL: that nothing is there. */
static void expect(const char *name, const char *text)
{
    char got[64] = "";
    struct stat status;
    if (text == NULL) {
        ck_assert_int_ne(lstat(name, &status), 0);
        return;
    }
    FILE *in = fopen(name, "r");
    ck_assert_msg(in != NULL, "%s", name);
    ck_assert_uint_eq(fread(got, 1, sizeof got - 1, in), strlen(text));
    ck_assert_str_eq(got, text);
    fclose(in);
}

static void write_text(struct output_file *output, const char *text)
{
    struct error err = {0};
    ck_assert_msg(output_file_open(output, path, NULL, true, &err) == 0, "%s", err.text);
    fputs(text, output->file);
}

START_TEST(file_is_complete_or_as_it_was)
{
    struct output_file output = {0};
    struct error err = {0};
    write_text(&output, "new");
    expect(path, NULL);
    output_file_finish(&output); /* given up: nothing stays */
    expect(part, NULL);

    write_text(&output, "new");
    ck_assert_int_eq(output_file_commit(&output, &err), 0);
    expect(path, "new");
    expect(part, NULL);

    write_text(&output, "newer");
    expect(path, "new");
    output_file_finish(&output);
    expect(path, "new");

    write_text(&output, "newer");
    ck_assert_int_eq(output_file_close(&output, &err), 0);
    expect(path, "new");
    ck_assert_int_eq(output_file_commit(&output, &err), 0);
    expect(path, "newer");
    output_file_finish(&output);
}
END_TEST

START_TEST(what_is_there_is_checked)
{
    struct output_file output = {0};
    struct error err = {0};
    write_text(&output, "old");
    ck_assert_int_eq(output_file_commit(&output, &err), 0);
    ck_assert_int_eq(output_file_open(&output, path, NULL, false, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_OUTPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "out: it exists already"));
    err = (struct error){0};
    ck_assert_int_eq(output_file_open(&output, place, NULL, true, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "it exists and is no regular file"));
    expect(path, "old");
}
END_TEST

START_TEST(links_are_not_followed)
{
    struct output_file output = {0};
    struct error err = {0};
    char *victim = make_file(place, "victim", "kept", 4);
    ck_assert_int_eq(symlink(victim, part), 0);
    write_text(&output, "new");
    ck_assert_int_eq(output_file_commit(&output, &err), 0);
    expect(victim, "kept");
    expect(path, "new");
    struct stat status;
    ck_assert_int_eq(lstat(path, &status), 0);
    ck_assert(S_ISREG(status.st_mode));

    ck_assert_int_eq(link(victim, part), 0); /* nor hard ones */
    write_text(&output, "newer");
    output_file_finish(&output);
    expect(victim, "kept");
    free(victim);
}
END_TEST

START_TEST(part_that_is_replaced_is_an_error)
{
    struct output_file output = {0};
    struct error err = {0};
    write_text(&output, "new");
    ck_assert_int_eq(unlink(part), 0);
    ck_assert_int_eq(symlink("/etc/passwd", part), 0);
    ck_assert_int_eq(output_file_commit(&output, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "another process replaced"));
    output_file_finish(&output);
    expect(path, NULL);
    ck_assert_int_eq(unlink(part), 0); /* it is not ours */
}
END_TEST

START_TEST(errors_name_the_file_and_the_cause)
{
    struct output_file output = {0};
    struct error err = {0};
    ck_assert_int_eq(mkdir(part, 0700), 0);
    ck_assert_int_eq(output_file_open(&output, path, NULL, true, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "/out: cannot write: "));
    ck_assert_int_eq(rmdir(part), 0);

    err = (struct error){0};
    write_text(&output, "new");
    FILE *full = fopen("/dev/full", "w"), *file = output.file;
    ck_assert_int_eq(dup2(fileno(full), fileno(file)), fileno(file));
    fclose(full);
    fputs("more", file);
    ck_assert_int_eq(output_file_commit(&output, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "/out: cannot write: No space left on device"));
    output_file_finish(&output);
    expect(path, NULL);
}
END_TEST

START_TEST(parts_may_be_kept)
{
    struct output_file output = {.keep = true};
    write_text(&output, "half");
    output_file_finish(&output);
    expect(part, "half");
    expect(path, NULL);
    struct error err = {0};
    char *own;
    ck_assert_int_gt(asprintf(&own, "%s-1", part), 0);
    ck_assert_int_eq(output_file_open(&output, path, own, true, &err), 0);
    expect(own, "");
    output_file_finish(&output);
    expect(own, NULL);
    free(own);
}
END_TEST

static int refuse(void *data, const char *name, struct error *err)
{
    return strcmp(name, data) != 0 ? 0 : error_set(err, ERROR_USAGE, name, 0, 0, "is read");
}

START_TEST(files_together)
{
    struct output_files outputs = {.check = refuse, .data = part};
    struct error err = {0};
    ck_assert_int_eq(output_files_open(&outputs, 0, path, "", true, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    err = (struct error){0};
    outputs.check = NULL;
    char *csv, *other;
    ck_assert_int_gt(asprintf(&csv, "%s.CSV", path), 0);
    ck_assert_int_gt(asprintf(&other, "%s.more.csv", path), 0);
    ck_assert_int_eq(output_files_open(&outputs, 0, csv, "", false, &err), 0);
    ck_assert_int_eq(output_files_open(&outputs, 3, csv, ".more.csv", false, &err), 0);
    ck_assert_int_eq(output_files_open_one(&outputs, 2, "-", false, &err), 0);
    ck_assert_ptr_eq(outputs.files[2].file, stdout);
    fputs("a", outputs.files[0].file);
    fputs("b", outputs.files[3].file);
    ck_assert_int_eq(output_files_commit(&outputs, &err), 0);
    output_files_finish(&outputs);
    expect(csv, "a");
    expect(other, "b");
    free(csv);
    free(other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("output files");
    TCase *tests = tcase_create("output files");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, file_is_complete_or_as_it_was);
    tcase_add_test(tests, what_is_there_is_checked);
    tcase_add_test(tests, links_are_not_followed);
    tcase_add_test(tests, part_that_is_replaced_is_an_error);
    tcase_add_test(tests, errors_name_the_file_and_the_cause);
    tcase_add_test(tests, parts_may_be_kept);
    tcase_add_test(tests, files_together);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
