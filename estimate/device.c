#include "estimate/device.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "traces/base/number.h"
#include "traces/base/spelling.h"

struct device_parameter {
    const char *name, *unit;
    double least, most, initial;
    const char *description;
    size_t offset;
};

static const struct device_parameter parameters[] = {
#define PARAMETER(name, unit, least, most, initial, description)                               \
    {#name, unit, least, most, initial, description, offsetof(struct estimate_device, name)},
#include "estimate/device.def"
};
#define PARAMETERS (sizeof parameters / sizeof *parameters)

static double *value_of(struct estimate_device *device, size_t i)
{
    return (double *)(void *)((char *)device + parameters[i].offset);
}

void estimate_device_parameters(void (*each)(void *data, const char *name, const char *unit,
                                             const char *description),
                                void *data)
{
    for (size_t i = 0; i < PARAMETERS; i++)
        each(data, parameters[i].name, parameters[i].unit, parameters[i].description);
}

/* ---- files ---- */

static int set(struct estimate_device *device, const char *file, long line, const char *name,
               const char *value, struct error *err)
{
    for (size_t i = 0; i < PARAMETERS; i++) {
        const struct device_parameter *parameter = &parameters[i];
        if (strcmp(parameter->name, name) != 0)
            continue;
        if (!number_decimal(value, parameter->least, parameter->most, value_of(device, i)))
            return error_set(err, ERROR_USAGE, file, line, 0,
                             "%s: expected a number from %g to %g; got \"%s\"", name,
                             parameter->least, parameter->most, value);
        return 0;
    }
    return error_set(err, ERROR_USAGE, file, line, 0, "\"%s\" is not a parameter of a device",
                     name);
}

/* One line, without its end and comment. */
static int read_line(struct estimate_device *device, const char *file, long number, char *line,
                     struct error *err)
{
    char *rest = NULL, *name = strtok_r(line, " \t\r", &rest);
    char *value = name != NULL ? strtok_r(NULL, " \t\r", &rest) : NULL;
    if (name == NULL)
        return 0;
    if (value == NULL || strtok_r(NULL, " \t\r", &rest) != NULL)
        return error_set(err, ERROR_USAGE, file, number, 0,
                         "expected the name of a parameter and its value");
    return set(device, file, number, name, value, err);
}

static int check_complete(struct estimate_device *device, const char *file, struct error *err)
{
    for (size_t i = 0; i < PARAMETERS; i++)
        if (isnan(*value_of(device, i)))
            return error_set(err, ERROR_USAGE, file, 0, 0, "%s is missing", parameters[i].name);
    return 0;
}

int estimate_device_parse(struct estimate_device *device, const char *name, const char *text,
                          size_t size, struct error *err)
{
    char line[256];
    memset(device, 0, sizeof *device);
    const char *slash = strrchr(name, '/');
    snprintf(device->name, sizeof device->name, "%s", slash != NULL ? slash + 1 : name);
    for (size_t i = 0; i < PARAMETERS; i++)
        *value_of(device, i) = parameters[i].initial;
    long number = 1;
    for (size_t at = 0; at < size; number++) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end != NULL ? (size_t)(end - text) - at : size - at;
        if (length >= sizeof line)
            return error_set(err, ERROR_USAGE, name, number, 0, "the line is too long");
        memcpy(line, text + at, length);
        line[length] = '\0';
        line[strcspn(line, "#")] = '\0';
        if (read_line(device, name, number, line, err) != 0)
            return -1;
        at += length + 1;
    }
    return check_complete(device, name, err);
}

static int no_device(const char *name, struct error *err)
{
    char hint[SPELLING_HINT];
    const char *reason = strerror(errno);
    struct spelling_guess guess = spelling_guess(name);
    for (const struct sim_bundled_config *b = estimate_bundled_devices; b->name != NULL; b++)
        spelling_consider(&guess, b->name);
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "\"%s\" is neither a bundled device nor a file: %s%s", name, reason,
                     spelling_hint(&guess, "", hint));
}

int estimate_device_open(struct estimate_device *device, const char *name, struct error *err)
{
    enum { MOST = 1 << 16 };
    for (const struct sim_bundled_config *b = estimate_bundled_devices; b->name != NULL; b++)
        if (strcasecmp(b->name, name) == 0)
            return estimate_device_parse(device, b->name, b->text, b->size, err);
    FILE *in = fopen(name, "rb");
    if (in == NULL)
        return no_device(name, err);
    char *text = malloc(MOST);
    size_t size = text != NULL ? fread(text, 1, MOST, in) : 0;
    int result = text == NULL   ? error_no_memory(err)
                 : ferror(in)   ? error_set(err, ERROR_USAGE, name, 0, 0, "cannot be read")
                 : size == MOST ? error_set(err, ERROR_USAGE, name, 0, 0, "is too long")
                                : estimate_device_parse(device, name, text, size, err);
    free(text);
    fclose(in);
    return result;
}

/* ---- latencies and occupancy ---- */

double estimate_device_latency(const struct estimate_device *device, enum trace_unit unit)
{
    return unit == TRACE_UNIT_FP64     ? device->latency_fp64
           : unit == TRACE_UNIT_SFU    ? device->latency_sfu
           : unit == TRACE_UNIT_TENSOR ? device->latency_tensor
                                       : device->latency_alu;
}

uint32_t estimate_device_blocks(const struct estimate_device *device, uint32_t threads,
                                uint32_t regs, uint32_t shmem)
{
    double warps = ceil(threads / 32.0);
    double unit = device->warp_registers;
    double of_warp = ceil(regs * 32.0 / unit) * unit;
    double blocks = fmin(device->blocks, floor(device->threads / (32 * warps)));
    if (regs > 0)
        blocks = fmin(blocks, floor(floor(device->registers / of_warp) / warps));
    if (shmem > 0)
        blocks = fmin(blocks, floor(device->shared_memory / shmem));
    return blocks > 0 ? (uint32_t)blocks : 0;
}
