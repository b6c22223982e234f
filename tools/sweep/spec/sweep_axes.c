/* Keywords of a specification: the axes, and parts of compositions. */
#include <stdio.h>
#include <string.h>

#include "tools/sweep/spec/sweep_settings.h"
#include "tools/sweep/spec/sweep_words.h"
#include "tools/sweep/tables/sweep_columns.h"
#include "traces/base/bytes.h"

/* The axis NAME, made if there is none. NULL with ERR filled. */
static struct sweep_axis *axis_called(struct sweep_spec *spec, const struct sweep_line *line,
                                      struct error *err)
{
    const char *name = line->words[1].text;
    size_t axis = sweep_spec_axis(spec, name);
    if (axis < spec->axis_count)
        return &spec->axes[axis];
    if (axis == SWEEP_AXES || sweep_columns_taken(name)) {
        if (axis == SWEEP_AXES)
            sweep_line_fail(line, 1, err, "more than %d axes", SWEEP_AXES);
        else
            sweep_line_fail(line, 1, err, "\"%s\" is already a column of the tables", name);
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
int sweep_words_option(struct sweep_words *words, const struct sweep_line *line,
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
int sweep_words_point(struct sweep_words *words, const struct sweep_line *line,
                      struct error *err)
{
    struct sweep_axis *axis = axis_called(words->spec, line, err);
    struct sweep_point *point =
        axis != NULL ? add_point(words, axis, line, 2, line->words[2].text, err) : NULL;
    return point == NULL ? -1 : sweep_settings_pairs(words->spec, &point->values, line, 3, err);
}

/* define NAME OPTION=VALUE... */
int sweep_words_define(struct sweep_words *words, const struct sweep_line *line,
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
