#define _GNU_SOURCE /* asprintf */
#include "tools/sweep/spec/sweep_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/config.h"
#include "tools/run/run.h"
#include "tools/sweep/spec/sweep_cards.h"
#include "tools/sweep/spec/sweep_settings.h"
#include "tools/sweep/tables/sweep_columns.h"
#include "traces/base/bytes.h"
#include "traces/base/files/paths.h"
#include "traces/base/spelling.h"
#include "warmup/warmup.h"

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

/* ---- axes ---- */

/* The axis NAME, made if there is none. NULL with ERR filled. */
static struct sweep_axis *axis_called(struct sweep_spec *spec, const struct sweep_line *line,
                                      struct error *err)
{
    const char *name = line->words[1].text;
    size_t axis = sweep_spec_axis(spec, name);
    if (axis < spec->axis_count)
        return &spec->axes[axis];
    if (axis == SWEEP_AXES || sweep_columns_taken(name)) {
        sweep_line_fail(line, 1, err,
                        axis == SWEEP_AXES ? "more than 12 axes"
                                           : "\"%s\" is already a column of the tables",
                        name);
        return NULL;
    }
    spec->axes[axis] = (struct sweep_axis){.name = sweep_spec_keep(spec, name)};
    if (spec->axes[axis].name == NULL) {
        error_no_memory(err);
        return NULL;
    }
    spec->axis_count++;
    return &spec->axes[axis];
}

/* Adds a point without values. NULL with ERR filled. */
static struct sweep_point *add_point(struct sweep_words *words, struct sweep_axis *axis,
                                     const struct sweep_line *line, size_t word,
                                     const char *label, struct error *err)
{
    for (size_t p = 0; p < axis->count; p++)
        if (strcmp(axis->points[p].label, label) == 0) {
            sweep_line_fail(line, word, err, "%s has the value %s already", axis->name, label);
            return NULL;
        }
    const char *kept = sweep_spec_keep(words->spec, label);
    if (kept == NULL || !array_room(&axis->points, axis->count, sizeof *axis->points)) {
        error_no_memory(err);
        return NULL;
    }
    axis->points[axis->count] = (struct sweep_point){.label = kept};
    return &axis->points[axis->count++];
}

static int add_value(struct sweep_words *words, struct sweep_axis *axis,
                     const struct sweep_line *line, size_t word, const char *value,
                     struct error *err)
{
    struct sweep_point *point = add_point(words, axis, line, word, value, err);
    return point == NULL ? -1
                         : sweep_settings_add(words->spec, &point->values, line, word,
                                              line->words[1].text, value, err);
}

/* option NAME VALUE... */
static int take_option(struct sweep_words *words, const struct sweep_line *line,
                       struct error *err)
{
    struct sweep_axis *axis = axis_called(words->spec, line, err);
    struct sweep_values values;
    char text[24];
    int result =
        axis != NULL ? sweep_settings_check_name(line, 1, line->words[1].text, err) : -1;
    for (size_t w = 2; w < line->count && result == 0; w++) {
        enum sweep_values_kind kind = sweep_values_read(&values, line->words[w].text);
        if (kind == SWEEP_VALUES_WRONG)
            return sweep_line_fail(line, w, err,
                                   "a range is FIRST..LAST, FIRST..LAST+STEP or "
                                   "FIRST..LAST*FACTOR, and has at most %d values",
                                   SWEEP_VALUES);
        if (kind == SWEEP_VALUES_NONE)
            result = add_value(words, axis, line, w, line->words[w].text, err);
        for (size_t i = 0; kind == SWEEP_VALUES_RANGE && i < values.count && result == 0; i++) {
            snprintf(text, sizeof text, "%llu", (unsigned long long)values.items[i]);
            result = add_value(words, axis, line, w, text, err);
        }
    }
    return result;
}

/* point AXIS LABEL OPTION=VALUE... */
static int take_point(struct sweep_words *words, const struct sweep_line *line,
                      struct error *err)
{
    struct sweep_axis *axis = axis_called(words->spec, line, err);
    struct sweep_point *point =
        axis != NULL ? add_point(words, axis, line, 2, line->words[2].text, err) : NULL;
    return point == NULL ? -1 : sweep_settings_pairs(words->spec, &point->values, line, 3, err);
}

/* define NAME OPTION=VALUE... */
static int take_define(struct sweep_words *words, const struct sweep_line *line,
                       struct error *err)
{
    struct sweep_spec *spec = words->spec;
    const char *name = sweep_spec_keep(spec, line->words[1].text);
    if (name == NULL || !array_room(&spec->defines, spec->define_count, sizeof *spec->defines))
        return error_no_memory(err);
    if (strchr(name, '-') != NULL)
        return sweep_line_fail(line, 1, err,
                               "a name without \"-\" is expected: that joins names");
    spec->defines[spec->define_count] = (struct sweep_define){.name = name};
    return sweep_settings_pairs(spec, &spec->defines[spec->define_count++].values, line, 2,
                                err);
}

