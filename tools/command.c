#include "tools/command.h"

bool command_show(const struct cli_command *command, int id)
{
    if (id == CLI_HELP)
        cli_help(command, stdout);
    else if (id == CLI_VERSION)
        command_version();
    return id == CLI_HELP || id == CLI_VERSION;
}
