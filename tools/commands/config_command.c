/* hearth config: shows and checks configurations. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/config.h"
#include "sim/sim.h"
#include "tools/cli/cli.h"
#include "tools/commands/cards.h"
#include "tools/commands/command.h"
#include "tools/commands/option_help.h"
#include "tools/run/values/value_lists.h"
#include "traces/base/spelling.h"
#include "traces/base/visible.h"

struct config_arguments {
    const char **configs, **sets;
    size_t config_count, set_count;
};

static int show_help(char **operands, struct error *err)
{
    return option_help(operands, stdout, err);
}

#define DEFAULT_CARD "rtx3070"

#define LIST_AT(list, many) CLI_LIST_AT(struct config_arguments, list, many)

static const struct cli_option table[] = {
    {'c', "config", "CONFIG",
     "for show: bundled name or option file; several add up, the later "
     "one wins",
     CLI_LIST, LIST_AT(configs, config_count), .otherwise = DEFAULT_CARD,
     .values = value_lists_cards},
    {0, "set", "NAME=VALUE", "for show and check: set one option; wins over files", CLI_LIST,
     LIST_AT(sets, set_count), .values = value_lists_options},
    {0, "help-config", NULL, "as help", CLI_SHOW, .values = value_lists_option_names,
     .show = show_help},
};

static void list_actions(FILE *out)
{
    fputs("\nshow: print the effective configuration"
          "\ncheck: say what is wrong with option files"
          "\nlist: print the bundled configurations"
          "\nhelp: print what options mean",
          out);
}

static void list_names(const char *action, FILE *out)
{
    if (strcmp(action, "help") == 0)
        value_lists_option_names(out);
    else if (strcmp(action, "check") == 0)
        value_lists_cards(out);
}

static const struct cli_command command = {
    "hearth config",
    "show [-c CONFIG]... [--set NAME=VALUE]...\n"
    "check [--set NAME=VALUE]... FILE...\n"
    "list\n"
    "help [NAME]...",
    "show   prints the effective configuration; it can be fed back with -c\n"
    "check  reads option files or bundled names and says what is wrong with each,\n"
    "       and which of its options have no effect in this model or occur twice;\n"
    "       with --set, as if each file ended with these values\n"
    "list   prints the bundled configurations: SMs, clocks, L2, memory bandwidth,\n"
    "       and whether they have been compared with the hardware\n"
    "help   prints what options mean, all or those called NAME: unit, range,\n"
    "       default, and where they act",
    table,
    sizeof table / sizeof table[0],
    .values = list_actions,
    .later_values = list_names,
    .has_help = true,
};

/* ACTION does not use OPTION, which was given COUNT times. */
static int refuse(const char *action, const char *option, size_t count, struct error *err)
{
    if (count == 0)
        return 0;
    return error_set(err, ERROR_USAGE, NULL, 0, 0, "config %s takes no --%s", action, option);
}

static int show(const struct config_arguments *arguments, char **operands, struct error *err)
{
    const char *card = DEFAULT_CARD;
    if (operands[0] != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "config show takes no \"%s\"; a configuration is given with -c",
                         operands[0]);
    struct sim_config *config =
        sim_config_create(arguments->config_count > 0 ? arguments->configs : &card,
                          arguments->config_count > 0 ? (unsigned)arguments->config_count : 1,
                          arguments->sets, (unsigned)arguments->set_count, NULL, NULL, err);
    if (config == NULL)
        return -1;
    sim_config_print(config, stdout);
    sim_config_destroy(config);
    return 0;
}

static void print_note(void *data, const char *text)
{
    fputs("note: ", stdout);
    visible_print(text, stdout);
    putchar('\n');
}

static int check_file(const struct config_arguments *arguments, const char *file,
                      struct error *err)
{
    struct sim_config *config = sim_config_create(
        &file, 1, arguments->sets, (unsigned)arguments->set_count, print_note, NULL, err);
    if (config == NULL)
        return -1;
    struct error limit = {ERROR_NONE, ""};
    int status = sim_check(config, &limit);
    sim_config_destroy(config);
    if (status != 0)
        return error_set(err, limit.kind, file, 0, 0, "%s", limit.text);
    printf("%s: no errors\n", file);
    return 0;
}

/* All files are checked, even after errors. */
static int check(const struct config_arguments *arguments, char **operands, struct error *err)
{
    if (operands[0] == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "config check: no file given");
    if (arguments->config_count > 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "config check takes no --config; files are given without an option");
    if (operands[1] == NULL)
        return check_file(arguments, operands[0], err);
    unsigned files = 0, wrong = 0;
    for (; operands[files] != NULL; files++) {
        struct error one = {ERROR_NONE, ""};
        if (check_file(arguments, operands[files], &one) == 0)
            continue;
        printf("error: %s\n", one.text);
        wrong++;
    }
    if (wrong > 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "%u of %u files have errors", wrong,
                         files);
    return 0;
}

static int list(const struct config_arguments *arguments, char **operands, struct error *err)
{
    if (operands[0] != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "config list takes no \"%s\"",
                         operands[0]);
    if (refuse("list", "config", arguments->config_count, err) != 0 ||
        refuse("list", "set", arguments->set_count, err) != 0)
        return -1;
    return cards_list(stdout, err);
}

static int help(const struct config_arguments *arguments, char **operands, struct error *err)
{
    if (refuse("help", "config", arguments->config_count, err) != 0 ||
        refuse("help", "set", arguments->set_count, err) != 0)
        return -1;
    return show_help(operands, err);
}

static const struct {
    const char *name;
    int (*run)(const struct config_arguments *arguments, char **operands, struct error *err);
} actions[] = {{"show", show}, {"check", check}, {"list", list}, {"help", help}};

static int act(void *arguments, char **operands, struct error *err)
{
    if (operands[0] == NULL)
        return error_set(
            err, ERROR_USAGE, NULL, 0, 0,
            "config: expected show, check, list or help; see hearth config --help");
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(actions[i].name, operands[0]) == 0)
            return actions[i].run(arguments, operands + 1, err);
    char hint[SPELLING_HINT] = "";
    struct spelling_guess guess = spelling_guess(operands[0]);
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        spelling_consider(&guess, actions[i].name);
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "config: \"%s\" is not show, check, list or help%s", operands[0],
                     spelling_hint(&guess, "", hint));
}

int command_config(int argc, char **argv, struct error *err)
{
    struct config_arguments arguments = {0};
    return cli_run(&command, argc, argv, &arguments, act, err);
}
