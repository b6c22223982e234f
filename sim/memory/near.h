/* State that is looked at soon: fetched at once into the host's caches, not line by line as it
 * is looked at. Only time depends on it. */
#ifndef HEARTH_SIM_MEMORY_NEAR_H
#define HEARTH_SIM_MEMORY_NEAR_H

#include <stddef.h>
#include <stdint.h>

#define NEAR_LINE 64 /* bytes of a line of the host's caches */

/* Brings SIZE bytes at DATA near, to be changed as well. */
static inline void near_bytes(const void *data, size_t size)
{
    const char *first = data;
    for (size_t at = 0; at < size; at += NEAR_LINE)
        __builtin_prefetch(first + at, 1);
    __builtin_prefetch(first + size - 1, 1);
}

#endif
