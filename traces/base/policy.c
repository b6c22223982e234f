#include "traces/base/policy.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Whether NAME is one of the words of LIST. */
static bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *word = list; word != NULL; word = strchr(word, ' ')) {
        word += *word == ' ';
        if (strcspn(word, " ") == length && memcmp(word, name, length) == 0)
            return length != 0;
    }
    return false;
}

const struct policy *policy_find(const struct policy *const *table, const char *name)
{
    for (; *table != NULL; table++)
        if (strcmp((*table)->name, name) == 0 || is_listed((*table)->aliases, name))
            return *table;
    return NULL;
}

char *policy_names(const struct policy *const *table, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; table[i] != NULL && used < size; i++) {
        const char *before = i == 0 ? "" : table[i + 1] != NULL ? ", " : " or ";
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", before, table[i]->name);
    }
    return buffer;
}
