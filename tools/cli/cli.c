#define _GNU_SOURCE /* getopt_long */
#include "tools/cli/complete.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/base/draft.h"
#include "traces/base/number.h"
#include "traces/base/process/terminal.h"
#include "traces/base/ranges.h"
#include "traces/base/spelling.h"

/* Every command has these two. */
static const struct cli_option common[] = {
    {'h', "help", .help = "show this help"},
    {'V', "version", .help = "show the version"},
};
#define COMMON (sizeof common / sizeof common[0])
#define LONG   256 /* what getopt_long() returns for the first long name */

const struct cli_option *cli_option_at(const struct cli_command *command, size_t index)
{
    if (index < command->count)
        return &command->options[index];
    return index < command->count + COMMON ? &common[index - command->count] : NULL;
}

void cli_print_version(void)
{
    puts("hearth " HEARTH_VERSION);
}

/* ---- values ------------------------------------------------------------ */

/* Writes the range or the choices of OPTION: "1 to 22", "none, l1 or all"; "" without
 * either. */
static void write_range(const struct cli_option *option, char *text, size_t size)
{
    size_t used = 0;
    const char *const *choices = option->choices;
    text[0] = '\0';
    if (option->most > 0)
        snprintf(text, size, "%.16g to %.16g", option->least, option->most);
    else if (option->least > 0)
        snprintf(text, size, "%.16g or more", option->least);
    for (size_t i = 0; choices != NULL && choices[i] != NULL && used < size; i++) {
        const char *before = i == 0 ? "" : choices[i + 1] != NULL ? ", " : " or ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", before, choices[i]);
    }
}

static int wrong(const struct cli_option *option, const char *value, struct error *err)
{
    char range[128];
    const char *what = option->type == CLI_CHOICE  ? ""
                       : option->type == CLI_WHOLE ? "a whole number"
                                                   : "a number";
    write_range(option, range, sizeof range);
    const char *link = what[0] == '\0' || range[0] == '\0' ? ""
                       : option->most > 0                  ? " from "
                                                           : ", ";
    return error_set(err, ERROR_USAGE, NULL, 0, 0, "--%s \"%s\": expected %s%s%s", option->name,
                     value, what, link, range);
}

static bool take_whole(const struct cli_option *option, const char *value, void *member)
{
    uint64_t most = option->size == sizeof(uint32_t) ? INT32_MAX : UINT64_MAX, number;
    if (option->most > 0)
        most = (uint64_t)option->most;
    if (!number_whole(value, (uint64_t)option->least, most, &number))
        return false;
    if (option->size == sizeof(uint32_t))
        *(uint32_t *)member = (uint32_t)number;
    else
        *(uint64_t *)member = number;
    return true;
}

static bool take_decimal(const struct cli_option *option, const char *value, double *member)
{
    double most = option->most > 0 ? option->most : INFINITY;
    return number_decimal(value, option->least, most, member);
}

static bool take_choice(const struct cli_option *option, const char *value, const char **choice)
{
    size_t i = 0;
    while (option->choices[i] != NULL && strcmp(option->choices[i], value) != 0)
        i++;
    *choice = option->choices[i];
    return *choice != NULL;
}

static int take_ranges(const struct cli_option *option, const char *value,
                       struct ranges *ranges, struct error *err)
{
    char name[64];
    snprintf(name, sizeof name, "--%s", option->name);
    ranges_finish(ranges);
    return ranges_init(ranges, value, name, NULL, 0, err);
}

static void add_to_list(const struct cli_option *option, void *data, const char *value)
{
    size_t *count = (size_t *)((char *)data + option->count_at);
    (*(const char ***)((char *)data + option->at))[(*count)++] = value;
}

