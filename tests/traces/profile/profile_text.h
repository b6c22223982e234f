/* Profiles out of texts. */
#ifndef HEARTH_TESTS_TRACES_PROFILE_PROFILE_TEXT_H
#define HEARTH_TESTS_TRACES_PROFILE_PROFILE_TEXT_H

#include "tests/traces/support.h"

/* The profile that TEXT is, as "p.csv"; NULL on error. */
struct profile *read_text(const char *text, struct error *err);
/* The same; fails the test on error. */
struct profile *must_read(const char *text);
/* TEXT is refused with MESSAGE. */
void assert_fails(const char *text, const char *message);

#endif
