/* The output of --help-config: every option of a configuration, from its table. */
#ifndef HEARTH_TOOLS_COMMANDS_OPTION_HELP_H
#define HEARTH_TOOLS_COMMANDS_OPTION_HELP_H

#include <stdio.h>

#include "traces/base/error.h"

/* Writes name, unit, range, default, place and meaning of the options called NAMES, or of all
 * options without NAMES. NAMES ends with NULL; a name may have its dash, and may be a former
 * name. ERROR_USAGE for an unknown name, with the nearest known one. */
int option_help(char *const *names, FILE *out, struct error *err);

/* Candidates for a name that begins with START, as cli_candidate() prints them. */
void option_help_candidates(const char *start, FILE *out);

#endif
