#include "tools/commands/command.h"

#include <stdio.h>
#include <string.h>

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
        cli_print_version();
    else
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "%s: \"%s\" is not a subcommand; see hearth %s --help", group->name,
                         argv[1], group->name);
    return 0;
}