static int take(const struct cli_option *option, void *data, const char *value,
                struct error *err)
{
    void *member = (char *)data + option->at;
    bool good = true;
    switch (option->type) {
    case CLI_FLAG:
        *(bool *)member = true;
        break;
    case CLI_TEXT:
        *(const char **)member = value;
        break;
    case CLI_WHOLE:
        good = take_whole(option, value, member);
        break;
    case CLI_DECIMAL:
        good = take_decimal(option, value, member);
        break;
    case CLI_CHOICE:
        good = take_choice(option, value, member);
        break;
    case CLI_RANGES:
        return take_ranges(option, value, member, err);
    case CLI_LIST:
        add_to_list(option, data, option->argument != NULL ? value : option->value);
        break;
    case CLI_READ:
        return option->read(data, value, err);
    case CLI_SHOW:
        break;
    }
    return good ? 0 : wrong(option, value, err);
}

/* ---- command lines ----------------------------------------------------- */

/* The arguments of getopt_long(). */
struct getopt_tables {
    char letters[2 * (CLI_OPTIONS + COMMON) + 2];
    struct option longs[2 * CLI_OPTIONS + COMMON + 1]; /* with former names */
};

static void make_tables(const struct cli_command *command, struct getopt_tables *tables)
{
    char *letter = tables->letters;
    size_t former = command->count + COMMON;
    *tables = (struct getopt_tables){0};
    *letter++ = ':';
    for (size_t i = 0; i < command->count + COMMON; i++) {
        const struct cli_option *option = cli_option_at(command, i);
        bool takes = option->argument != NULL;
        tables->longs[i] = (struct option){
            option->name, takes ? required_argument : no_argument, NULL, LONG + (int)i};
        if (option->former != NULL) {
            tables->longs[former] = tables->longs[i];
            tables->longs[former++].name = option->former;
        }
        if (option->letter != 0)
            *letter++ = option->letter;
        if (option->letter != 0 && takes)
            *letter++ = ':';
    }
}

/* Index in the table of an option that getopt_long() returned. */
static size_t find(const struct cli_command *command, int id)
{
    size_t i = 0;
    if (id >= LONG)
        return (size_t)(id - LONG);
    while (i < command->count && command->options[i].letter != id)
        i++;
    return i < command->count ? i : i + (id == common[0].letter ? 0 : 1);
}

/* Which long option WORD, "--name" or "--name=value", probably means, in ROOM. */
static const char *guess_option(const struct cli_command *command, const char *word,
                                char room[static SPELLING_HINT])
{
    char name[SPELLING_LIMIT + 1] = "";
    if (strncmp(word, "--", 2) == 0)
        snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    struct spelling_guess near = spelling_guess(name);
    for (size_t i = 0; i < command->count + COMMON; i++)
        spelling_consider(&near, cli_option_at(command, i)->name);
    return spelling_hint(&near, "--", room);
}

static int unknown(const struct cli_command *command, int id, const char *word,
                   struct error *err)
{
    char hint[SPELLING_HINT] = "", letter[3] = {'-', (char)optopt, '\0'};
    const char *what = id == ':' ? "needs a value" : "is not an option";
    if (id == '?' && optopt >= LONG) /* --name=value */
        what = "takes no value";
    else if (id == '?' && optopt == 0)
        guess_option(command, word, hint);
    if (hint[0] == '\0')
        snprintf(hint, sizeof hint, "; see %s --help", command->name);
    return error_set(err, ERROR_USAGE, NULL, 0, 0, "%s %s%s",
                     optopt > 0 && optopt < LONG ? letter : word, what, hint);
}

static void cli_help(const struct cli_command *command, FILE *out);

/* Reads the options. GIVEN gets a bit for each option that occurs, *SHOW the last one that
 * only shows something. */
