#include <inttypes.h>
#include <string.h>

#include "sim/config.h"

const char *sim_config_value(const struct sim_config *config,
                             const struct sim_option_info *option, char *buffer, size_t size)
{
    const void *value = (const char *)&config->options + option->offset;
    switch (option->type) {
    case SIM_OPTION_U32:
        snprintf(buffer, size, "%" PRIu32, *(const uint32_t *)value);
        break;
    case SIM_OPTION_I32:
        snprintf(buffer, size, "%" PRId32, *(const int32_t *)value);
        break;
    case SIM_OPTION_U64:
        snprintf(buffer, size, "%" PRIu64, *(const uint64_t *)value);
        break;
    case SIM_OPTION_BOOL:
        snprintf(buffer, size, "%d", *(const bool *)value);
        break;
    case SIM_OPTION_TEXT:
        return *(char *const *)value;
    }
    return buffer;
}

/* Whether a text would be misread because of its first character or its blanks. */
static bool needs_quotes(const struct sim_option_info *option, const char *value)
{
    return option->type == SIM_OPTION_TEXT && (value[0] == '\0' || value[0] == '"' ||
                                               value[0] == '-' || strchr(value, ' ') != NULL);
}

void sim_config_print(const struct sim_config *config, FILE *out)
{
    fprintf(out, "# Effective configuration: every option, its description and its unit\n");
    for (size_t i = 0; i < SIM_OPTION_COUNT; i++) {
        const struct sim_option_info *option = &sim_option_table[i];
        char buffer[24], range[SIM_OPTION_RANGE];
        const char *value = sim_config_value(config, option, buffer, sizeof buffer);
        const char *quote = needs_quotes(option, value) ? "\"" : "";
        fprintf(out, "-%s %s%s%s # %s%s", option->name, quote, value, quote,
                option->effect == SIM_OPTION_NO_EFFECT ? "no effect: " : "",
                option->description);
        if (sim_option_policies(option) != NULL)
            fprintf(out, ": %s", sim_option_range(option, range, sizeof range));
        if (option->unit[0] != '\0')
            fprintf(out, " (%s)", option->unit);
        fputc('\n', out);
    }
}
