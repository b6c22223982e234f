/* What the suites of footprints share. */
#ifndef HEARTH_TESTS_TRACES_FOOTPRINT_FOLLOW_H
#define HEARTH_TESTS_TRACES_FOOTPRINT_FOLLOW_H

#include "tests/traces/support.h"
#include "traces/footprint.h"

/* With addresses and what nobody has written; RESIDENT as in the options. */
struct trace_reuse *create(uint64_t resident);
/* Follows the launch whose only warp executes COUNT lines LINES. */
struct trace_footprint follow(struct trace_reuse *reuse, const char *count, const char *lines);

#endif
