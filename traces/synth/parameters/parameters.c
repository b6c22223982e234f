/* Parameters of synthetic workloads: the table, and what was asked for. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/number.h"
#include "traces/synth/parameters/parameters.h"

static const struct synth_parameter parameters[] = {
#define PARAMETER(workload, name, initial, least, most, description)                           \
    {#workload, #name, initial, least, most, description},
#include "traces/synth/parameters/parameters.def"
#undef PARAMETER
};
#define PARAMETERS (sizeof parameters / sizeof *parameters)

const char *trace_synth_parameter(const char *workload, size_t i, const char **description,
                                  uint32_t *initial, uint32_t *least, uint32_t *most)
{
    for (size_t p = 0; p < PARAMETERS; p++)
        if (strcmp(parameters[p].workload, workload) == 0 && i-- == 0) {
            *description = parameters[p].description;
            *initial = parameters[p].initial;
            *least = parameters[p].least;
            *most = parameters[p].most;
            return parameters[p].name;
        }
    return NULL;
}

static const struct synth_parameter *find(const char *workload, const char *name, size_t length)
{
    for (size_t p = 0; p < PARAMETERS; p++)
        if (strcmp(parameters[p].workload, workload) == 0 &&
            strlen(parameters[p].name) == length &&
            memcmp(parameters[p].name, name, length) == 0)
            return &parameters[p];
    return NULL;
}

static int check(const char *workload, const char *text, struct error *err)
{
    size_t length = strcspn(text, "=");
    const struct synth_parameter *parameter = find(workload, text, length);
    uint64_t value;
    if (parameter == NULL || text[length] != '=')
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "parameter \"%s\": expected NAME=VALUE of a parameter of %s", text,
                         workload);
    if (!number_whole(text + length + 1, parameter->least, parameter->most, &value))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "parameter \"%s\": expected %" PRIu32 " to %" PRIu32, text,
                         parameter->least, parameter->most);
    return 0;
}

int parameters_check(const char *workload, const struct trace_synth_options *options,
                     struct error *err)
{
    for (size_t i = 0; i < options->parameter_count; i++)
        if (check(workload, options->parameters[i], err) != 0)
            return -1;
    return 0;
}

uint32_t synth_parameter(const struct synth *synth, const char *name)
{
    size_t length = strlen(name);
    const struct synth_parameter *parameter = find(synth->workload->name, name, length);
    uint32_t value = parameter->initial;
    for (size_t i = 0; i < synth->options->parameter_count; i++) {
        const char *text = synth->options->parameters[i];
        if (strncmp(text, name, length) == 0 && text[length] == '=')
            value = (uint32_t)strtoul(text + length + 1, NULL, 10);
    }
    return value;
}
