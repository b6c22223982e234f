/* Options from the environment, by one table. */
#include <inttypes.h>
#include <string.h>

#include "tracer/tracer.h"
#include "traces/base/number.h"

static const struct option {
    const char *name, *help, *choices; /* NUMBER: choices is NULL */
    size_t field;
    uint64_t low, high, standard;
    bool text;
} table[] = {
#define OPTION_NUMBER(name, field, low, high, standard, help)                                  \
    {name, help, NULL, offsetof(struct tracer_options, field), low, high, standard, false},
#define OPTION_CHOICE(name, field, choices, standard, help)                                    \
    {name, help, choices, offsetof(struct tracer_options, field), 0, 0, standard, false},
#define OPTION_TEXT(name, field, help)                                                         \
    {name, help, NULL, offsetof(struct tracer_options, field), 0, 0, 0, true},
#include "tracer/options.def"
};

#define COUNT (sizeof table / sizeof *table)

/* The number of WORD among blank-separated WORDS, or -1. */
static int find_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (int i = 0; *words != '\0'; i++) {
        size_t n = strcspn(words, " ");
        if (n == length && memcmp(words, word, n) == 0)
            return i;
        words += n + (words[n] == ' ');
    }
    return -1;
}

static int read_choice(const struct option *option, const char *value, uint64_t *number,
                       struct error *err)
{
    int found = find_word(option->choices, value);
    if (found < 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "%s: \"%s\" is not one of: %s",
                         option->name, value, option->choices);
    *number = (uint64_t)found;
    return 0;
}

static int read_number(const struct option *option, const char *value, uint64_t *number,
                       struct error *err)
{
    bool is_number = number_whole(value, 0, UINT64_MAX, number);
    if (is_number && option->low == option->high && *number != option->low)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "%s=%s: %s", option->name, value,
                         option->help);
    if (!is_number || *number < option->low || *number > option->high)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "%s: \"%s\" is not a number of %" PRIu64 " to %" PRIu64, option->name,
                         value, option->low, option->high);
    return 0;
}

int tracer_options_read(struct tracer_options *options, const char *(*get)(const char *name),
                        struct error *err)
{
    *options = (struct tracer_options){0};
    for (const struct option *o = table; o < table + COUNT; o++) {
        const char *value = get(o->name);
        bool set = value != NULL && *value != '\0';
        if (o->text) {
            value = set ? value : NULL;
            memcpy((char *)options + o->field, &value, sizeof value);
            continue;
        }
        uint64_t number = o->standard;
        if (set && (o->choices != NULL ? read_choice(o, value, &number, err)
                                       : read_number(o, value, &number, err)) != 0)
            return -1;
        memcpy((char *)options + o->field, &number, sizeof number);
    }
    return 0;
}

static void print_number(const struct option *option, uint64_t number, FILE *out)
{
    const char *word = option->choices;
    if (word == NULL) {
        fprintf(out, "%" PRIu64, number);
        return;
    }
    while (number-- > 0)
        word += strcspn(word, " ") + 1;
    fprintf(out, "%.*s", (int)strcspn(word, " "), word);
}

void tracer_options_print(const struct tracer_options *options, FILE *out)
{
    for (const struct option *o = table; o < table + COUNT; o++) {
        const char *text = NULL;
        uint64_t number = 0;
        memcpy(o->text ? (void *)&text : (void *)&number, (const char *)options + o->field,
               o->text ? sizeof text : sizeof number);
        if (o->text ? text == NULL : number == o->standard)
            continue;
        fprintf(out, "%s=", o->name);
        if (o->text)
            fputs(text, out);
        else
            print_number(o, number, out);
        putc('\n', out);
    }
}

void tracer_options_help(FILE *out)
{
    for (const struct option *o = table; o < table + COUNT; o++) {
        fprintf(out, "%s", o->name);
        if (!o->text) {
            fputs(" (", out);
            print_number(o, o->standard, out);
            putc(')', out);
        }
        fprintf(out, "\n    %s\n", o->help);
    }
}