static int read_options(const struct cli_command *command, int argc, char **argv, void *data,
                        uint64_t *given, const struct cli_option **show, struct error *err)
{
    struct getopt_tables tables;
    make_tables(command, &tables);
    optind = 0; /* glibc: scan from the start, and forget a position within a cluster */
    opterr = 0;
    for (;;) {
        int at = optind == 0 ? 1 : optind;
        int id = getopt_long(argc, argv, tables.letters, tables.longs, NULL);
        if (id < 0)
            return 0;
        if (id == '?' || id == ':')
            return unknown(command, id, argv[optind > at ? optind - 1 : at], err);
        size_t i = find(command, id);
        if (i == command->count)
            cli_help(command, stdout);
        if (i == command->count + 1)
            cli_print_version();
        if (i >= command->count)
            return CLI_SHOWN;
        *given |= UINT64_C(1) << i;
        if (command->options[i].type == CLI_SHOW)
            *show = &command->options[i];
        else if (take(&command->options[i], data, optarg, err) != 0)
            return -1;
    }
}

/* Gives members their defaults, and lists their arrays. */
static int begin(const struct cli_command *command, int argc, void *data, struct error *err)
{
    for (size_t i = 0; i < command->count; i++) {
        const struct cli_option *option = &command->options[i];
        const char ***list = (const char ***)((char *)data + option->at);
        if (option->type != CLI_LIST) {
            if (option->initial != NULL && take(option, data, option->initial, err) != 0)
                return -1;
        } else if (*list == NULL && (*list = calloc((size_t)argc + 2, sizeof **list)) == NULL) {
            return error_no_memory(err);
        }
    }
    return 0;
}

static int is_missing(const struct cli_command *command, const struct cli_option *option,
                      struct error *err)
{
    const char letter[2] = {option->letter, '\0'};
    return error_set(err, ERROR_USAGE, NULL, 0, 0, "%s%s %s is missing; see %s --help",
                     letter[0] != '\0' ? "-" : "--", letter[0] != '\0' ? letter : option->name,
                     option->argument, command->name);
}

/* Checks that nothing is missing on the command line; lists without a value get their
 * default. */
static int complete(const struct cli_command *command, void *data, uint64_t given,
                    char **operands, struct error *err)
{
    size_t count = 0;
    while (operands[count] != NULL)
        count++;
    if (command->operands != NULL && count != command->operand_count)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "expected %s, got %zu; see %s --help",
                         command->operands, count, command->name);
    for (size_t i = 0; i < command->count; i++) {
        const struct cli_option *option = &command->options[i];
        if (given & UINT64_C(1) << i)
            continue;
        if (option->required)
            return is_missing(command, option, err);
        if (option->type == CLI_LIST && option->initial != NULL)
            add_to_list(option, data, option->initial);
    }
    return 0;
}

bool cli_asks_for_help(int argc, char **argv)
{
    return argc == 2 && strcmp(argv[1], "help") == 0 && access("help", F_OK) != 0;
}

int cli_read(const struct cli_command *command, int argc, char **argv, void *data,
             char ***operands, struct error *err)
{
    uint64_t given = 0;
    const struct cli_option *show = NULL;
    if (argc > 1 && strcmp(argv[1], CLI_COMPLETION) == 0) {
        *operands = argv + argc;
        cli_complete(command, argv + 2, stdout);
        return CLI_SHOWN;
    }
    int result = begin(command, argc, data, err);
    if (result == 0 && !command->has_help && cli_asks_for_help(argc, argv)) {
        *operands = argv + argc;
        cli_help(command, stdout);
        return CLI_SHOWN;
    }
    if (result == 0)
        result = read_options(command, argc, argv, data, &given, &show, err);
    *operands = argv + optind;
    if (result != 0)
        return result;
    if (show != NULL)
        return show->show(*operands, err) != 0 ? -1 : CLI_SHOWN;
    return complete(command, data, given, *operands, err);
}

void cli_finish(const struct cli_command *command, void *data)
{
    for (size_t i = 0; i < command->count; i++) {
        const struct cli_option *option = &command->options[i];
        void *member = (char *)data + option->at;
        if (option->type == CLI_RANGES) {
            ranges_finish(member);
        } else if (option->type == CLI_LIST) {
            free(*(const char ***)member);
            *(const char ***)member = NULL;
        }
    }
}

