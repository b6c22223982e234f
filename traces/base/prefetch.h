/* Placement of data in the caches of the host. It only changes how long things take.
 *
 * Data that will be read soon is prefetched as a whole, not line by line as it is read. Data
 * that different threads change is kept in different lines: a line that two cores change in
 * turn costs each of them some hundred cycles. */
#ifndef HEARTH_TRACES_BASE_PREFETCH_H
#define HEARTH_TRACES_BASE_PREFETCH_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PREFETCH_LINE 64 /* bytes of a cache line of the host */

/* Prefetches SIZE bytes at DATA, to be read and changed. */
static inline void prefetch_bytes(const void *data, size_t size)
{
    const char *first = data;
    for (size_t at = 0; at < size; at += PREFETCH_LINE)
        __builtin_prefetch(first + at, 1);
    __builtin_prefetch(first + size - 1, 1);
}

/* COUNT times SIZE bytes, zeroed, in lines of their own; to be freed. NULL if memory is short.
 */
static inline void *prefetch_alloc(size_t count, size_t size)
{
    size_t bytes = (count * size + PREFETCH_LINE - 1) & ~(size_t)(PREFETCH_LINE - 1);
    void *data = aligned_alloc(PREFETCH_LINE, bytes);
    if (data != NULL)
        memset(data, 0, bytes);
    return data;
}

#endif