/* ---- methods ---- */

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
static int take_method(struct sweep_words *words, const struct sweep_line *line,
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

static int take_warm(struct sweep_words *words, const struct sweep_line *line,
                     struct error *err)
{
    for (size_t w = 1; w < line->count; w++) {
        struct warmup warmup;
        struct error wrong = {0};
        if (warmup_parse(&warmup, line->words[w].text, &wrong) != 0)
            return sweep_line_fail(line, w, err, "%s", wrong.text);
        if (!sweep_spec_add(words->spec, &words->spec->policies, line->words[w].text))
            return error_no_memory(err);
    }
    return 0;
}

/* ---- baseline and pareto: they name what other lines say ---- */

static int keep_late(struct sweep_words *words, const struct sweep_line *line, bool pareto,
                     struct error *err)
{
    for (size_t w = 1; w < line->count; w++) {
        const char *text = line->words[w].text, *equals = strchr(text, '=');
        if (!pareto && equals == NULL)
            return sweep_line_fail(line, w, err, "expected NAME=VALUE");
        if (!array_room(&words->late, words->late_count, sizeof *words->late))
            return error_no_memory(err);
        struct sweep_late *late = &words->late[words->late_count++];
        *late = (struct sweep_late){.key = pareto ? strdup(text)
                                                  : strndup(text, (size_t)(equals - text)),
                                    .value = strdup(pareto ? "" : equals + 1),
                                    .number = line->number,
                                    .column = line->words[w].column,
                                    .pareto = pareto};
        if (late->key == NULL || late->value == NULL)
            return error_no_memory(err);
    }
    return 0;
}

static int take_baseline(struct sweep_words *words, const struct sweep_line *line,
                         struct error *err)
{
    words->spec->baseline.given = true;
    return keep_late(words, line, false, err);
}

static int take_pareto(struct sweep_words *words, const struct sweep_line *line,
                       struct error *err)
{
    return keep_late(words, line, true, err);
}

static int late_fail(const struct sweep_words *words, const struct sweep_late *late,
                     struct error *err)
{
    return error_set(err, ERROR_USAGE, words->path, late->number, late->column,
                     late->pareto ? "\"%s\" is not seconds, an axis or a total"
                                  : "no line of the specification has %s=%s",
                     late->key, late->value);
}

static size_t find_card(const struct sweep_spec *spec, const char *name)
{
    for (size_t c = 0; c < spec->card_count; c++)
        if (strcmp(spec->cards[c].name, name) == 0)
            return c;
    return SWEEP_SAME;
}

static size_t find_method(const struct sweep_spec *spec, const char *name)
{
    for (size_t m = 0; m < spec->method_count; m++)
        if (strcmp(spec->methods[m].name, name) == 0)
            return m;
    return SWEEP_SAME;
}

static size_t find_point(const struct sweep_axis *axis, const char *label)
{
    for (size_t p = 0; p < axis->count; p++)
        if (strcmp(axis->points[p].label, label) == 0)
            return p;
    return SWEEP_SAME;
}

static int resolve_baseline(struct sweep_words *words, const struct sweep_late *late,
                            struct error *err)
{
    struct sweep_spec *spec = words->spec;
    size_t axis = sweep_spec_axis(spec, late->key), *at = NULL;
    if (strcmp(late->key, "card") == 0)
        *(at = &spec->baseline.card) = find_card(spec, late->value);
    else if (strcmp(late->key, "method") == 0)
        *(at = &spec->baseline.method) = find_method(spec, late->value);
    else if (axis < spec->axis_count)
        *(at = &spec->baseline.axes[axis]) = find_point(&spec->axes[axis], late->value);
    for (size_t p = 0; p < spec->policies.count && strcmp(late->key, "warm") == 0; p++)
        if (strcmp(spec->policies.items[p], late->value) == 0)
            spec->baseline.warm = spec->policies.items[p];
    bool found = at != NULL ? *at != SWEEP_SAME
                            : strcmp(late->key, "warm") == 0 && spec->baseline.warm != NULL;
    return found ? 0 : late_fail(words, late, err);
}

static int resolve_pareto(struct sweep_words *words, const struct sweep_late *late,
                          struct error *err)
{
    struct sweep_spec *spec = words->spec;
    if (sweep_spec_axis(spec, late->key) == spec->axis_count &&
        sweep_columns_total(late->key) == SIZE_MAX)
        return late_fail(words, late, err);
    return sweep_spec_add(spec, &spec->pareto, late->key) ? 0 : error_no_memory(err);
}

int sweep_words_end(struct sweep_words *words, struct error *err)
{
    int result = 0;
    for (size_t i = 0; i < words->late_count && result == 0; i++)
        result = (words->late[i].pareto ? resolve_pareto
                                        : resolve_baseline)(words, &words->late[i], err);
    return result;
}

void sweep_words_finish(struct sweep_words *words)
{
    for (size_t i = 0; i < words->late_count; i++) {
        free(words->late[i].key);
        free(words->late[i].value);
    }
    free(words->late);
}

/* ---- the table ---- */

static const struct keyword {
    const char *name, *usage;
    size_t least; /* words, with the keyword */
    int (*take)(struct sweep_words *words, const struct sweep_line *line, struct error *err);
} keywords[] = {
    {"workload", "[NAME=]PATH...", 2, take_workload},
    {"define", "NAME OPTION=VALUE...", 3, take_define},
    {"card", "NAME...", 2, take_card},
    {"option", "OPTION VALUE...", 3, take_option},
    {"point", "AXIS LABEL OPTION=VALUE...", 4, take_point},
    {"method", "full|METHOD [OPTION=VALUE]...", 2, take_method},
    {"warm", "POLICY...", 2, take_warm},
    {"baseline", "NAME=VALUE...", 2, take_baseline},
    {"pareto", "NAME...", 2, take_pareto},
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
