/* A hash from keys to small numbers, with linear probing. It keeps the numbers; the keys stay
 * with its user, who compares them. */
#ifndef HEARTH_SIM_MEMORY_INDEX_H
#define HEARTH_SIM_MEMORY_INDEX_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define INDEX_NONE  UINT32_MAX
#define INDEX_EMPTY UINT64_MAX

struct index {
    uint64_t
        *slots;    /* a number, and above it the high half of its key's hash; or INDEX_EMPTY */
    uint32_t mask; /* slots, a power of two, less one */
};

static inline void index_clear(struct index *index)
{
    memset(index->slots, 0xff, ((size_t)index->mask + 1) * sizeof *index->slots);
}

/* For at most COUNT numbers at a time. Three slots of four stay empty, so that most lookups end
 * at the first one. Returns false when memory is short. */
static inline bool index_init(struct index *index, size_t count)
{
    size_t slots = 8;
    while (slots < 4 * count)
        slots *= 2;
    index->slots = malloc(slots * sizeof *index->slots);
    index->mask = (uint32_t)slots - 1;
    if (index->slots != NULL)
        index_clear(index);
    return index->slots != NULL;
}

static inline void index_finish(struct index *index)
{
    free(index->slots);
    index->slots = NULL;
}

static inline uint64_t index_hash(uint64_t key)
{
    return key * 0x9e3779b97f4a7c15ull;
}

/* The slot where the search for HASH begins. */
static inline uint32_t index_home(const struct index *index, uint64_t hash)
{
    return (uint32_t)(hash >> 32) & index->mask;
}

/* Brings the slot where the search for HASH begins near. */
static inline void index_prefetch(const struct index *index, uint64_t hash)
{
    __builtin_prefetch(&index->slots[index_home(index, hash)]);
}

static inline uint64_t index_entry(uint64_t hash, uint32_t number)
{
    return (hash & ~(uint64_t)UINT32_MAX) | number;
}

/* The next number whose key may be that of HASH, from *SLOT (at first index_home()) on, which
 * then stands behind it; INDEX_NONE when there are no more. */
static inline uint32_t index_match(const struct index *index, uint64_t hash, uint32_t *slot)
{
    for (;;) {
        uint64_t entry = index->slots[*slot];
        if (entry == INDEX_EMPTY)
            return INDEX_NONE;
        *slot = (*slot + 1) & index->mask;
        if (entry == index_entry(hash, (uint32_t)entry))
            return (uint32_t)entry;
    }
}

static inline void index_add(struct index *index, uint64_t hash, uint32_t number)
{
    uint32_t slot = index_home(index, hash);
    while (index->slots[slot] != INDEX_EMPTY)
        slot = (slot + 1) & index->mask;
    index->slots[slot] = index_entry(hash, number);
}

/* Empties the slots from where the search for HASH begins up to an empty one. Done for all
 * that was added, in any order, it empties them all. */
static inline void index_empty(struct index *index, uint64_t hash)
{
    for (uint32_t slot = index_home(index, hash); index->slots[slot] != INDEX_EMPTY;
         slot = (slot + 1) & index->mask)
        index->slots[slot] = INDEX_EMPTY;
}

/* Takes NUMBER, which was added under HASH, out; those behind it move up. */
static inline void index_remove(struct index *index, uint64_t hash, uint32_t number)
{
    uint32_t mask = index->mask, hole = index_home(index, hash);
    while ((uint32_t)index->slots[hole] != number)
        hole = (hole + 1) & mask;
    for (uint32_t slot = (hole + 1) & mask; index->slots[slot] != INDEX_EMPTY;
         slot = (slot + 1) & mask) {
        uint32_t home = index_home(index, index->slots[slot]);
        if (((slot - home) & mask) >= ((slot - hole) & mask)) {
            index->slots[hole] = index->slots[slot];
            hole = slot;
        }
    }
    index->slots[hole] = INDEX_EMPTY;
}

#endif
