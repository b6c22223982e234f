/* hearth diff: comparisons as tables. */
#ifndef HEARTH_TOOLS_COMMANDS_DIFF_DIFF_TABLES_H
#define HEARTH_TOOLS_COMMANDS_DIFF_DIFF_TABLES_H

#include <stdio.h>

#include "tools/commands/diff/diff_runs.h"

/* How many rows tables have at most; 0: all. */
struct diff_limits {
    uint64_t kernels, counters, options;
};

/* Write all to OUT. Return 0, or -1 with ERR filled. */
int diff_tables_write_text(const struct diff_runs *runs, const struct diff_limits *limits,
                           FILE *out, struct error *err);
/* One table: a row for each run and value. */
int diff_tables_write_csv(const struct diff_runs *runs, FILE *out, struct error *err);
int diff_tables_write_json(const struct diff_runs *runs, FILE *out, struct error *err);

#endif
