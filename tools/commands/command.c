#include "tools/commands/command.h"

#include <stdio.h>
#include <string.h>

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

static void show_group(const struct command_group *group)
{
    printf("usage: hearth %s SUBCOMMAND [ARGUMENT]...\n\n%s\n\n", group->name, group->about);
    for (size_t i = 0; i < group->count; i++)
        printf("  %-10s %s\n", group->parts[i].name, group->parts[i].help);
    printf("\nhearth %s SUBCOMMAND --help shows its options.\n", group->name);
}

int command_choose(const struct command_group *group, int argc, char **argv, struct error *err)
{
    if (argc < 2)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "%s: no subcommand; see hearth %s --help", group->name, group->name);
    for (size_t i = 0; i < group->count; i++)
        if (strcmp(group->parts[i].name, argv[1]) == 0)
            return group->parts[i].run(argc - 1, argv + 1, err);
    if (strcmp(argv[1], "--help") == 0)
        show_group(group);
    else if (strcmp(argv[1], "--version") == 0)
        command_version();
    else
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "%s: \"%s\" is not a subcommand; see hearth %s --help", group->name,
                         argv[1], group->name);
    return 0;
}
