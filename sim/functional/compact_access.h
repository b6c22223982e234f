/* Inline accesses of compact caches, on which functional launches spend their time.
 *
 * SET is the index of a set's first element in `few` or `lines`: compact_set(). AT identifies a
 * line: its way in `few`, or its index in `lines`. */
#ifndef HEARTH_SIM_FUNCTIONAL_COMPACT_ACCESS_H
#define HEARTH_SIM_FUNCTIONAL_COMPACT_ACCESS_H

#include "sim/functional/compact.h"
#include "traces/base/prefetch.h"

/* Functions with two callers each, which keep everything in registers when inlined. */
#define COMPACT_INLINE static inline __attribute__((always_inline))

#define COMPACT_WAYS 2u /* index of the first way in its set, after the ends */

/* What an access of a line finds and does. */
struct compact_result {
    uint32_t hits; /* of the sectors, as a mask */
    bool there;    /* the line was in the cache */
    bool refused;  /* no line could be replaced: the write was not taken, or the data read were
                    * not kept */
    uint32_t evicted; /* dirty sectors that are written back, as a mask */
};

static inline struct compact_name compact_name(uint64_t address)
{
    uint64_t number = (address >> COMPACT_LINE & ((1ull << 51) - 1)) | 1ull << 51;
    return (struct compact_name){number, hash_index_hash(number)};
}

/* Set number NUMBER. */
static inline uint32_t compact_set(const struct compact *compact, uint32_t number)
{
    return number * compact->stride;
}

/* Prefetches what an access of LINE in SET needs; for sets with many ways, what it needs first.
 */
static inline void compact_prefetch(const struct compact *compact, uint32_t set,
                                    struct compact_name line)
{
    if (compact->few != NULL)
        prefetch_bytes(&compact->few[set], sizeof *compact->few);
    else
        hash_index_prefetch(&compact->index, line.hash);
}

static inline uint64_t *compact_key(const struct compact *compact, uint32_t set, uint32_t at)
{
    return compact->few != NULL ? &compact->few[set].keys[at] : &compact->lines[at].key;
}

/* ---- finding lines ---- */

static inline uint32_t compact_find_indexed(const struct compact *compact,
                                            struct compact_name line)
{
    struct hash_index_search search = hash_index_begin(&compact->index, line.hash);
    uint32_t at;
    while ((at = hash_index_next(&compact->index, &search)) != HASH_INDEX_NONE)
        if (compact->lines[at].key >> 12 == line.number)
            return at;
    return COMPACT_NONE;
}

/* The byte by which LINE is found in a set with few ways. */
static inline uint8_t compact_print(struct compact_name line)
{
    return (uint8_t)(line.hash >> 32);
}

static inline uint32_t compact_find(const struct compact *compact, uint32_t set,
                                    struct compact_name line)
{
    return compact->few != NULL
               ? compact_few_find(&compact->few[set], line.number, compact_print(line))
               : compact_find_indexed(compact, line);
}

/* From now on, AT in SET is found as LINE. */
static inline void compact_insert(struct compact *compact, uint32_t set,
                                  struct compact_name line, uint32_t at)
{
    if (compact->few != NULL)
        compact->few[set].prints[at] = compact_print(line);
    else
        hash_index_add(&compact->index, line.hash, at);
}

/* AT is no longer found. */
static inline void compact_take_out(struct compact *compact, uint32_t at)
{
    if (compact->few == NULL) /* with few ways, changing the key is enough */
        hash_index_remove(&compact->index, hash_index_hash(compact->lines[at].key >> 12), at);
}

/* ---- the lists in order of use ---- */

static inline void compact_append(struct compact_line *lines, uint32_t at, uint32_t end)
{
    uint32_t prev = lines[end].prev;
    lines[at].prev = (uint16_t)prev;
    lines[at].next = (uint16_t)end;
    lines[prev].next = lines[end].prev = (uint16_t)at;
}

static inline void compact_take_off(struct compact_line *lines, uint32_t at)
{
    uint32_t prev = lines[at].prev, next = lines[at].next;
    lines[prev].next = (uint16_t)next;
    lines[next].prev = (uint16_t)prev;
}

/* Moves AT to the end of the list of clean lines, or of dirty lines. */
static inline void compact_move(struct compact *compact, uint32_t set, uint32_t at, bool dirty)
{
    compact_take_off(compact->lines, at);
    compact_append(compact->lines, at, set + dirty);
}

/* Restarts the clock, keeping the order of use. */
void compact_restart(struct compact *compact);

