/* The lines that a workload has touched: open addressing, linear probing.
 * Lines of a group of eight neighbours have neighbouring slots, so that dense
 * accesses stay in the host's caches.
 *
 * Time is counted in epochs: 2 n is the n-th launch (from 1), 2 n - 1 the
 * copies in front of it, 0 is never. */
#ifndef HEARTH_TRACES_FOOTPRINT_TABLE_H
#define HEARTH_TRACES_FOOTPRINT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "traces/footprint/touches.h"

struct line {
    uint64_t key;                /* its number + 1; 0: the slot is free */
    uint32_t last[LINE_SECTORS]; /* epoch of the launch that touched each sector last */
    uint32_t epoch;              /* of the launch that touched the line last */
    uint8_t read, written;       /* by that launch: bit = sector */
};

/* Bytes of a line in which accesses begin. */
struct line_bytes {
    uint64_t now[2], before[2]; /* in the launch `epoch`, and in the one before it */
};

struct line_table {
    struct line *lines;
    struct line_bytes *bytes; /* as many; NULL unless asked for */
    size_t mask;              /* slots - 1 */
    size_t count;             /* lines */
    unsigned shift;           /* of hashes, to a group */
};

int line_table_init(struct line_table *table, bool bytes);
void line_table_finish(struct line_table *table);

/* Makes room for MORE lines. Returns -1 without memory. */
int line_table_reserve(struct line_table *table, size_t more);

#define TABLE_GROUP_BITS 3

/* Where the search for a line begins. */
static inline size_t line_table_slot(const struct line_table *table, uint64_t number)
{
    uint64_t group = (number >> TABLE_GROUP_BITS) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(group >> table->shift) << TABLE_GROUP_BITS |
           (number & ((1u << TABLE_GROUP_BITS) - 1));
}

/* The slot of line NUMBER, which is added if it is not there; there must be room. */
static inline size_t line_table_find(struct line_table *table, uint64_t number)
{
    size_t slot = line_table_slot(table, number);
    while (table->lines[slot].key != number + 1) {
        if (table->lines[slot].key == 0) {
            table->lines[slot].key = number + 1;
            table->count++;
            break;
        }
        slot = (slot + 1) & table->mask;
    }
    return slot;
}

/* Bytes that it holds. */
size_t line_table_memory(const struct line_table *table);

#endif
