#include "traces/notes/values.h"

#include <stddef.h>
#include <string.h>

#include "traces/base/number.h"

const char *values_find(const char *line, const char *key)
{
    size_t n = strlen(key);
    for (const char *at = line; (at = strchr(at, ' ')) != NULL; at++)
        if (strncmp(at + 1, key, n) == 0)
            return at + 1 + n;
    return NULL;
}

/* Reads a number. Returns its end, or NULL. */
static const char *read_number(const char *at, uint64_t *number)
{
    bool negative = *at == '-';
    at += negative;
    unsigned length = number_prefix(at, at[0] == '0' && at[1] == 'x', number);
    if (negative)
        *number = 0 - *number;
    return length > 0 ? at + length : NULL;
}

int values_list(const char *line, const char *key, int most, uint64_t *numbers)
{
    const char *at = values_find(line, key);
    for (int i = 0; at != NULL && i < most; i++) {
        at = read_number(at, &numbers[i]);
        if (at != NULL && (*at == ' ' || *at == '\0'))
            return i + 1;
        at = at != NULL && *at == ',' ? at + 1 : NULL;
    }
    return -1;
}

int values_list32(const char *line, const char *key, int most, uint32_t *numbers)
{
    uint64_t wide[5];
    int count = values_list(line, key, most < 5 ? most : 5, wide);
    for (int i = 0; i < count; i++) {
        if (wide[i] > UINT32_MAX && (int64_t)wide[i] != (int32_t)wide[i])
            return -1;
        numbers[i] = (uint32_t)wide[i];
    }
    return count;
}

bool values_one(const char *line, const char *key, uint64_t most, uint32_t *number)
{
    uint64_t wide = 0;
    bool is_one = values_list(line, key, 1, &wide) == 1 && wide <= most;
    *number = (uint32_t)wide;
    return is_one;
}
