#define _GNU_SOURCE /* asprintf */
#include "tools/sweep/spec/sweep_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/config.h"
#include "traces/base/number.h"

int sweep_settings_check_name(const struct sweep_line *line, size_t word, const char *name,
                              struct error *err)
{
    if (sim_option_find(name) != NULL)
        return 0;
    const struct sim_option_info *nearest = sim_option_nearest(name);
    return sweep_line_fail(line, word, err, "no option %s%s%s%s", name,
                           nearest != NULL ? "; did you mean " : "",
                           nearest != NULL ? nearest->name : "", nearest != NULL ? "?" : "");
}

/* Texts are checked when configurations are made of them. */
static bool fits(const struct sim_option_info *option, const char *value)
{
    uint64_t number;
    bool counts = option->type == SIM_OPTION_U32 || option->type == SIM_OPTION_U64 ||
                  option->type == SIM_OPTION_BOOL;
    return !counts || number_whole(value, option->min > 0 ? (uint64_t)option->min : 0,
                                   (uint64_t)option->max, &number);
}

int sweep_settings_add(struct sweep_spec *spec, struct sweep_names *values,
                       const struct sweep_line *line, size_t word, const char *name,
                       const char *value, struct error *err)
{
    char range[SIM_OPTION_RANGE], *pair;
    if (sweep_settings_check_name(line, word, name, err) != 0)
        return -1;
    const struct sim_option_info *option = sim_option_find(name);
    if (!fits(option, value))
        return sweep_line_fail(line, word, err, "%s=%s: expected a whole number %s", name,
                               value, sim_option_range(option, range, sizeof range));
    if (asprintf(&pair, "%s=%s", name, value) < 0)
        return error_no_memory(err);
    bool added = sweep_spec_add(spec, values, pair);
    free(pair);
    return added ? 0 : error_no_memory(err);
}

int sweep_settings_pairs(struct sweep_spec *spec, struct sweep_names *values,
                         const struct sweep_line *line, size_t word, struct error *err)
{
    int result = 0;
    for (; word < line->count && result == 0; word++) {
        char *text = line->words[word].text, *equals = strchr(text, '=');
        if (equals == NULL)
            return sweep_line_fail(line, word, err, "expected OPTION=VALUE");
        *equals = '\0';
        result = sweep_settings_add(spec, values, line, word, text, equals + 1, err);
        *equals = '=';
    }
    return result;
}
