/* What main() of every suite ends with. */
#ifndef HEARTH_TESTS_SUITE_H
#define HEARTH_TESTS_SUITE_H

#include <check.h>

/* Runs SUITE, as loud as the environment says (CK_VERBOSITY), and frees it. Returns the exit status: 0 when all of it passed. */
static inline int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

#endif
