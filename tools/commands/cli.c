#include "tools/commands/cli.h"

#include <getopt.h>
#include <string.h>

static const struct cli_option common[] = {
    {CLI_HELP, "help", NULL, "show this help"},
    {CLI_VERSION, "version", NULL, "show the version"},
};
#define COMMON (sizeof common / sizeof common[0])

void cli_begin(void)
{
    optind = 0; /* glibc: scan from the start, forget where it was in a cluster */
    opterr = 0;
}

/* What getopt_long() wants to have. */
struct getopt_tables {
    char letters[3 * CLI_OPTIONS + 2];
    struct option longs[CLI_OPTIONS + COMMON + 1];
};

static void add(struct getopt_tables *tables, size_t *longs, const struct cli_option *option)
{
    if (option->id < CLI_HELP) {
        char letter[3] = {(char)option->id, option->argument != NULL ? ':' : '\0', '\0'};
        strcat(tables->letters, letter);
    }
    if (option->name != NULL)
        tables->longs[(*longs)++] = (struct option){
            option->name, option->argument != NULL ? required_argument : no_argument, NULL,
            option->id};
}

static void make_tables(const struct cli_command *command, struct getopt_tables *tables)
{
    size_t longs = 0;
    *tables = (struct getopt_tables){.letters = ":"};
    for (size_t i = 0; i < command->count && i < CLI_OPTIONS; i++)
        add(tables, &longs, &command->options[i]);
    for (size_t i = 0; i < COMMON; i++)
        add(tables, &longs, &common[i]);
}

int cli_next(const struct cli_command *command, int argc, char **argv, const char **value,
             struct error *err)
{
    struct getopt_tables tables;
    make_tables(command, &tables);
    int at = optind == 0 ? 1 : optind;
    int id = getopt_long(argc, argv, tables.letters, tables.longs, NULL);
    *value = optarg;
    if (id != '?' && id != ':')
        return id;
    const char *what = id == ':' ? "needs a value" : "is not an option, or takes no value";
    if (optopt > 0 && optopt < CLI_HELP)
        error_set(err, ERROR_USAGE, NULL, 0, 0, "-%c %s; see %s --help", optopt, what,
                  command->name);
    else
        error_set(err, ERROR_USAGE, NULL, 0, 0, "%s %s; see %s --help",
                  argv[optind > at ? optind - 1 : at], what, command->name);
    return '?';
}

/* Prints TEXT with INDENT blanks in front of each line but the first. */
static void print_lines(const char *text, int indent, FILE *out)
{
    for (; *text != '\0'; text++) {
        putc(*text, out);
        if (*text == '\n')
            fprintf(out, "%*s", indent, "");
    }
    putc('\n', out);
}

static void print_option(const struct cli_option *option, FILE *out)
{
    char left[96];
    char letter[5] = "    ";
    if (option->id < CLI_HELP)
        snprintf(letter, sizeof letter, "-%c%s", option->id, option->name != NULL ? ", " : "");
    snprintf(left, sizeof left, "%s%s%s%s%s", letter, option->name != NULL ? "--" : "",
             option->name != NULL ? option->name : "", option->argument != NULL ? " " : "",
             option->argument != NULL ? option->argument : "");
    if (strlen(left) <= 26)
        fprintf(out, "  %-26s ", left);
    else /* too long to have the help beside it */
        fprintf(out, "  %s\n%29s", left, "");
    print_lines(option->help, 29, out);
}

void cli_help(const struct cli_command *command, FILE *out)
{
    fprintf(out, "usage: %s ", command->name);
    print_lines(command->usage, (int)strlen(command->name) + 8, out);
    fprintf(out, "\n%s\n\n", command->summary);
    for (size_t i = 0; i < command->count; i++)
        print_option(&command->options[i], out);
    for (size_t i = 0; i < COMMON; i++)
        print_option(&common[i], out);
}
