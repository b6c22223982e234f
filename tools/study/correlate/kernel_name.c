#include "tools/study/correlate/kernel_name.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_mangled(const char *name)
{
    return strncmp(name, "_Z", 2) == 0;
}

/* Of a name by the Itanium C++ ABI: _Z6reduce..., _ZN2at6native6reduceI... */
static const char *mangled_identifier(const char *name, size_t *length)
{
    const char *at = name + 2, *end = name + strlen(name), *found = name;
    *length = (size_t)(end - name);
    bool nested = *at == 'N';
    while (*at != '\0' && !isdigit((unsigned char)*at)) /* N, qualifiers, substitutions */
        at++;
    while (isdigit((unsigned char)*at)) {
        char *text;
        unsigned long size = strtoul(at, &text, 10);
        if (size > (unsigned long)(end - text))
            break;
        found = text;
        *length = size;
        at = text + size;
        if (!nested)
            break;
    }
    return found;
}

/* Where the template arguments or parameters of a readable NAME begin. */
static const char *end_of_identifier(const char *name)
{
    static const char anonymous[] = "(anonymous namespace)";
    const char *at = name;
    while (*at != '\0' && *at != '<' && *at != '(')
        at++;
    if (strncmp(at, anonymous, sizeof anonymous - 1) == 0)
        return end_of_identifier(at + sizeof anonymous - 1);
    return at;
}

const char *kernel_name_identifier(const char *name, size_t *length)
{
    if (is_mangled(name))
        return mangled_identifier(name, length);
    const char *end = end_of_identifier(name), *begin;
    while (end > name && end[-1] == ' ')
        end--;
    begin = end;
    while (begin > name && begin[-1] != ':' && begin[-1] != ' ')
        begin--;
    *length = (size_t)(end - begin);
    return begin;
}

bool kernel_name_same(const char *a, const char *b)
{
    if (strcmp(a, b) == 0)
        return true;
    if (is_mangled(a) == is_mangled(b) && (strchr(a, '(') == NULL) == (strchr(b, '(') == NULL))
        return false;
    size_t x, y;
    const char *p = kernel_name_identifier(a, &x), *q = kernel_name_identifier(b, &y);
    return x == y && memcmp(p, q, x) == 0;
}
