/* hearth diff: comparisons as tables. */
#ifndef HEARTH_TOOLS_COMMANDS_DIFF_DIFF_TABLES_H
#define HEARTH_TOOLS_COMMANDS_DIFF_DIFF_TABLES_H

#include <stdio.h>

#include "tools/commands/diff/diff_runs.h"
#include "tools/report/report_table.h"

/* How many rows tables have at most; 0: all. */
struct diff_limits {
    uint64_t kernels, counters, options;
};

/* What becomes of a table: MORE says what was left out of it, "" for nothing. */
struct diff_sink {
    void (*show)(void *data, const struct report_table *sheet, const char *more);
    void *data;
};

/* Hands SINK the tables that have rows: runs, options, kernels, counters, ratios. Returns 0, or
 * -1 with ERR filled. */
int diff_tables_make(const struct diff_runs *runs, const struct diff_limits *limits,
                     const struct diff_sink *sink, struct error *err);

/* Write all values to OUT. Return 0, or -1 with ERR filled. CSV: one table with a row for each
 * run and value. */
int diff_tables_write_csv(const struct diff_runs *runs, FILE *out, struct error *err);
int diff_tables_write_json(const struct diff_runs *runs, FILE *out, struct error *err);

#endif
