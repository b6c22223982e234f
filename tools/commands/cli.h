/* Command lines from tables: parsing, and the help that shows the same table. */
#ifndef HEARTH_TOOLS_COMMANDS_CLI_H
#define HEARTH_TOOLS_COMMANDS_CLI_H

#include <stddef.h>
#include <stdio.h>

#include "traces/base/error.h"

/* Every command has these two; cli_next() returns them as any other. */
enum { CLI_HELP = 256, CLI_VERSION, CLI_OWN };

struct cli_option {
    int id;               /* its letter, or CLI_OWN and up for one without */
    const char *name;     /* long name; NULL for none */
    const char *argument; /* what stands for its value in the help; NULL: none */
    const char *help;     /* further lines after '\n' */
};

struct cli_command {
    const char *name;    /* "hearth run" */
    const char *usage;   /* what follows the name; further lines after '\n' */
    const char *summary; /* a sentence */
    const struct cli_option *options;
    size_t count;
};

#define CLI_OPTIONS 64

/* Starts over with a new command line. */
void cli_begin(void);
/* The id of the next option of ARGV with *VALUE set; -1 after the last, with
 * optind at the first operand; '?' with ERR filled. */
int cli_next(const struct cli_command *command, int argc, char **argv, const char **value,
             struct error *err);

void cli_help(const struct cli_command *command, FILE *out);

#endif
