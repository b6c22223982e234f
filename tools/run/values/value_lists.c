#include "tools/run/values/value_lists.h"

#include "sampling/sampling.h"
#include "sim/config.h"

void value_lists_cards(FILE *out)
{
    for (const struct sim_bundled_config *card = sim_bundled_configs; card->name != NULL;
         card++)
        fprintf(out, "\n%s: %s", card->name, card->description);
}

static void list_options(const char *after, FILE *out)
{
    for (size_t i = 0; i < SIM_OPTION_COUNT; i++)
        fprintf(out, "\n%s%s: %s", sim_option_table[i].name, after,
                sim_option_table[i].description);
}

void value_lists_options(FILE *out)
{
    list_options("=", out);
}

void value_lists_option_names(FILE *out)
{
    list_options("", out);
}

void value_lists_methods(FILE *out)
{
    const struct sampling_method *method;
    for (size_t i = 0; (method = sampling_method(i)) != NULL; i++)
        fprintf(out, "\n%s: %s", method->name, method->description);
}
