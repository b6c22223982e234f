#include "sim/config/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/config/flush_places.h"
#include "sim/core/core_model.h"
#include "sim/core/schedulers/warp_scheduler.h"
#include "sim/memory/dram/schedulers/dram_scheduler.h"
#include "sim/memory/replacement/replacement.h"
#include "traces/base/spelling.h"

#define M31 INT32_MAX
#define M32 UINT32_MAX
#define M63 INT64_MAX
#define Q   (1 << 20)

#define USED      SIM_OPTION_USED
#define NO_EFFECT SIM_OPTION_NO_EFFECT

const struct sim_option_info sim_option_table[SIM_OPTION_COUNT] = {
#define OPTION(type_, field, name_, initial_, unit_, min_, max_, effect_, description_)        \
    {.name = name_,                                                                            \
     .type = SIM_OPTION_##type_,                                                               \
     .effect = effect_,                                                                        \
     .initial = initial_,                                                                      \
     .unit = unit_,                                                                            \
     .min = min_,                                                                              \
     .max = max_,                                                                              \
     .description = description_,                                                              \
     .offset = offsetof(struct sim_options, field)},
#include "sim/config/options.def"
#undef OPTION
};

static const struct {
    const char *name;
    enum sim_option option;
} aliases[] = {
#define OPTION(...)
#define ALIAS(name, field) {name, SIM_OPTION_##field},
#include "sim/config/options.def"
#undef OPTION
};

const struct sim_option_info *sim_option_find(const char *name)
{
    for (size_t i = 0; i < SIM_OPTION_COUNT; i++)
        if (strcmp(sim_option_table[i].name, name) == 0)
            return &sim_option_table[i];
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strcmp(aliases[i].name, name) == 0)
            return &sim_option_table[aliases[i].option];
    return NULL;
}

static const struct {
    enum sim_option first;
    const char *where;
} sections[] = {
#define OPTION(...)
#define SECTION(id, where) {SIM_SECTION_##id, where},
#include "sim/config/options.def"
#undef OPTION
};

const char *sim_option_where(const struct sim_option_info *option)
{
    size_t at = sizeof sections / sizeof *sections;
    while (at > 1 && &sim_option_table[sections[at - 1].first] > option)
        at--;
    return sections[at - 1].where;
}

const char *sim_option_unit(const struct sim_option_info *option)
{
    if (option->unit[0] != '\0')
        return option->unit;
    if (option->type == SIM_OPTION_TEXT)
        return "text";
    return option->type == SIM_OPTION_BOOL ? "switch" : "number";
}

static const struct {
    enum sim_option option;
    const char *field; /* NULL: the whole value */
    const struct policy *const *table;
} policies[] = {
#define OPTION(...)
#define POLICIES(field, table)               {SIM_OPTION_##field, NULL, table},
#define FIELD_POLICIES(field, letter, table) {SIM_OPTION_##field, letter, table},
#include "sim/config/options.def"
#undef OPTION
};
#define POLICY_COUNT (sizeof policies / sizeof *policies)

const struct policy *const *sim_option_policies(const struct sim_option_info *option)
{
    for (size_t i = 0; i < POLICY_COUNT; i++)
        if (&sim_option_table[policies[i].option] == option && policies[i].field == NULL)
            return policies[i].table;
    return NULL;
}

const struct policy *const *sim_option_field_policies(const struct sim_option_info *option,
                                                      const char **field)
{
    for (size_t i = 0; i < POLICY_COUNT; i++) {
        *field = policies[i].field;
        if (&sim_option_table[policies[i].option] == option && *field != NULL)
            return policies[i].table;
    }
    return NULL;
}

const char *sim_option_range(const struct sim_option_info *option, char *buffer, size_t size)
{
    const struct policy *const *table = sim_option_policies(option);
    if (table != NULL)
        policy_names(table, buffer, size);
    else if (option->type == SIM_OPTION_TEXT)
        snprintf(buffer, size, "a text as described");
    else if (option->type == SIM_OPTION_BOOL)
        snprintf(buffer, size, "0 or 1");
    else
        snprintf(buffer, size, "from %" PRId64 " to %" PRId64, option->min, option->max);
    return buffer;
}

/* The option that is called NAME after a prefix such as "gpgpu_". */
static const struct sim_option_info *find_suffix(const char *name, size_t length)
{
    for (size_t i = 0; length > 2 && i < SIM_OPTION_COUNT; i++) {
        const char *full = sim_option_table[i].name;
        size_t more = strlen(full);
        if (more > length && full[more - length - 1] == '_' &&
            strcasecmp(full + more - length, name) == 0)
            return &sim_option_table[i];
    }
    return NULL;
}

const struct sim_option_info *sim_option_nearest(const char *name)
{
    size_t length = strlen(name);
    if (length > SPELLING_LIMIT)
        return NULL;
    const struct sim_option_info *best = find_suffix(name, length);
    if (best != NULL)
        return best;
    struct spelling_guess guess = spelling_guess(name);
    for (size_t i = 0; i < SIM_OPTION_COUNT; i++)
        spelling_consider(&guess, sim_option_table[i].name);
    return guess.name != NULL ? sim_option_find(guess.name) : NULL;
}
