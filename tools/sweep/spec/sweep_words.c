#include "tools/sweep/spec/sweep_words.h"

#include <stdlib.h>
#include <string.h>

#include "tools/sweep/spec/sweep_cards.h"
#include "traces/base/bytes.h"
#include "traces/base/files/paths.h"
#include "traces/base/spelling.h"

/* ---- workloads and cards ---- */

/* The last part of PATH without its suffix: kernelslist.g and "traces" say nothing, then that
 * of the folder. */
static char *name_of(const char *path)
{
    char *copy = strdup(path), *name = copy, *slash;
    while (copy != NULL && (slash = strrchr(copy, '/')) != NULL) {
        name = slash + 1;
        if (strncmp(name, "kernelslist", 11) != 0 && strcmp(name, "traces") != 0)
            break;
        *slash = '\0';
        name = copy;
    }
    char *dot = name != NULL ? strrchr(name, '.') : NULL;
    if (dot != NULL && dot != name)
        *dot = '\0';
    char *result = name != NULL ? strdup(name) : NULL;
    free(copy);
    return result;
}

static int add_workload(struct sweep_words *words, const struct sweep_line *line, size_t word,
                        struct error *err)
{
    struct sweep_spec *spec = words->spec;
    char *text = line->words[word].text, *equals = strchr(text, '=');
    const char *path = equals != NULL ? equals + 1 : text;
    char *place = path[0] == '/' ? strdup(path) : paths_join(words->folder, path);
    char *absolute = place != NULL ? paths_absolute(place) : NULL;
    char *name = equals != NULL     ? strndup(text, (size_t)(equals - text))
                 : absolute != NULL ? name_of(absolute)
                                    : NULL;
    struct sweep_workload added = {name != NULL ? sweep_spec_keep(spec, name) : NULL,
                                   absolute != NULL ? sweep_spec_keep(spec, absolute) : NULL};
    free(place);
    free(absolute);
    free(name);
    if (added.name == NULL || added.path == NULL ||
        !array_room(&spec->workloads, spec->workload_count, sizeof added))
        return error_no_memory(err);
    for (size_t w = 0; w < spec->workload_count; w++)
        if (strcmp(spec->workloads[w].name, added.name) == 0)
            return sweep_line_fail(line, word, err,
                                   "a second workload is called %s: give it a name, NAME=PATH",
                                   added.name);
    spec->workloads[spec->workload_count++] = added;
    return 0;
}

static int take_workload(struct sweep_words *words, const struct sweep_line *line,
                         struct error *err)
{
    int result = 0;
    for (size_t w = 1; w < line->count && result == 0; w++)
        result = add_workload(words, line, w, err);
    return result;
}

static int take_card(struct sweep_words *words, const struct sweep_line *line,
                     struct error *err)
{
    int result = 0;
    for (size_t w = 1; w < line->count && result == 0; w++)
        result = sweep_cards_add(words->spec, words->folder, line, w, err);
    return result;
}

/* ---- the table ---- */

static const struct keyword {
    const char *name, *usage;
    size_t least; /* words, with the keyword */
    sweep_keyword *take;
} keywords[] = {
    {"workload", "[NAME=]PATH...", 2, take_workload},
    {"define", "NAME OPTION=VALUE...", 3, sweep_words_define},
    {"card", "NAME...", 2, take_card},
    {"option", "OPTION VALUE...", 3, sweep_words_option},
    {"point", "AXIS LABEL OPTION=VALUE...", 4, sweep_words_point},
    {"method", "full|METHOD [OPTION=VALUE]...", 2, sweep_words_method},
    {"warm", "POLICY...", 2, sweep_words_warm},
    {"baseline", "NAME=VALUE...", 2, sweep_words_baseline},
    {"pareto", "NAME...", 2, sweep_words_pareto},
};

int sweep_words_take(struct sweep_words *words, const struct sweep_line *line,
                     struct error *err)
{
    const char *name = line->words[0].text;
    char hint[SPELLING_HINT];
    struct spelling_guess guess = spelling_guess(name);
    for (size_t k = 0; k < sizeof keywords / sizeof keywords[0]; k++) {
        const struct keyword *keyword = &keywords[k];
        spelling_consider(&guess, keyword->name);
        if (strcmp(keyword->name, name) != 0)
            continue;
        if (line->count < keyword->least)
            return sweep_line_fail(line, 0, err, "expected %s %s", keyword->name,
                                   keyword->usage);
        return keyword->take(words, line, err);
    }
    return sweep_line_fail(line, 0, err, "\"%s\" is not a keyword%s", name,
                           spelling_hint(&guess, "", hint));
}
