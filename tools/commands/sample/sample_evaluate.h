/* hearth sample --evaluate: methods against the cycles of all launches. */
#ifndef HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_EVALUATE_H
#define HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_EVALUATE_H

#include <stdio.h>

#include "tools/commands/sample/sample_options.h"

/* Tries every combination of profile, method, value of its options and seed
 * that ARGUMENTS list. A row each goes to CSV, or without one (NULL) as a table to
 * standard output. Of "all" methods those that a profile lacks something for get
 * a row that says what. */
int sample_evaluate(const struct sample_arguments *arguments, FILE *csv, struct error *err);

#endif
