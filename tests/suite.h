/* What all suites of unit tests share: main()'s work, and folders for temporary files. */
#ifndef HEARTH_TESTS_SUITE_H
#define HEARTH_TESTS_SUITE_H

#include <check.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Runs SUITE, as loud as the environment says (CK_VERBOSITY), and frees it. Returns the exit
 * status of the program: 0 when all tests passed. */
int suite_run(Suite *suite);

/* The same for a suite of one case. Each of LOOPS runs for _i from 0 to END - 1. */
int suite_run_tests(const char *name, const TTest *const *tests, size_t count,
                    const TTest *const *loops, size_t loop_count, int end);
#define RUN_TESTS(name, tests)                                                                 \
    suite_run_tests(name, tests, sizeof(tests) / sizeof *(tests), NULL, 0, 0)
#define RUN_LOOPS(name, tests, loops, end)                                                     \
    suite_run_tests(name, tests, sizeof(tests) / sizeof *(tests), loops,                       \
                    sizeof(loops) / sizeof *(loops), end)

/* A new folder in $TMPDIR, and the path of a new file in it; both are to be freed, the folder
 * by remove_folder(), which removes all that is in it, too. */
char *make_folder(void);
char *make_file(const char *folder, const char *name, const void *data, size_t size);
void remove_folder(char *folder);

#endif
