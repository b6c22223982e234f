#include "tools/cli/complete.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/draft.h"

void cli_candidate(const char *start, const char *name, const char *help, FILE *out)
{
    if (strncmp(name, start, strlen(start)) == 0)
        fprintf(out, "%s\t%.*s\n", name, (int)strcspn(help, "\n"), help);
}

/* ---- which option waits for a value ------------------------------------ */

static const struct cli_option *find_long(const struct cli_command *command, const char *name)
{
    const struct cli_option *option, *found = NULL;
    size_t length = strlen(name), near = 0;
    for (size_t i = 0; (option = cli_option_at(command, i)) != NULL; i++) {
        if (strncmp(option->name, name, length) != 0)
            continue;
        if (option->name[length] == '\0')
            return option;
        found = option;
        near++;
    }
    return near == 1 ? found : NULL;
}

static const struct cli_option *find_letter(const struct cli_command *command, char letter)
{
    const struct cli_option *option;
    for (size_t i = 0; (option = cli_option_at(command, i)) != NULL; i++)
        if (option->letter == letter)
            return option;
    return NULL;
}

/* The option whose value is the word after WORD; NULL: none. */
static const struct cli_option *waiting(const struct cli_command *command, const char *word)
{
    if (word[0] != '-' || word[1] == '\0')
        return NULL;
    if (word[1] == '-') {
        const struct cli_option *option = find_long(command, word + 2);
        return option != NULL && option->argument != NULL ? option : NULL;
    }
    while (*++word != '\0') {
        const struct cli_option *option = find_letter(command, *word);
        if (option != NULL && option->argument != NULL)
            return word[1] == '\0' ? option : NULL;
    }
    return NULL;
}

/* ---- candidates -------------------------------------------------------- */

/* A list of values: those before the last comma stay as they are. */
static size_t kept(const char *start)
{
    const char *comma = strrchr(start, ',');
    return comma != NULL ? (size_t)(comma + 1 - start) : 0;
}

/* One line "NAME: DESCRIPTION" of a table of values. A placeholder such as K of "memory:K" is
 * left to the user, and so is a part that may be missing, as in "mse[:PERCENTILE]". */
static void print_value(const char *before, const char *start, char *line, FILE *out)
{
    char *colon = strstr(line, ": ");
    if (colon == NULL || strcspn(line, " ") < (size_t)(colon - line))
        return;
    *colon = '\0';
    if (colon - line > 2 && colon[-2] == ':' && isupper((unsigned char)colon[-1]))
        colon[-1] = '\0';
    line[strcspn(line, "[")] = '\0';
    const size_t keep = kept(start);
    if (strncmp(line, start + keep, strlen(start + keep)) == 0)
        fprintf(out, "%s%.*s%s\t%s\n", before, (int)keep, start, line, colon + 2);
}

/* Prints the values that DRAFT lists, and frees it. A line that only ends with a colon begins
 * another list. */
static void print_listed(const char *before, const char *start, struct draft *draft, FILE *out)
{
    char *rest = NULL;
    if (draft_end(draft))
        for (char *line = strtok_r(draft->text, "\n", &rest); line != NULL;
             line = strtok_r(NULL, "\n", &rest)) {
            if (line[strlen(line) - 1] == ':')
                break;
            print_value(before, start, line, out);
        }
    free(draft->text);
}

static void print_described(const char *before, const char *start, void (*describe)(FILE *),
                            FILE *out)
{
    struct draft draft;
    if (!draft_begin(&draft))
        return;
    describe(draft.out);
    print_listed(before, start, &draft, out);
}

/* The option that WORD is, if all that follows it is its own. */
static const struct cli_option *find_show(const struct cli_command *command, const char *word)
{
    const struct cli_option *option =
        strncmp(word, "--", 2) == 0 ? find_long(command, word + 2) : NULL;
    return option != NULL && option->type == CLI_SHOW ? option : NULL;
}

/* Values of an operand that begin with START; FIRST is the first one, NULL: this is it. */
static void print_operand(const struct cli_command *command, const char *first,
                          const char *start, FILE *out)
{
    struct draft draft;
    if (first == NULL && command->values != NULL)
        print_described("", start, command->values, out);
    if (first == NULL || command->later_values == NULL || !draft_begin(&draft))
        return;
    command->later_values(first, draft.out);
    print_listed("", start, &draft, out);
}

/* Prints values of OPTION that begin with START, with BEFORE before each. */
static void print_values(const struct cli_option *option, const char *before, const char *start,
                         FILE *out)
{
    const char *const *choice = option->choices;
    for (; choice != NULL && *choice != NULL; choice++)
        if (strncmp(*choice, start, strlen(start)) == 0)
            fprintf(out, "%s%s\t\n", before, *choice);
    void (*describe)(FILE *) = option->values != NULL ? option->values : option->describe;
    if (option->argument != NULL && describe != NULL)
        print_described(before, start, describe, out);
}

static void print_options(const struct cli_command *command, const char *start, FILE *out)
{
    const struct cli_option *option;
    char name[64];
    for (size_t i = 0; (option = cli_option_at(command, i)) != NULL; i++) {
        snprintf(name, sizeof name, "--%s", option->name);
        cli_candidate(start, name, option->help, out);
    }
}

/* "--name=start". */
static void print_joined(const struct cli_command *command, const char *word, const char *equal,
                         FILE *out)
{
    char name[64], before[72];
    snprintf(name, sizeof name, "%.*s", (int)(equal - word - 2), word + 2);
    snprintf(before, sizeof before, "--%s=", name);
    const struct cli_option *option = find_long(command, name);
    if (option != NULL && option->argument != NULL)
        print_values(option, before, equal + 1, out);
}

void cli_complete(const struct cli_command *command, char **words, FILE *out)
{
    const struct cli_option *value = NULL; /* of which the next word is the value */
    const struct cli_option *show = NULL;
    bool options = true;
    const char *first = NULL; /* operand */
    if (words[0] == NULL)
        return;
    for (; words[1] != NULL; words++) {
        const bool operand = value == NULL && (!options || words[0][0] != '-');
        value = value == NULL && options ? waiting(command, words[0]) : NULL;
        if (strcmp(words[0], "--") == 0)
            options = false;
        if (options && show == NULL)
            show = find_show(command, words[0]);
        if (operand && first == NULL)
            first = words[0];
    }
    const char *word = words[0], *equal = strchr(word, '=');
    if (value != NULL)
        print_values(value, "", word, out);
    else if (options && strncmp(word, "--", 2) == 0 && equal != NULL)
        print_joined(command, word, equal, out);
    else if (options && word[0] == '-')
        print_options(command, word, out);
    else if (show != NULL && show->values != NULL)
        print_described("", word, show->values, out);
    else
        print_operand(command, first, word, out);
}
