#include "traces/functions/encodings.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "traces/function.h"

#define OPERATIONS 512
/* The one that the table was made from. */
#define VERSION 90
/* Operations that listings show under two names. */
#define MOST_NAMES 2

static const char *const encodings[OPERATIONS][MOST_NAMES] = {
#define ENCODING(operation, ...) [operation] = {__VA_ARGS__},
#include "traces/functions/encodings.def"
#undef ENCODING
};

const char *encodings_name(uint32_t binary_version, uint64_t low)
{
    return binary_version == VERSION ? encodings[low % OPERATIONS][0] : NULL;
}

bool encodings_fit(uint32_t binary_version, uint64_t low, const char *opcode)
{
    const char *const *names = encodings[low % OPERATIONS];
    size_t length = strcspn(opcode, ".");
    if (encodings_name(binary_version, low) == NULL)
        return true;
    for (int i = 0; i < MOST_NAMES && names[i] != NULL; i++)
        if (strlen(names[i]) == length && memcmp(names[i], opcode, length) == 0)
            return true;
    return false;
}

uint32_t trace_code_operation(uint32_t binary_version, const char *opcode)
{
    for (uint32_t i = 0; i < OPERATIONS; i++)
        if (encodings_name(binary_version, i) != NULL &&
            encodings_fit(binary_version, i, opcode))
            return i;
    return 0;
}
