#include "traces/base/spelling.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

unsigned spelling_distance(const char *text, const char *known)
{
    unsigned rows[3][SPELLING_LIMIT + 1]; /* of the letters I - 2, I - 1 and I of TEXT */
    size_t n = strlen(known), i = 0;
    if (n > SPELLING_LIMIT)
        return SPELLING_LIMIT;
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = (unsigned)j;
    for (; text[i] != '\0'; i++) {
        unsigned *row = rows[(i + 1) % 3], *above = rows[i % 3], *before = rows[(i + 2) % 3];
        row[0] = (unsigned)i + 1;
        for (size_t j = 0; j < n; j++) {
            row[j + 1] =
                least(above[j] + !same(text[i], known[j]), 1 + least(above[j + 1], row[j]));
            if (i > 0 && j > 0 && same(text[i], known[j - 1]) && same(text[i - 1], known[j]))
                row[j + 1] = least(row[j + 1], before[j - 1] + 1);
        }
    }
    return rows[i % 3][n];
}

struct spelling_guess spelling_guess(const char *text)
{
    return (struct spelling_guess){.text = text, .limit = (unsigned)(strlen(text) / 3 + 1)};
}

void spelling_consider(struct spelling_guess *guess, const char *name)
{
    unsigned distance = spelling_distance(guess->text, name);
    if (distance >= guess->limit)
        return;
    guess->limit = distance;
    guess->name = name;
}

const char *spelling_hint(const struct spelling_guess *guess, const char *before,
                          char room[static SPELLING_HINT])
{
    room[0] = '\0';
    if (guess->name != NULL)
        snprintf(room, SPELLING_HINT, "; did you mean %s%s?", before, guess->name);
    return room;
}