static inline void compact_use(struct compact *compact, uint32_t set, uint32_t at,
                               bool was_dirty, bool dirty)
{
    compact->dirty += dirty & !was_dirty;
    if (compact->few != NULL) {
        compact_few_use(&compact->few[set], at, compact->ways, dirty);
        return;
    }
    if (__builtin_expect(compact->clock == UINT32_MAX, 0))
        compact_restart(compact);
    compact->lines[at].last = ++compact->clock;
    compact_move(compact, set, at, dirty);
}

/* The line of SET to replace; COMPACT_NONE: none can be. */
static inline uint32_t compact_victim(const struct compact *compact, uint32_t set)
{
    const struct compact_line *lines = compact->lines;
    bool keep_dirty = compact->dirty < compact->dirty_least;
    if (compact->few != NULL)
        return compact_few_oldest(&compact->few[set], compact->ways, keep_dirty);
    uint32_t clean = lines[set].next, dirty = lines[set + 1].next;
    if (keep_dirty || dirty == set + 1)
        return clean != set ? clean : COMPACT_NONE;
    return clean == set || lines[dirty].last < lines[clean].last ? dirty : clean;
}

/* Allocates a line for LINE, without sectors, or returns COMPACT_NONE. RESULT says what was
 * evicted. */
static inline uint32_t compact_replace(struct compact *compact, uint32_t set,
                                       struct compact_name line, struct compact_result *result)
{
    uint32_t at = compact_victim(compact, set);
    result->refused = at == COMPACT_NONE;
    if (at == COMPACT_NONE)
        return at;
    uint64_t *key = compact_key(compact, set, at);
    uint32_t dirty = *key >> 4 & 15;
    if (*key != 0)
        compact_take_out(compact, at);
    else
        compact->used++;
    compact->dirty -= dirty != 0;
    result->evicted = compact->through ? 0 : dirty;
    compact_insert(compact, set, line, at);
    *key = line.number << 12;
    return at;
}

/* ---- accesses ---- */

/* Finds LINE in SET or allocates it; COMPACT_NONE: refused. */
COMPACT_INLINE uint32_t compact_reach(struct compact *compact, uint32_t set,
                                      struct compact_name line, struct compact_result *result)
{
    uint32_t at = compact_find(compact, set, line);
    result->there = at != COMPACT_NONE;
    return result->there ? at : compact_replace(compact, set, line, result);
}

/* Reads SECTORS (a mask, not 0) of LINE in SET and fetches those that miss. DIRTIED: those that
 * become dirty (atomics). */
COMPACT_INLINE struct compact_result compact_read(struct compact *compact, uint32_t set,
                                                  struct compact_name line, uint32_t sectors,
                                                  uint32_t dirtied)
{
    struct compact_result result = {0};
    uint32_t at = compact_reach(compact, set, line, &result);
    if (at == COMPACT_NONE)
        return result;
    uint64_t *key = compact_key(compact, set, at), had = *key;
    bool was_dirty = had >> 4 & 15;
    result.hits = (uint32_t)(sectors & had & ~(had >> 8));
    *key = (had | sectors | dirtied << 4) & ~((uint64_t)sectors << 8);
    compact_use(compact, set, at, was_dirty, was_dirty | (dirtied != 0));
    return result;
}

/* Writes BYTES of SECTORS, which are not whole, to line AT. Returns its new PARTIAL sectors. */
uint32_t compact_add_bytes(struct compact *compact, uint32_t set, uint32_t at, uint32_t partial,
                           uint32_t sectors, const uint32_t bytes[TAGS_SECTORS]);

/* Writes SECTORS (a mask, not 0): all bytes of those in WHOLE, BYTES of the others. */
COMPACT_INLINE struct compact_result compact_write(struct compact *compact, uint32_t set,
                                                   struct compact_name line, uint32_t sectors,
                                                   uint32_t whole,
                                                   const uint32_t bytes[TAGS_SECTORS])
{
    struct compact_result result = {0};
    uint32_t at = compact_reach(compact, set, line, &result);
    if (at == COMPACT_NONE)
        return result;
    uint64_t *key = compact_key(compact, set, at), had = *key;
    bool was_dirty = had >> 4 & 15;
    uint32_t valid = had & 15, partial = had >> 8 & 15 & ~whole;
    uint32_t missing = sectors & ~whole & (~valid | partial);
    result.hits = sectors & valid;
    if (missing != 0)
        partial = compact_add_bytes(compact, set, at, partial, missing, bytes);
    *key = (had & ~0xf00ull) | partial << 8 | sectors << 4 | sectors;
    compact_use(compact, set, at, was_dirty, true);
    return result;
}

#endif
