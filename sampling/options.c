#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "sampling/sampling.h"
#include "traces/base/number.h"

static const struct {
    struct sampling_option info;
    size_t offset; /* in struct sampling_options */
} table[] = {
#define OPTION(id, name, field, type, fallback, least, greatest, argument, help)               \
    {{name, SAMPLING_TYPE_##type, fallback, least, greatest, argument, help},                  \
     offsetof(struct sampling_options, field)},
#include "sampling/options.def"
#undef OPTION
};

const struct sampling_option *sampling_option(enum sampling_option_id id)
{
    return &table[id].info;
}

void sampling_options_init(struct sampling_options *options)
{
    *options = (struct sampling_options){0};
    for (int i = 0; i < SAMPLING_OPTIONS; i++)
        sampling_option_set(options, (enum sampling_option_id)i, table[i].info.fallback, NULL);
    options->given = 0;
}

static int wrong(const struct sampling_option *option, const char *value, struct error *err)
{
    if (option->type == SAMPLING_TYPE_CHOICE && option->greatest > 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--%s \"%s\": expected %s, with N from %g to %g", option->name, value,
                         option->argument, option->least, option->greatest);
    if (option->type == SAMPLING_TYPE_CHOICE)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--%s \"%s\": expected %s", option->name,
                         value, option->argument);
    return error_set(err, ERROR_USAGE, NULL, 0, 0, "--%s \"%s\": expected a %s from %g to %g",
                     option->name, value,
                     option->type == SAMPLING_TYPE_COUNT ? "whole number" : "number",
                     option->least, option->greatest);
}

static bool read_count(const struct sampling_option *option, const char *value, uint64_t *count)
{
    return number_whole(value, (uint64_t)option->least, (uint64_t)option->greatest, count);
}

/* The word number INDEX of the choices in TEXT, with its LENGTH; LENGTH is 0 after the last
 * word. */
static const char *word_at(const char *text, unsigned index, size_t *length)
{
    for (; index > 0 && text != NULL; index--) {
        text = strchr(text, '|');
        text = text != NULL ? text + 1 : NULL;
    }
    *length = text != NULL ? strcspn(text, "|") : 0;
    return text;
}

static bool read_choice(const struct sampling_option *option, const char *value,
                        struct sampling_choice *choice)
{
    size_t length;
    const char *word;
    for (unsigned i = 0; (word = word_at(option->argument, i, &length)) != NULL; i++) {
        bool number = length == 1 && word[0] == 'N';
        *choice = (struct sampling_choice){.index = i};
        if (number && read_count(option, value, &choice->number))
            return true;
        if (!number && strlen(value) == length && memcmp(value, word, length) == 0)
            return true;
    }
    return false;
}

int sampling_option_set(struct sampling_options *options, enum sampling_option_id id,
                        const char *value, struct error *err)
{
    const struct sampling_option *option = &table[id].info;
    void *field = (char *)options + table[id].offset;
    bool good = false;
    switch (option->type) {
    case SAMPLING_TYPE_COUNT:
        good = read_count(option, value, field);
        break;
    case SAMPLING_TYPE_REAL:
        good = number_decimal(value, option->least, option->greatest, field);
        break;
    case SAMPLING_TYPE_CHOICE:
        good = read_choice(option, value, field);
        break;
    }
    options->given |= SAMPLING_BIT(id);
    return good ? 0 : wrong(option, value, err);
}

void sampling_option_get(const struct sampling_options *options, enum sampling_option_id id,
                         char text[static SAMPLING_VALUE_TEXT])
{
    const struct sampling_option *option = &table[id].info;
    const void *field = (const char *)options + table[id].offset;
    const struct sampling_choice *choice = field;
    size_t length;
    switch (option->type) {
    case SAMPLING_TYPE_COUNT:
        snprintf(text, SAMPLING_VALUE_TEXT, "%" PRIu64, *(const uint64_t *)field);
        break;
    case SAMPLING_TYPE_REAL:
        snprintf(text, SAMPLING_VALUE_TEXT, "%.15g", *(const double *)field);
        break;
    case SAMPLING_TYPE_CHOICE: {
        const char *word = word_at(option->argument, choice->index, &length);
        if (choice->number > 0)
            snprintf(text, SAMPLING_VALUE_TEXT, "%" PRIu64, choice->number);
        else
            snprintf(text, SAMPLING_VALUE_TEXT, "%.*s", (int)length, word);
        break;
    }
    }
}
