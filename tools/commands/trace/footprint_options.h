/* The command line of hearth trace footprint. */
#ifndef HEARTH_TOOLS_COMMANDS_TRACE_FOOTPRINT_OPTIONS_H
#define HEARTH_TOOLS_COMMANDS_TRACE_FOOTPRINT_OPTIONS_H

#include <stdbool.h>

#include "tools/commands/command.h"
#include "traces/base/ranges.h"
#include "traces/traces.h"

struct footprint_options {
    const char *workload;
    struct command_common common;     /* output: FILE.csv; NULL: only the table */
    bool choose;                      /* --launches was given */
    struct ranges ranges;             /* its launches */
    struct trace_reuse_limits limits; /* of the column "back" */
    uint64_t resident;                /* as in struct trace_reuse_options */
};

/* Returns 0, or -1 with ERR filled. */
int footprint_options_parse(struct footprint_options *options, int argc, char **argv,
                            struct error *err);
void footprint_options_finish(struct footprint_options *options);

#endif
