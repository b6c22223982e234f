/* correction.csv: the terms of each launch's correction. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_CORRECTION_TABLE_H
#define HEARTH_TOOLS_RUN_RESULTS_CORRECTION_TABLE_H

#include <stdio.h>

#include "tools/run/results/row.h"

/* Writes correction.csv: the line with the names of the columns, and one for ROW if it was
 * corrected. A term that the formula does not have is empty. */
void correction_table_write_head(FILE *out);
void correction_table_write(const struct row *row, const struct correction_kind *kind,
                            FILE *out);

#endif
