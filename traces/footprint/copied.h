/* Which sectors copies have written last, and when: ranges, as copies are
 * large and mostly not touched whole. */
#ifndef HEARTH_TRACES_FOOTPRINT_COPIED_H
#define HEARTH_TRACES_FOOTPRINT_COPIED_H

#include <stddef.h>
#include <stdint.h>

struct copied_range {
    uint64_t first, last; /* sectors; both belong to it */
    uint32_t epoch;
};

/* Ranges that do not overlap, by address. Empty when zeroed. */
struct copied {
    struct copied_range *items;
    size_t count, capacity;
    size_t at; /* where the last search ended */
};

void copied_finish(struct copied *copied);

/* Sectors FIRST to LAST are written in EPOCH. Returns -1 without memory. */
int copied_add(struct copied *copied, uint64_t first, uint64_t last, uint32_t epoch);

/* The epoch in which SECTOR was copied last, 0 for never. */
uint32_t copied_find(struct copied *copied, uint64_t sector);

#endif
