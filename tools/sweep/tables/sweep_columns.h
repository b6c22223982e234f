/* The columns of the tables of a sweep. */
#ifndef HEARTH_TOOLS_SWEEP_TABLES_SWEEP_COLUMNS_H
#define HEARTH_TOOLS_SWEEP_TABLES_SWEEP_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether NAME is a column of a table: no axis may be called so. */
bool sweep_columns_taken(const char *name);

/* The statistics that have totals: those of samples (tools/run/results/extrapolation.h). */
size_t sweep_columns_total_count(void);
const char *sweep_columns_total_name(size_t index);
/* The index of NAME; SIZE_MAX if there is none. */
size_t sweep_columns_total(const char *name);

#endif
