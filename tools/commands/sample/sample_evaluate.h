/* hearth sample --evaluate: compares methods with the cycles of all launches. */
#ifndef HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_EVALUATE_H
#define HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_EVALUATE_H

#include <stdio.h>

#include "tools/commands/sample/sample_options.h"

/* Tries every combination of profile, method, values of its options and seed in ARGUMENTS.
 * Each becomes a row of CSV or, if that is NULL, of a table on standard output. With "all"
 * methods, those for which a profile lacks something get a row that says what. */
int sample_evaluate(const struct sample_arguments *arguments, FILE *csv, struct error *err);

#endif
