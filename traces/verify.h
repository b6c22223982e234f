/* What is wrong with a workload. Included by traces.h. */
#ifndef HEARTH_TRACES_VERIFY_H
#define HEARTH_TRACES_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/base/error.h"

/* One thing that was found. */
struct trace_finding {
    bool error;       /* readers refuse it or read it wrongly; else worth knowing */
    const char *text; /* "file:line: what", one line, until the call returns */
};

struct trace_verify {
    void (*found)(void *data, const struct trace_finding *finding);
    void *data;
    /* Set: what was looked at. */
    uint64_t launches, blocks, records, errors, notes;
    struct error no_memory; /* private */
};

/* Reads all of the workload at PATH, as trace_workload_open() takes it, and
 * calls `found` for each problem; continues after errors where it can.
 * Returns 0, or -1 when memory ran out. */
int trace_verify_workload(const char *path, struct trace_verify *verify, struct error *err);

#endif
