#include "traces/base/spelling.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned spelling_distance(const char *text, const char *known)
{
    unsigned row[SPELLING_LIMIT + 1];
    size_t n = strlen(known);
    if (n > SPELLING_LIMIT)
        return SPELLING_LIMIT;
    for (size_t j = 0; j <= n; j++)
        row[j] = (unsigned)j;
    for (size_t i = 0; text[i] != '\0'; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i + 1;
        for (size_t j = 0; j < n; j++) {
            unsigned above = row[j + 1];
            bool same = tolower((unsigned char)text[i]) == tolower((unsigned char)known[j]);
            row[j + 1] = least(diagonal + !same, 1 + least(above, row[j]));
            diagonal = above;
        }
    }
    return row[n];
}
