/* The table only: tests link one of their own instead (tests/traces/new_reader.c). */
#include "traces/readers/reader.h"

const struct policy *const trace_readers[] = {
#define READER(name) &trace_reader_##name.policy,
#include "traces/readers/readers.def"
    NULL,
};
