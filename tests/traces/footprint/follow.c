#define _GNU_SOURCE /* asprintf */
#include "tests/traces/footprint/follow.h"

#include <stdio.h>

struct trace_footprint follow(struct trace_reuse *reuse, const char *count, const char *lines)
{
    struct error err = {0};
    struct trace_footprint footprint;
    char *text;
    ck_assert_int_ge(asprintf(&text, "%s" BLOCK("0,0,0", "warp = 0\ninsts = %s\n%s\n"), HEADER,
                              count, lines),
                     0);
    struct trace_kernel *kernel = open_text(text, NULL);
    int rc = trace_reuse_launch(reuse, kernel, NULL, &footprint, &err);
    ck_assert_msg(rc == 0, "%s", err.text);
    trace_kernel_close(kernel);
    free(text);
    return footprint;
}

struct trace_reuse *create(uint64_t resident)
{
    struct error err = {0};
    const struct trace_reuse_options options = {true, resident, true};
    struct trace_reuse *reuse = trace_reuse_create(&options, &err);
    ck_assert_ptr_nonnull(reuse);
    return reuse;
}
