/* The lines that a workload has touched. Four neighbours are a group; groups
 * are numbered in the order in which they come and stay where they are, in
 * chunks, and a hash table (open addressing, linear probing) holds their
 * numbers: it is small, and all that is moved as the table grows. Eight
 * neighbouring groups have neighbouring slots, so that dense accesses stay in
 * the host's caches.
 *
 * Time is counted in epochs: 2 n is the n-th launch (from 1), 2 n - 1 the
 * copies before it, 0 is never. */
#ifndef HEARTH_TRACES_FOOTPRINT_TABLE_H
#define HEARTH_TRACES_FOOTPRINT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "traces/footprint/touches.h"

struct touched_line {
    uint32_t last[LINE_SECTORS]; /* epoch of the launch that touched each sector last */
    uint32_t epoch;              /* of the launch that touched the line last */
    uint8_t read, written;       /* by that launch: bit = sector */
    uint8_t whole;  /* sectors all of whose bytes that launch has written, or read */
    uint8_t partly; /* sectors that are not whole since `last`: see partly.h */
};

/* Bytes of a line in which accesses begin. */
struct line_bytes {
    uint64_t now[2], before[2]; /* in the launch `epoch`, and in the one before it */
};

#define GROUP_BITS  2
#define GROUP_LINES (1u << GROUP_BITS)
#define CHUNK_BITS  12 /* groups of a chunk */
#define CHUNK_MASK  ((1u << CHUNK_BITS) - 1)

struct line_group {
    uint64_t number; /* of its first line / GROUP_LINES */
    struct touched_line lines[GROUP_LINES];
};

struct line_slot {
    uint32_t group; /* its number + 1; 0: the slot is free */
    uint32_t tag;   /* low bits of group.number: mostly spares a look at it */
};

struct line_table {
    struct line_slot *slots;
    size_t mask;    /* slots - 1 */
    unsigned shift; /* of hashes, to eight slots */
    struct line_group **chunks;
    struct line_bytes **bytes; /* likewise; NULL unless asked for */
    size_t chunk_count;        /* those that are there */
    size_t count;              /* groups */
    bool has_bytes;
};

int line_table_init(struct line_table *table, bool bytes);
void line_table_finish(struct line_table *table);

/* Makes room for MORE lines. Returns -1 without memory. */
int line_table_reserve(struct line_table *table, size_t more);

#define SLOT_RUN_BITS 3

/* Where the search for a group begins. */
static inline size_t line_table_slot(const struct line_table *table, uint64_t group)
{
    uint64_t run = (group >> SLOT_RUN_BITS) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(run >> table->shift) << SLOT_RUN_BITS |
           (group & ((1u << SLOT_RUN_BITS) - 1));
}

static inline struct line_group *line_table_group(const struct line_table *table, size_t index)
{
    return &table->chunks[index >> CHUNK_BITS][index & CHUNK_MASK];
}

/* What is kept of line I of group INDEX besides; NULL if nothing is. */
static inline struct line_bytes *line_table_bytes(const struct line_table *table, size_t index,
                                                  uint32_t i)
{
    return table->has_bytes
               ? &table->bytes[index >> CHUNK_BITS][(index & CHUNK_MASK) << GROUP_BITS | i]
               : NULL;
}

/* The slot of a group, or the free one where it would be. */
static inline struct line_slot *line_table_search(const struct line_table *table,
                                                  uint64_t group)
{
    for (size_t at = line_table_slot(table, group);; at = (at + 1) & table->mask) {
        struct line_slot *slot = &table->slots[at];
        if (slot->group == 0 || (slot->tag == (uint32_t)group &&
                                 line_table_group(table, slot->group - 1)->number == group))
            return slot;
    }
}

/* The index of a group, which is added if it is not there; there must be room. */
static inline size_t line_table_find(struct line_table *table, uint64_t group)
{
    struct line_slot *slot = line_table_search(table, group);
    if (slot->group != 0)
        return slot->group - 1;
    line_table_group(table, table->count)->number = group;
    *slot = (struct line_slot){(uint32_t)++table->count, (uint32_t)group};
    return table->count - 1;
}

/* Bytes that it holds. */
size_t line_table_memory(const struct line_table *table);

#endif
