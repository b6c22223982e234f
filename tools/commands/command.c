#include "tools/commands/command.h"

#include <stdio.h>
#include <string.h>

#include "traces/base/process/terminal.h"
#include "traces/base/spelling.h"

/* "hearth" or "hearth trace". */
static void print_name(const struct command_group *group, FILE *out)
{
    fprintf(out, "hearth%s%s", group->name != NULL ? " " : "",
            group->name != NULL ? group->name : "");
}

static const char *word_for(const struct command_group *group)
{
    return group->name != NULL ? "subcommand" : "command";
}

static void show_group(const struct command_group *group)
{
    const char *word = group->name != NULL ? "SUBCOMMAND" : "COMMAND";
    const char *begin = terminal_begin(stdout, TERMINAL_HEADING), *end = terminal_end(stdout);
    printf("%susage:%s ", begin, end);
    print_name(group, stdout);
    printf(" %s [ARGUMENT]...\n\n%s\n\n", word, group->about);
    for (size_t i = 0; i < group->count; i++)
        printf("  %s%-10s%s %s\n", begin, group->parts[i].name, end, group->parts[i].help);
    putchar('\n');
    print_name(group, stdout);
    printf(" %s --help shows its options.\n%s", word, group->more != NULL ? group->more : "");
}

static const struct command_part *find_part(const struct command_group *group, const char *name)
{
    for (size_t i = 0; i < group->count; i++)
        if (strcmp(group->parts[i].name, name) == 0)
            return &group->parts[i];
    return NULL;
}

static int unknown(const struct command_group *group, const char *name, struct error *err)
{
    char hint[SPELLING_HINT], help[64];
    struct spelling_guess guess = spelling_guess(name);
    const char *own = group->name != NULL ? group->name : "";
    for (size_t i = 0; i < group->count; i++)
        spelling_consider(&guess, group->parts[i].name);
    spelling_consider(&guess, "--help");
    spelling_consider(&guess, "--version");
    snprintf(help, sizeof help, "; see hearth%s%s --help", own[0] != '\0' ? " " : "", own);
    return error_set(err, ERROR_USAGE, NULL, 0, 0, "%s%s\"%s\" is not a %s%s", own,
                     own[0] != '\0' ? ": " : "", name, word_for(group),
                     guess.name != NULL ? spelling_hint(&guess, "", hint) : help);
}

/* "help [PART [SUBPART]]": the help of a part, as its own --help. */
static int help(const struct command_group *group, int argc, char **argv, struct error *err)
{
    char option[] = "--help";
    if (argc < 2 || strcmp(argv[1], "help") == 0) {
        show_group(group);
        return 0;
    }
    const struct command_part *part = find_part(group, argv[1]);
    if (part == NULL)
        return unknown(group, argv[1], err);
    char *words[] = {argv[1], argc > 2 ? argv[2] : option, argc > 2 ? option : NULL, NULL};
    return part->run(argc > 2 ? 3 : 2, words, err);
}

/* Candidates for the last of the COUNT words after WORDS[-1], which is CLI_COMPLETION. */
static int complete(const struct command_group *group, int count, char **words,
                    struct error *err)
{
    if (count > 1 && strcmp(words[0], "help") == 0) {
        words[0] = words[-1];
        return complete(group, count - 1, words + 1, err);
    }
    if (count > 1) {
        const struct command_part *part = find_part(group, words[0]);
        char *mark = words[-1];
        words[-1] = words[0];
        words[0] = mark;
        return part != NULL ? part->run(count + 1, words - 1, err) : 0;
    }
    for (size_t i = 0; count == 1 && i < group->count; i++)
        cli_candidate(words[0], group->parts[i].name, group->parts[i].help, stdout);
    if (count == 1) {
        cli_candidate(words[0], "help", "show the help of a command", stdout);
        cli_candidate(words[0], "--help", "show the commands", stdout);
        cli_candidate(words[0], "--version", "show the version", stdout);
    }
    return 0;
}

int command_choose(const struct command_group *group, int argc, char **argv, struct error *err)
{
    const char *own = group->name != NULL ? group->name : "";
    if (argc < 2)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "%s%sno %s; see hearth%s%s --help", own,
                         own[0] != '\0' ? ": " : "", word_for(group), own[0] != '\0' ? " " : "",
                         own);
    if (strcmp(argv[1], CLI_COMPLETION) == 0)
        return complete(group, argc - 2, argv + 2, err);
    const struct command_part *part = find_part(group, argv[1]);
    if (part != NULL)
        return part->run(argc - 1, argv + 1, err);
    if (strcmp(argv[1], "help") == 0)
        return help(group, argc - 1, argv + 1, err);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        show_group(group);
    else if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        cli_print_version();
    else
        return unknown(group, argv[1], err);
    return 0;
}
