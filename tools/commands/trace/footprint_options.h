/* The command line of hearth trace footprint. */
#ifndef HEARTH_TOOLS_COMMANDS_TRACE_FOOTPRINT_OPTIONS_H
#define HEARTH_TOOLS_COMMANDS_TRACE_FOOTPRINT_OPTIONS_H

#include <stdbool.h>

#include "tools/cli/cli.h"
#include "traces/base/ranges.h"
#include "traces/traces.h"

struct footprint_options {
    const char *workload;
    const char *output; /* FILE.csv; NULL: only the table */
    bool force, quiet;
    struct ranges launches;           /* that are shown; none: all */
    double l2;                        /* MiB; 0: no limit */
    struct trace_reuse_limits limits; /* of the column "back" */
    uint64_t resident;                /* as in struct trace_reuse_options */
};

/* Returns as cli_read() does. */
int footprint_options_parse(struct footprint_options *options, int argc, char **argv,
                            struct error *err);
void footprint_options_finish(struct footprint_options *options);

#endif
