#include <string.h>

#include "sampling/methods.h"
#include "traces/base/spelling.h"

#define BIT(option) SAMPLING_BIT(SAMPLING_##option)
static const struct sampling_method methods[] = {
#define METHOD(id, name, options, needs, columns, scale, random, description)                  \
    {name, description, options, needs, columns, SAMPLING_SCALE_##scale, random, sampling_##id},
#include "sampling/methods.def"
#undef METHOD
};
#define METHODS (sizeof methods / sizeof methods[0])

const struct sampling_method *sampling_method(size_t i)
{
    return i < METHODS ? &methods[i] : NULL;
}

/* The method whose name is nearest, with fewer than half of the letters wrong;
 * NULL if there is none. */
static const struct sampling_method *nearest_method(const char *name)
{
    const struct sampling_method *best = NULL;
    unsigned limit = (unsigned)strlen(name) / 2 + 1;
    for (size_t i = 0; i < METHODS; i++) {
        unsigned apart = spelling_distance(name, methods[i].name);
        if (apart < limit && strlen(methods[i].name) > apart) {
            limit = apart;
            best = &methods[i];
        }
    }
    return best;
}

const struct sampling_method *sampling_find_method(const char *name, struct error *err)
{
    char known[512] = "";
    for (size_t i = 0; i < METHODS; i++) {
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", methods[i].name);
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
