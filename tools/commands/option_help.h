/* What --help-config prints: every option of a configuration, from its table. */
#ifndef HEARTH_TOOLS_COMMANDS_OPTION_HELP_H
#define HEARTH_TOOLS_COMMANDS_OPTION_HELP_H

#include <stdio.h>

#include "traces/base/error.h"

/* Writes name, unit, range, default, where it acts and meaning of the options
 * called NAMES (without or with their dash, or what former versions called them;
 * ends with NULL), or of all options without NAMES. ERROR_USAGE for an unknown
 * name, with the nearest one. */
int option_help(char *const *names, FILE *out, struct error *err);

#endif
