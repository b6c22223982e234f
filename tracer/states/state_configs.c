#include "tracer/states/state_configs.h"

#include <stdlib.h>
#include <string.h>

#define SOURCES_MOST 16

/* The text of TRACE_STATES, taken apart. */
struct state_text {
    const char *sources[SOURCES_MOST + 1]; /* room for that of a variant */
    unsigned source_count;
    char *rest; /* the variants */
};

static int take_sources(struct state_text *parts, char *text, struct error *err)
{
    char *sources = strtok_r(text, " \t", &parts->rest);
    char *rest = NULL;
    if (sources == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "TRACE_STATES: no configuration");
    for (char *s = strtok_r(sources, ",", &rest); s != NULL; s = strtok_r(NULL, ",", &rest)) {
        if (parts->source_count == SOURCES_MOST)
            return error_set(err, ERROR_USAGE, NULL, 0, 0,
                             "TRACE_STATES: more than %d files of one configuration",
                             SOURCES_MOST);
        parts->sources[parts->source_count++] = s;
    }
    return 0;
}

/* Adds the configuration with VARIANT, NULL for none. */
static int add(struct state_configs *configs, struct state_text *parts, const char *variant,
               struct error *err)
{
    struct error local = {0};
    bool set = variant != NULL && strchr(variant, '=') != NULL;
    unsigned count = parts->source_count;
    if (configs->count == STATE_CONFIGS_MOST)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "TRACE_STATES: at most %d variants",
                         STATE_CONFIGS_MOST - 1);
    if (variant != NULL && !set)
        parts->sources[count++] = variant;
    configs->items[configs->count] =
        sim_config_create(parts->sources, count, &variant, set, NULL, NULL, &local);
    if (configs->items[configs->count] == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "TRACE_STATES: %s", local.text);
    configs->count++;
    return 0;
}

int state_configs_init(struct state_configs *configs, const char *text, struct error *err)
{
    struct state_text parts = {0};
    char *copy = strdup(text);
    *configs = (struct state_configs){0};
    if (copy == NULL)
        return error_no_memory(err);
    int rc = take_sources(&parts, copy, err);
    if (rc == 0)
        rc = add(configs, &parts, NULL, err);
    for (char *v; rc == 0 && (v = strtok_r(NULL, " \t", &parts.rest)) != NULL;)
        rc = add(configs, &parts, v, err);
    free(copy);
    if (rc != 0)
        state_configs_finish(configs);
    return rc;
}

void state_configs_finish(struct state_configs *configs)
{
    for (size_t c = 0; c < configs->count; c++)
        sim_config_destroy(configs->items[c]);
    *configs = (struct state_configs){0};
}
