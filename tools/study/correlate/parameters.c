#include "tools/study/correlate/parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A and B are at the first character of a value. Returns whether the values agree, and moves
 * both past them. */
static bool take_value(const char **a, const char **b, double ratio)
{
    size_t x = strcspn(*a, ";"), y = strcspn(*b, ";");
    bool same = x == y && memcmp(*a, *b, x) == 0;
    if (!same) {
        char *end_a, *end_b;
        double value_a = strtod(*a, &end_a), value_b = strtod(*b, &end_b);
        same = end_a == *a + x && end_b == *b + y &&
               fabs(value_b - ratio * value_a) <= 1e-9 * fabs(value_b);
    }
    *a += x;
    *b += y;
    return same;
}

bool parameters_differ_by(const char *a, const char *b, double ratio)
{
    while (*a != '\0' && *b != '\0') {
        size_t name = strcspn(a, "=");
        if (strncmp(a, b, name + 1) != 0 || a[name] == '\0')
            return false;
        a += name + 1;
        b += name + 1;
        if (!take_value(&a, &b, ratio))
            return false;
        a += *a == ';';
        b += *b == ';';
    }
    return *a == *b;
}
