/* Tables of a selection. */
#ifndef HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_TABLE_H
#define HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_TABLE_H

#include <stdio.h>

#include "sampling/sampling.h"

/* Writes the strata as CSV, a row a representative; docs/sampling.md says what
 * the columns are. */
int sample_table_write(const struct sampling *selection, FILE *out, struct error *err);

/* Writes a few lines: launches, strata, representatives, what is saved. */
void sample_table_summary(const struct sampling *selection,
                          const struct sampling_options *options, FILE *out);

#endif