int cli_run(const struct cli_command *command, int argc, char **argv, void *data,
            int (*run)(void *data, char **operands, struct error *err), struct error *err)
{
    char **operands;
    int result = cli_read(command, argc, argv, data, &operands, err);
    if (result == 0)
        result = run(data, operands, err);
    else if (result == CLI_SHOWN)
        result = 0;
    cli_finish(command, data);
    return result;
}

/* ---- help -------------------------------------------------------------- */

#define INDENT 29 /* of the description of an option */
#define WIDTH  71 /* of that description */

/* Length of the start of TEXT that must stay on one line: a word, or of a long list as much as
 * ends with a comma or colon. */
static size_t unbroken(const char *text)
{
    size_t length = strcspn(text, " \n"), cut = length > WIDTH ? WIDTH : length;
    while (cut > 0 && cut < length && text[cut - 1] != ',' && text[cut - 1] != ':')
        cut--;
    return cut > 0 ? cut : length;
}

/* Prints TEXT in lines of WIDTH characters, from column INDENT on. */
static void print_wrapped(const char *text, FILE *out)
{
    size_t used = 0, gap = 0;
    while (*text != '\0') {
        size_t length = unbroken(text);
        if (used > 0 && used + gap + length > WIDTH) {
            fprintf(out, "\n%*s", INDENT, "");
            used = gap = 0;
        }
        fprintf(out, "%*s%.*s", (int)gap, "", (int)length, text);
        used += gap + length;
        text += length;
        gap = *text == ' ';
        if (*text == '\n')
            used = WIDTH;
        text += *text == ' ' || *text == '\n';
    }
    putc('\n', out);
}

/* Prints the description of OPTION. */
static void print_text(const struct cli_option *option, FILE *out)
{
    char range[128];
    struct draft draft;
    const char *fallback = option->otherwise != NULL ? option->otherwise : option->initial;
    if (!draft_begin(&draft))
        return;
    fputs(option->help, draft.out);
    if (option->describe != NULL)
        option->describe(draft.out);
    if (option->former != NULL)
        fprintf(draft.out, " (formerly --%s, which still works)", option->former);
    write_range(option, range, sizeof range);
    if (fallback != NULL)
        fprintf(draft.out, " (%s%sdefault: %s)", range, range[0] != '\0' ? "; " : "", fallback);
    else if (range[0] != '\0')
        fprintf(draft.out, " (%s)", range);
    if (draft_end(&draft))
        print_wrapped(draft.text, out);
    free(draft.text);
}

static void print_option(const struct cli_option *option, FILE *out)
{
    char left[96];
    const char *begin = terminal_begin(out, TERMINAL_HEADING), *end = terminal_end(out);
    char letter[5] = "    ";
    if (option->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name,
             option->argument != NULL ? " " : "",
             option->argument != NULL ? option->argument : "");
    if (strlen(left) <= INDENT - 3)
        fprintf(out, "  %s%-*s%s ", begin, INDENT - 3, left, end);
    else /* too long to have the description next to it */
        fprintf(out, "  %s%s%s\n%*s", begin, left, end, INDENT, "");
    print_text(option, out);
}

/* Prints TEXT with INDENT blanks before each line but the first. */
static void print_lines(const char *text, int indent, FILE *out)
{
    for (; *text != '\0'; text++) {
        putc(*text, out);
        if (*text == '\n')
            fprintf(out, "%*s", indent, "");
    }
}

static void cli_help(const struct cli_command *command, FILE *out)
{
    fprintf(out, "%susage:%s %s ", terminal_begin(out, TERMINAL_HEADING), terminal_end(out),
            command->name);
    print_lines(command->usage, (int)strlen(command->name) + 8, out);
    fprintf(out, "\n\n%s\n\n", command->summary);
    for (size_t i = 0; i < command->count; i++)
        print_option(&command->options[i], out);
    for (size_t i = 0; i < COMMON; i++)
        print_option(&common[i], out);
}
