/* Keywords of a specification that name what other lines say: the baseline, and what is
 * minimised. They are kept until all lines are known. */
#include <stdlib.h>
#include <string.h>

#include "tools/sweep/spec/sweep_words.h"
#include "tools/sweep/tables/sweep_columns.h"
#include "traces/base/bytes.h"

static int keep(struct sweep_words *words, const struct sweep_line *line, bool pareto,
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

int sweep_words_baseline(struct sweep_words *words, const struct sweep_line *line,
                         struct error *err)
{
    words->spec->baseline.given = true;
    return keep(words, line, false, err);
}

int sweep_words_pareto(struct sweep_words *words, const struct sweep_line *line,
                       struct error *err)
{
    return keep(words, line, true, err);
}

static int fail(const struct sweep_words *words, const struct sweep_late *late,
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
    for (size_t p = 0; p < spec->policy_count && strcmp(late->key, "warm") == 0; p++)
        if (strcmp(spec->policies[p].name, late->value) == 0)
            spec->baseline.warm = spec->policies[p].name;
    bool found = at != NULL ? *at != SWEEP_SAME
                            : strcmp(late->key, "warm") == 0 && spec->baseline.warm != NULL;
    return found ? 0 : fail(words, late, err);
}

static int resolve_pareto(struct sweep_words *words, const struct sweep_late *late,
                          struct error *err)
{
    struct sweep_spec *spec = words->spec;
    if (sweep_spec_axis(spec, late->key) == spec->axis_count &&
        sweep_columns_total(late->key) == SIZE_MAX)
        return fail(words, late, err);
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
