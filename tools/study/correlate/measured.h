/* What hardware measured: a CSV with a row for each launch, in the order of the application.
 *
 * Columns are found by name: the project's own (launch, kernel, grid, app, varies), or those of
 * Nsight Compute's raw page (ID, Kernel Name, Grid Size, metrics by their full names), whose
 * second row holds units. */
#ifndef HEARTH_TOOLS_STUDY_CORRELATE_MEASURED_H
#define HEARTH_TOOLS_STUDY_CORRELATE_MEASURED_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/base/csv/csv_table.h"
#include "traces/base/error.h"

struct measured_launch {
    size_t row;          /* in the table */
    uint64_t launch;     /* its number; the place of its row, from 1, where none is given */
    const char *program; /* "" without a column app */
    const char *kernel;
    uint32_t grid[3];    /* 0: not known */
    double cycles, cold; /* NaN: not known; COLD: with caches flushed before each launch */
    bool varies;         /* its instructions are not those of the trace */
};

/* Owns all. Empty when zeroed. */
struct measured {
    const char *path;
    struct csv_table table;
    struct measured_launch *launches;
    size_t count;
    size_t unusable;   /* rows without a number of cycles above 0, which are no launches here */
    bool has_programs; /* there is a column app */
    const char *metric;      /* the column that `cycles` come from */
    const char *cold_metric; /* NULL: there is none */
};

/* Reads PATH. METRIC: the column with cycles; NULL: the first of sm_cycles,
 * sm__cycles_active.max, or WITH_LAUNCH gpc_cycles, gpc__cycles_elapsed.max, cycles. Returns 0,
 * or -1 with ERR filled; measured_finish() either way. */
int measured_read(struct measured *measured, const char *path, const char *metric,
                  bool with_launch, struct error *err);
void measured_finish(struct measured *measured);

/* The number in a cell, with or without grouped digits; NaN: there is none. */
double measured_number(const struct csv_table *table, size_t row, size_t column);

/* Whether a launch is of PROGRAM: any, if the table has no column for it. */
bool measured_of_program(const struct measured_launch *launch, const char *program);

/* The name of the program in the table whose workload or results PATH are: the last part up to
 * its first dot. The caller frees it; NULL without memory. */
char *measured_program_name(const char *path);

#endif
