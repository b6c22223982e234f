#include "sim/config/build.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/number.h"
#include "traces/base/visible.h"

static void *member(struct sim_config *config, const struct sim_option_info *option)
{
    return (char *)&config->options + option->offset;
}

const char *build_text(const struct build *build, enum sim_option option)
{
    return *(char **)member(build->config, &sim_option_table[option]);
}

int build_no_memory(const struct build *build)
{
    return error_no_memory(build->err);
}

int build_fail(const struct build *build, enum sim_option option, size_t offset,
               const char *format, ...)
{
    char text[ERROR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const struct build_place *place = &build->place[option];
    /* After a blank, the text may have continued on another line. */
    if (offset > 0 && memchr(build_text(build, option), ' ', offset) != NULL)
        offset = 0;
    return error_set(build->err, ERROR_USAGE, place->file, place->line,
                     place->column + (int)offset, "-%s: %s", sim_option_table[option].name,
                     text);
}

/* "an integer from 1 to 8", "0 or 1". */
static const char *expected(const struct sim_option_info *option, char *buffer, size_t size)
{
    if (option->type == SIM_OPTION_BOOL)
        snprintf(buffer, size, "0 or 1");
    else
        snprintf(buffer, size, "an integer from %lld to %lld", (long long)option->min,
                 (long long)option->max);
    return buffer;
}

static int read_integer(const struct build *build, const struct sim_option_info *option,
                        const char *text, const struct build_place *place, int64_t *value)
{
    char range[80], room[VISIBLE_SHORT];
    const char *shown = visible_short(text, room);
    bool negative = text[0] == '-';
    uint64_t magnitude;
    unsigned length = number_prefix(text + negative, true, &magnitude);
    expected(option, range, sizeof range);
    if (length == 0)
        return error_set(build->err, ERROR_USAGE, place->file, place->line, place->column,
                         "-%s: expected %s; got '%s'", option->name, range, shown);
    length += negative;
    if (text[length] != '\0')
        return error_set(build->err, ERROR_USAGE, place->file, place->line, place->column,
                         "-%s: expected %s; got '%s', whose number ends at column %d",
                         option->name, range, shown, place->column + (int)length - 1);
    *value = magnitude > INT64_MAX ? INT64_MAX : (int64_t)magnitude;
    if (negative)
        *value = -*value;
    if (magnitude > INT64_MAX || *value < option->min || *value > option->max)
        return error_set(build->err, ERROR_USAGE, place->file, place->line, place->column,
                         "-%s: %s is out of range: expected %s", option->name, shown, range);
    return 0;
}

static int set_text(const struct build *build, char **to, const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL)
        return build_no_memory(build);
    free(*to);
    *to = copy;
    return 0;
}

static int set_value(struct build *build, const struct sim_option_info *option,
                     const char *text, const struct build_place *place)
{
    void *to = member(build->config, option);
    int64_t value = 0;
    if (option->type == SIM_OPTION_TEXT)
        return set_text(build, to, text);
    if (read_integer(build, option, text, place, &value) < 0)
        return -1;
    switch (option->type) {
    case SIM_OPTION_U32:
        *(uint32_t *)to = (uint32_t)value;
        break;
    case SIM_OPTION_I32:
        *(int32_t *)to = (int32_t)value;
        break;
    case SIM_OPTION_U64:
        *(uint64_t *)to = (uint64_t)value;
        break;
    case SIM_OPTION_BOOL:
        *(bool *)to = value != 0;
        break;
    case SIM_OPTION_TEXT:
        break;
    }
    return 0;
}

int build_set(struct build *build, const struct sim_option_info *option, const char *text,
              struct build_place place)
{
    size_t index = (size_t)(option - sim_option_table);
    if (set_value(build, option, text, &place) < 0)
        return -1;
    if (build->given[index] && !build->bundled && place.line != 0 &&
        place.file == build->place[index].file)
        build->again[index] = build->place[index].line;
    build->place[index] = place;
    build->given[index] = !build->bundled;
    return 0;
}

int build_init(struct build *build, struct sim_config *config, struct error *err)
{
    memset(build, 0, sizeof *build);
    build->config = config;
    build->err = err;
    const struct build_place nowhere = {0};
    for (size_t i = 0; i < SIM_OPTION_COUNT; i++)
        if (set_value(build, &sim_option_table[i], sim_option_table[i].initial, &nowhere) < 0)
            return -1;
    return 0;
}
