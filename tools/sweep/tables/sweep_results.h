/* The results of one job, read for the tables. */
#ifndef HEARTH_TOOLS_SWEEP_TABLES_SWEEP_RESULTS_H
#define HEARTH_TOOLS_SWEEP_TABLES_SWEEP_RESULTS_H

#include <stddef.h>
#include <stdint.h>

#include "traces/base/csv/csv_file.h"
#include "traces/base/error.h"

/* The totals in FOLDER: VALUES has a place for each statistic of sweep_columns.h, NaN without
 * it. They are those of the application if the plan was a sample. CORE_MHZ gives seconds to
 * totals without them. *SIMULATED: measured launches. Returns 0, or -1 with ERR filled. */
int sweep_results_totals(const char *folder, double core_mhz, double *values,
                         uint64_t *simulated, struct error *err);

/* Calls TAKE for each launch in FOLDER: the row of kernels.csv, which has at
 * least the columns that all runs show (row_column_shown()), and what the plan scales it by.
 * Stops when TAKE fails. Returns 0, or -1 with ERR filled. */
int sweep_results_rows(const char *folder,
                       int (*take)(void *data, const struct csv_file *row, double scale,
                                   struct error *err),
                       void *data, struct error *err);

#endif
