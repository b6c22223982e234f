/* A pass over the traces of a workload: what each launch touches, and how much of it other
 * launches have touched. */
#ifndef HEARTH_TOOLS_STUDY_FOOTPRINT_FOOTPRINT_H
#define HEARTH_TOOLS_STUDY_FOOTPRINT_FOOTPRINT_H

#include <stdbool.h>

#include "tools/run/run.h"
#include "tools/study/footprint/footprint_row.h"
#include "traces/base/ranges.h"

/* The column "back" for a cache of 4 MiB, the default of hearth trace footprint. */
#define FOOTPRINT_LIMITS                                                                       \
    {                                                                                          \
        .capacity = (4 << 20) / TRACE_LINE_BYTES, .percentile = 99, .copies_fill = true        \
    }

/* The request. The caller owns all. */
struct footprint_request {
    const char *workload;
    const char *output;     /* FILE.csv, with FILE.sources.csv next to it; NULL: no files */
    bool replace;           /* replace existing files */
    struct ranges launches; /* to be shown; none: all */
    struct trace_reuse_limits limits; /* for the column "back" */
    uint64_t resident;                /* as in struct trace_reuse_options */
    bool no_written;                  /* pass over lines "# written", which are inferred */
    struct progress_hook progress;
    void *data; /* for the next two, which may be NULL */
    /* A launch was read. ROW is complete except for what the next launch touches of it; its
     * sources are only valid during this call. */
    void (*read)(void *data, const struct footprint_row *row);
    /* The row is complete. */
    void (*complete)(void *data, const struct footprint_row *row);
};

struct footprint;

/* Opens the workload and the files. NULL with ERR filled. */
struct footprint *footprint_create(const struct footprint_request *request, struct error *err);
/* Reads the launches up to the one after the last that is shown, and writes the files. TOTALS
 * include all launches that were read. Returns 0, -1, or the exit code after a signal; ERR is
 * then filled. */
int footprint_read(struct footprint *footprint, struct trace_reuse_totals *totals,
                   struct error *err);
/* Accepts NULL. */
void footprint_destroy(struct footprint *footprint);

#endif
