/* Tables of a selection. */
#ifndef HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_TABLE_H
#define HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_TABLE_H

#include <stdio.h>

#include "sampling/sampling.h"

/* Writes the strata as CSV, one row per representative; docs/sampling.md explains the
 * columns. */
int sample_table_write(const struct sampling *selection, FILE *out, struct error *err);

/* Writes a short summary: launches, strata, representatives, savings. */
void sample_table_summary(const struct sampling *selection,
                          const struct sampling_options *options, FILE *out);

#endif
