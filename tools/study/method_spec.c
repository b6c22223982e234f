#define _DEFAULT_SOURCE /* strsep */
#include "tools/study/method_spec.h"

#include <stdio.h>
#include <string.h>

static int set_option(struct method_spec *spec, const char *name, const char *value,
                      struct error *err)
{
    for (int i = 0; i < SAMPLING_OPTIONS; i++) {
        enum sampling_option_id id = (enum sampling_option_id)i;
        if (strcmp(sampling_option(id)->name, name) != 0)
            continue;
        if (!(spec->method->options & SAMPLING_BIT(id)))
            break;
        return sampling_option_set(&spec->options, id, value, err);
    }
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "--methods \"%s\": \"%s\" is no option of %s", spec->text, name,
                     spec->method->name);
}

/* Reads a piece of TEXT after its name: OPTION=VALUE. */
static int take_piece(struct method_spec *spec, char *piece, struct error *err)
{
    char *value = strchr(piece, '=');
    if (value == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--methods \"%s\": expected OPTION=VALUE after the colon, not \"%s\"",
                         spec->text, piece);
    *value++ = '\0';
    return set_option(spec, piece, value, err);
}

int method_spec_init(struct method_spec *spec, const char *text, struct error *err)
{
    char copy[128], *rest = copy, *piece;
    *spec = (struct method_spec){.text = text};
    sampling_options_init(&spec->options);
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--methods: \"%.40s...\" is too long",
                         text);
    spec->method = sampling_find_method(strsep(&rest, ":"), err);
    if (spec->method == NULL)
        return -1;
    while ((piece = strsep(&rest, ":")) != NULL)
        if (take_piece(spec, piece, err) != 0)
            return -1;
    return sampling_check_options(spec->method, &spec->options, err);
}
