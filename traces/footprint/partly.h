/* Sectors of which launches wrote only some bytes: since when all of their bytes are there.
 *
 * A cache that takes a write without fetching the sector holds only the bytes written, and a
 * read has to fetch the sector all the same, unless it was whole before. So what counts for a
 * read is not who touched the sector last, but since which launch all of it has been touched.
 */
#ifndef HEARTH_TRACES_FOOTPRINT_PARTLY_H
#define HEARTH_TRACES_FOOTPRINT_PARTLY_H

#include <stddef.h>
#include <stdint.h>

#include "traces/footprint/touches.h"

/* A line with such sectors. */
struct partly_line {
    uint64_t line; /* its number + 1; 0: the slot is free */
    struct partly_sector {
        uint32_t whole; /* since this epoch the sector has been whole; 0: never was */
        uint32_t since; /* bytes written since this one ... */
        uint32_t bytes; /* ... that do not make it whole */
    } sectors[LINE_SECTORS];
};

/* A hash table, open addressing, linear probing; what came stays. Empty when zeroed. */
struct partly {
    struct partly_line *slots;
    size_t mask, count;
};

void partly_finish(struct partly *parts);

/* That of LINE, which is added if it is not there; NULL without memory. Valid until the next
 * call. */
struct partly_line *partly_find(struct partly *parts, uint64_t line);

/* The launch of EPOCH writes BYTES of a sector that is not whole. */
void partly_write(struct partly_sector *sector, uint32_t epoch, uint32_t bytes);

#endif
