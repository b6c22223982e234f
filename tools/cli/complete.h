/* What may come next on a command line: for shells. Only tools/cli uses this header. */
#ifndef HEARTH_TOOLS_CLI_COMPLETE_H
#define HEARTH_TOOLS_CLI_COMPLETE_H

#include "tools/cli/cli.h"

/* The option number INDEX of COMMAND, --help and --version last; NULL after these. */
const struct cli_option *cli_option_at(const struct cli_command *command, size_t index);

/* Prints what the last of WORDS, which end with NULL, may become: one candidate a line, a tab
 * and its description. WORDS follow the command's name; the last one may be empty. Prints
 * nothing where a file is expected. */
void cli_complete(const struct cli_command *command, char **words, FILE *out);

#endif
