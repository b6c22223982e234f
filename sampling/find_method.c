#include <string.h>

#include "sampling/methods/methods.h"
#include "traces/base/spelling.h"

const struct sampling_method *sampling_method(size_t i)
{
    for (size_t k = 0; k <= i; k++)
        if (sampling_methods[k].name == NULL)
            return NULL;
    return &sampling_methods[i];
}

const struct sampling_method *sampling_find_method(const char *name, struct error *err)
{
    char known[512] = "", hint[SPELLING_HINT];
    struct spelling_guess guess = spelling_guess(name);
    size_t used = 0;
    for (const struct sampling_method *m = sampling_methods; m->name != NULL; m++) {
        if (strcmp(m->name, name) == 0)
            return m;
        spelling_consider(&guess, m->name);
        if (used < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                     used > 0 ? ", " : "", m->name);
    }
    error_set(err, ERROR_USAGE, NULL, 0, 0, "--method \"%s\": expected one of %s%s", name,
              known, spelling_hint(&guess, "", hint));
    return NULL;
}

const char *sampling_unit_name(enum sampling_unit unit)
{
    static const char *const names[] = {"unknown", "warp instructions", "thread instructions"};
    return names[unit];
}
