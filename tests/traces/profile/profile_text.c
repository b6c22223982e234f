#define _GNU_SOURCE /* fmemopen */
#include "tests/traces/profile/profile_text.h"

#include <stdio.h>
#include <string.h>

struct profile *read_text(const char *text, struct error *err)
{
    FILE *in = fmemopen((void *)text, strlen(text), "rb");
    ck_assert_ptr_nonnull(in);
    struct profile *profile = profile_read(in, "p.csv", err);
    fclose(in);
    return profile;
}

struct profile *must_read(const char *text)
{
    struct error err = {0};
    struct profile *profile = read_text(text, &err);
    ck_assert_msg(profile != NULL, "%s", err.text);
    return profile;
}

void assert_fails(const char *text, const char *message)
{
    struct error err = {0};
    ck_assert_ptr_null(read_text(text, &err));
    ck_assert_int_eq(err.kind, ERROR_TRACE);
    ck_assert_str_eq(err.text, message);
}
