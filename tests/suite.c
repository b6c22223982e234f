#define _GNU_SOURCE /* asprintf */
#include "tests/suite.h"

#include <ftw.h>
#include <stdio.h>

int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

int suite_run_tests(const char *name, const TTest *const *tests, size_t count,
                    const TTest *const *loops, size_t loop_count, int end)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(tcase, tests[i]);
    for (size_t i = 0; i < loop_count; i++)
        tcase_add_loop_test(tcase, loops[i], 0, end);
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}

char *make_folder(void)
{
    const char *base = getenv("TMPDIR");
    char *folder;
    ck_assert_int_ge(asprintf(&folder, "%s/hearth-test-XXXXXX", base ? base : "/tmp"), 0);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    return folder;
}

char *make_file(const char *folder, const char *name, const void *data, size_t size)
{
    char *path;
    ck_assert_int_ge(asprintf(&path, "%s/%s", folder, name), 0);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(data, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
    return remove(path);
}

void remove_folder(char *folder)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(folder);
}
