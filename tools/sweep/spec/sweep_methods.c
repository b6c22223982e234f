/* Keywords of a specification: methods and the warm-up of samples. */
#define _GNU_SOURCE /* asprintf */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/sweep/spec/sweep_words.h"
#include "traces/base/bytes.h"
#include "warmup/warmup.h"

/* Finds option NAME of METHOD; "seed" is one of all. */
static int check_option(const struct sampling_method *method, const struct sweep_line *line,
                        size_t word, const char *name, const char *value, struct error *err)
{
    struct sampling_options options;
    struct error wrong = {0};
    unsigned id = 0;
    while (id < SAMPLING_OPTIONS &&
           (strcmp(sampling_option((enum sampling_option_id)id)->name, name) != 0 ||
            (method->options & SAMPLING_BIT(id)) == 0))
        id++;
    if (strcmp(name, "seed") == 0 || strcmp(name, "estimate") == 0)
        return 0;
    if (id == SAMPLING_OPTIONS)
        return sweep_line_fail(line, word, err, "%s has no option %s; see hearth sample --list",
                               method->name, name);
    sampling_options_init(&options);
    return sampling_option_set(&options, (enum sampling_option_id)id, value, &wrong) == 0
               ? 0
               : sweep_line_fail(line, word, err, "%s", wrong.text);
}

static int add_method_option(struct sweep_words *words, struct sweep_method *method,
                             const struct sweep_line *line, size_t word, struct error *err)
{
    char *text = line->words[word].text, *equals = strchr(text, '='), *option = NULL;
    if (equals == NULL || method->method == NULL)
        return sweep_line_fail(
            line, word, err, equals == NULL ? "expected OPTION=VALUE" : "full has no options");
    *equals = '\0';
    int result = check_option(method->method, line, word, text, equals + 1, err);
    *equals = '=';
    if (result == 0 && (asprintf(&option, "--%s", text) < 0 ||
                        !sweep_spec_add(words->spec, &method->options, option)))
        result = error_no_memory(err);
    free(option);
    return result;
}

/* The words of LINE from the second on, with blanks between them. */
static const char *join(struct sweep_spec *spec, const struct sweep_line *line)
{
    size_t size = 1;
    for (size_t w = 1; w < line->count; w++)
        size += strlen(line->words[w].text) + 1;
    char *text = calloc(size, 1);
    for (size_t w = 1; w < line->count && text != NULL; w++) {
        strcat(text, w > 1 ? " " : "");
        strcat(text, line->words[w].text);
    }
    const char *kept = text != NULL ? sweep_spec_keep(spec, text) : NULL;
    free(text);
    return kept;
}

/* method full, or METHOD OPTION=VALUE... */
int sweep_words_method(struct sweep_words *words, const struct sweep_line *line,
                       struct error *err)
{
    struct sweep_spec *spec = words->spec;
    struct error wrong = {0};
    struct sweep_method added = {.name = join(spec, line)};
    if (added.name == NULL || !array_room(&spec->methods, spec->method_count, sizeof added))
        return error_no_memory(err);
    if (strcmp(line->words[1].text, "full") != 0) {
        added.method = sampling_find_method(line->words[1].text, &wrong);
        if (added.method == NULL)
            return sweep_line_fail(line, 1, err, "%s; or full, for all launches", wrong.text);
    }
    for (size_t m = 0; m < spec->method_count; m++)
        if (strcmp(spec->methods[m].name, added.name) == 0)
            return sweep_line_fail(line, 1, err, "the method is there already");
    int result = 0;
    for (size_t w = 2; w < line->count && result == 0; w++)
        result = add_method_option(words, &added, line, w, err);
    spec->methods[spec->method_count++] = added;
    return result;
}

int sweep_words_warm(struct sweep_words *words, const struct sweep_line *line,
                     struct error *err)
{
    struct sweep_spec *spec = words->spec;
    for (size_t w = 1; w < line->count; w++) {
        struct warmup warmup;
        struct error wrong = {0};
        if (warmup_parse(&warmup, line->words[w].text, &wrong) != 0)
            return sweep_line_fail(line, w, err, "%s", wrong.text);
        bool states = warmup.policy != NULL && warmup.policy->states;
        bool detailed = states && warmup.policy->step == WARMUP_DETAILED;
        struct sweep_policy policy = {
            .name = sweep_spec_keep(spec, line->words[w].text),
            .plans = warmup.correction == NULL,
            .states = states && !detailed,
            .timed = states && detailed,
        };
        if (policy.name == NULL ||
            !array_room(&spec->policies, spec->policy_count, sizeof policy))
            return error_no_memory(err);
        spec->policies[spec->policy_count++] = policy;
    }
    return 0;
}
