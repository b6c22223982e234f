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

/* The method with the nearest name, with fewer than half of the letters wrong; NULL if there
 * is none. */
static const struct sampling_method *nearest_method(const char *name)
{
    const struct sampling_method *best = NULL;
    unsigned limit = (unsigned)strlen(name) / 2 + 1;
    for (const struct sampling_method *m = sampling_methods; m->name != NULL; m++) {
        unsigned apart = spelling_distance(name, m->name);
        if (apart < limit && strlen(m->name) > apart) {
            limit = apart;
            best = m;
        }
    }
    return best;
}

const struct sampling_method *sampling_find_method(const char *name, struct error *err)
{
    char known[512] = "";
    size_t used = 0;
    for (const struct sampling_method *m = sampling_methods; m->name != NULL; m++) {
        if (strcmp(m->name, name) == 0)
            return m;
        if (used < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                     used > 0 ? ", " : "", m->name);
    }
    const struct sampling_method *near = nearest_method(name);
    error_set(err, ERROR_USAGE, NULL, 0, 0, "--method \"%s\": expected one of %s%s%s%s", name,
              known, near != NULL ? "; did you mean " : "", near != NULL ? near->name : "",
              near != NULL ? "?" : "");
    return NULL;
}

const char *sampling_unit_name(enum sampling_unit unit)
{
    static const char *const names[] = {"unknown", "warp instructions", "thread instructions"};
    return names[unit];
}
