/* METHOD[:OPTION=VALUE...], and the table of methods. */
#include <stdlib.h>
#include <string.h>

#include "sampling/intra/watch.h"
#include "traces/base/number.h"
#include "traces/base/spelling.h"

static const struct intra_method methods[] = {
#define METHOD(id, name, defaults, description) {name, defaults, description, &intra_kind_##id},
#include "sampling/intra/methods.def"
#undef METHOD
};

static const size_t method_count = sizeof methods / sizeof methods[0];

static const struct intra_option {
    const char *name;
    double least, greatest;
    const char *help;
} options[INTRA_OPTIONS] = {
#define OPTION(id, name, least, greatest, help) {name, least, greatest, help},
#include "sampling/intra/options.def"
#undef OPTION
};

static const struct intra_method *find_method(const char *name, size_t length,
                                              struct error *err)
{
    char known[256] = "", hint[SPELLING_HINT], *copy = strndup(name, length);
    if (copy == NULL) {
        error_no_memory(err);
        return NULL;
    }
    struct spelling_guess guess = spelling_guess(copy);
    size_t used = 0;
    const struct intra_method *found = NULL;
    for (size_t i = 0; i < method_count; i++) {
        const char *other = methods[i].name;
        if (strcmp(other, copy) == 0)
            found = &methods[i];
        spelling_consider(&guess, other);
        if (used < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                     used > 0 ? ", " : "", other);
    }
    if (found == NULL)
        error_set(err, ERROR_USAGE, NULL, 0, 0, "intra \"%s\": expected one of %s%s", copy,
                  known, spelling_hint(&guess, "", hint));
    free(copy);
    return found;
}

/* The option NAME of LENGTH bytes; INTRA_OPTIONS if there is none. */
static size_t find_option(const char *name, size_t length)
{
    size_t i = 0;
    while (i < INTRA_OPTIONS &&
           (strlen(options[i].name) != length || memcmp(options[i].name, name, length) != 0))
        i++;
    return i;
}

/* Reads OPTION=VALUE, the next item of *AT, and moves past it. ALLOWED: bits of the options
 * that the method has; NULL: all, and *SEEN gets the bit. */
static int read_item(struct intra_spec *spec, const char **at, uint64_t allowed, uint64_t *seen,
                     struct error *err)
{
    size_t length = strcspn(*at, ":"), name = strcspn(*at, "=:");
    char value[64];
    size_t option = find_option(*at, name);
    if (option == INTRA_OPTIONS || !(allowed >> option & 1))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "intra %s: no option \"%.*s\"; it has %s", spec->method->name,
                         (int)name, *at, spec->method->defaults);
    int digits = length > name ? (int)(length - name - 1) : 0;
    snprintf(value, sizeof value, "%.*s", digits, *at + (length > name ? name + 1 : name));
    if (!number_decimal(value, options[option].least, options[option].greatest,
                        &spec->values[option]))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "intra %s: %s=%s: expected a number from %g to %g", spec->method->name,
                         options[option].name, value, options[option].least,
                         options[option].greatest);
    *seen |= UINT64_C(1) << option;
    *at += length;
    *at += **at == ':';
    return 0;
}

/* Reads the items of TEXT. */
static int read_items(struct intra_spec *spec, const char *text, uint64_t allowed,
                      uint64_t *seen, struct error *err)
{
    while (*text != '\0')
        if (read_item(spec, &text, allowed, seen, err) != 0)
            return -1;
    return 0;
}

int intra_parse(struct intra_spec *spec, const char *text, struct error *err)
{
    size_t length = strcspn(text, ":");
    uint64_t known = 0, given = 0;
    *spec = (struct intra_spec){.method = find_method(text, length, err)};
    if (spec->method == NULL ||
        read_items(spec, spec->method->defaults, UINT64_MAX, &known, err) != 0)
        return -1;
    text += length;
    return read_items(spec, text + (*text == ':'), known, &given, err);
}

const char *intra_name(const struct intra_spec *spec)
{
    return spec->method->name;
}

const char *intra_find(const char *name)
{
    for (size_t i = 0; i < method_count; i++)
        if (strcmp(methods[i].name, name) == 0)
            return methods[i].name;
    return NULL;
}

bool intra_warms(const struct intra_spec *spec)
{
    return spec->values[INTRA_WARM] == INTRA_WARM_AFTER;
}

void intra_describe(FILE *out)
{
    for (size_t i = 0; i < method_count; i++)
        fprintf(out, "\n%s: %s; %s", methods[i].name, methods[i].description,
                methods[i].defaults);
    fputs("\noptions, after colons as NAME=VALUE:", out);
    for (size_t i = 0; i < INTRA_OPTIONS; i++)
        fprintf(out, "\n%s: %s", options[i].name, options[i].help);
}
