#include "tools/command.h"

bool command_show(const struct cli_command *command, int id)
{
    if (id == CLI_HELP)
        cli_help(command, stdout);
    else if (id == CLI_VERSION)
        command_version();
    return id == CLI_HELP || id == CLI_VERSION;
}

bool command_take(const struct cli_command *command, struct command_common *common, int id,
                  const char *value)
{
    if (id == 'o')
        common->output = value;
    else if (id == 'f')
        common->force = true;
    else if (id == 'q')
        common->quiet = true;
    else
        return common->shown = command_show(command, id);
    return true;
}
