#include "tools/commands/option_help.h"

#include <string.h>

#include "sim/config.h"
#include "tools/cli/cli.h"

static void print_option(const struct sim_option_info *option, FILE *out)
{
    char range[SIM_OPTION_RANGE];
    const char *field;
    const struct policy *const *policy = sim_option_policies(option);
    fprintf(out, "-%s\n", option->name);
    fprintf(out, "    %s%s\n", option->description,
            option->effect == SIM_OPTION_NO_EFFECT ? "; no effect in this model" : "");
    for (; policy != NULL && *policy != NULL; policy++)
        fprintf(out, "      %-8s %s\n", (*policy)->name, (*policy)->description);
    policy = sim_option_field_policies(option, &field);
    for (; policy != NULL && *policy != NULL; policy++)
        fprintf(out, "      %s %s: %s\n", field, (*policy)->name, (*policy)->description);
    fprintf(out, "    unit: %s; range: %s; default: %s\n", sim_option_unit(option),
            sim_option_range(option, range, sizeof range),
            option->initial[0] != '\0' ? option->initial : "none");
    fprintf(out, "    acts on %s\n", sim_option_where(option));
}

static int unknown(const char *name, struct error *err)
{
    const struct sim_option_info *near = sim_option_nearest(name);
    if (near == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "there is no option -%s", name);
    return error_set(err, ERROR_USAGE, NULL, 0, 0, "there is no option -%s; did you mean -%s?",
                     name, near->name);
}

void option_help_candidates(const char *start, FILE *out)
{
    for (size_t i = 0; i < SIM_OPTION_COUNT; i++)
        cli_candidate(start, sim_option_table[i].name, sim_option_table[i].description, out);
}

int option_help(char *const *names, FILE *out, struct error *err)
{
    for (size_t i = 0; *names == NULL && i < SIM_OPTION_COUNT; i++)
        print_option(&sim_option_table[i], out);
    for (; *names != NULL; names++) {
        const char *name = *names + (**names == '-');
        const struct sim_option_info *option = sim_option_find(name);
        if (option == NULL)
            return unknown(name, err);
        print_option(option, out);
    }
    return 0;
}
