/* Accesses of compact caches, in line: what launches without time consist of.
 *
 * SET is where its part of `lines` begins: compact_set(). */
#ifndef HEARTH_SIM_MEMORY_COMPACT_ACCESS_H
#define HEARTH_SIM_MEMORY_COMPACT_ACCESS_H

#include "sim/memory/compact.h"

/* Two calls each, where all that they do fits the host's registers. */
#define COMPACT_INLINE static inline __attribute__((always_inline))

#define COMPACT_WAYS      2u         /* place of the first one in its set, behind the ends */
#define COMPACT_EMPTY     UINT32_MAX /* slot of the hash */
#define COMPACT_EACH_BYTE 0x0101010101010101ull

/* What an access of a line finds and does. */
struct compact_result {
    uint32_t hits; /* of the sectors, as a mask */
    bool there;    /* the line was in the cache */
    bool refused;  /* no line could be replaced: nothing was taken, or kept of what is read */
    uint32_t evicted; /* dirty sectors that are written back, as a mask */
};

static inline struct compact_name compact_name(uint64_t address)
{
    uint64_t number = (address >> COMPACT_LINE & ((1ull << 51) - 1)) | 1ull << 51;
    return (struct compact_name){number, (uint32_t)(number * 0x9e3779b97f4a7c15ull >> 32)};
}

/* Set number NUMBER. */
static inline uint32_t compact_set(const struct compact *compact, uint32_t number)
{
    return number * compact->stride;
}

/* Brings what a lookup of LINE in SET begins with near. */
static inline void compact_prefetch(const struct compact *compact, uint32_t set,
                                    struct compact_name line)
{
    if (compact->slots != NULL)
        __builtin_prefetch(&compact->slots[line.hash >> compact->home], 1);
    else
        __builtin_prefetch(&compact->lines[set], 1);
}

/* ---- finding lines ---- */

static inline uint32_t compact_find_slot(const struct compact *compact,
                                         struct compact_name line)
{
    uint32_t mask = compact->index_mask;
    for (uint32_t slot = line.hash >> compact->home;; slot = (slot + 1) & compact->slot_mask) {
        uint32_t entry = compact->slots[slot];
        if (entry == COMPACT_EMPTY)
            return COMPACT_NONE;
        if (((entry ^ line.hash) & ~mask) == 0 &&
            compact->lines[entry & mask].key >> 12 == line.number)
            return entry & mask;
    }
}

static inline uint32_t compact_find_way(const struct compact *compact, uint32_t set,
                                        struct compact_name line)
{
    const struct compact_line *lines = &compact->lines[set];
    uint64_t print = (line.hash & UINT8_MAX) * COMPACT_EACH_BYTE;
    for (uint32_t word = 0; word < COMPACT_FEW / 8; word++) {
        uint64_t other =
            lines[word].key ^ print; /* a byte of 0: the same; others may seem so */
        uint64_t same = (other - COMPACT_EACH_BYTE) & ~other & compact->known[word];
        for (; same != 0; same &= same - 1) {
            uint32_t at = COMPACT_WAYS + word * 8 + (uint32_t)__builtin_ctzll(same) / 8;
            if (lines[at].key >> 12 == line.number)
                return set + at;
        }
    }
    return COMPACT_NONE;
}

static inline uint32_t compact_find(const struct compact *compact, uint32_t set,
                                    struct compact_name line)
{
    return compact->slots != NULL ? compact_find_slot(compact, line)
                                  : compact_find_way(compact, set, line);
}

/* AT, in SET, is found as LINE from now on. */
static inline void compact_insert(struct compact *compact, uint32_t set,
                                  struct compact_name line, uint32_t at)
{
    if (compact->slots == NULL) {
        uint32_t way = at - set - COMPACT_WAYS, shift = way % 8 * 8;
        uint64_t *prints = &compact->lines[set + way / 8].key;
        *prints = (*prints & ~(0xffull << shift)) | (uint64_t)(line.hash & UINT8_MAX) << shift;
        return;
    }
    uint32_t slot = line.hash >> compact->home;
    while (compact->slots[slot] != COMPACT_EMPTY)
        slot = (slot + 1) & compact->slot_mask;
    compact->slots[slot] = (line.hash & ~compact->index_mask) | at;
}

/* AT is no longer found. Those behind it in the hash move up. */
static inline void compact_take_out(struct compact *compact, uint32_t at)
{
    uint32_t *slots = compact->slots, mask = compact->slot_mask;
    if (slots == NULL)
        return; /* another key is enough */
    uint64_t address = compact->lines[at].key >> 12 << COMPACT_LINE;
    uint32_t hole = compact_name(address).hash >> compact->home;
    while ((slots[hole] & compact->index_mask) != at)
        hole = (hole + 1) & mask;
    for (uint32_t slot = (hole + 1) & mask; slots[slot] != COMPACT_EMPTY;
         slot = (slot + 1) & mask) {
        uint32_t home = slots[slot] >> compact->home;
        if (((slot - home) & mask) >= ((slot - hole) & mask)) {
            slots[hole] = slots[slot];
            hole = slot;
        }
    }
    slots[hole] = COMPACT_EMPTY;
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

/* AT becomes the last one of the list of clean lines, or of dirty ones. */
static inline void compact_move(struct compact *compact, uint32_t set, uint32_t at, bool dirty)
{
    compact_take_off(compact->lines, at);
    compact_append(compact->lines, at, set + dirty);
}

/* Starts the clock again, behind all that was used. */
void compact_restart(struct compact *compact);

static inline void compact_use(struct compact *compact, uint32_t set, uint32_t at,
                               bool was_dirty, bool dirty)
{
    if (__builtin_expect(compact->clock == UINT32_MAX, 0))
        compact_restart(compact);
    compact->lines[at].last = ++compact->clock;
    compact->dirty += dirty & !was_dirty;
    compact_move(compact, set, at, dirty);
}

/* The line of SET to replace; COMPACT_NONE: none can be. */
static inline uint32_t compact_victim(const struct compact *compact, uint32_t set)
{
    const struct compact_line *lines = compact->lines;
    uint32_t clean = lines[set].next, dirty = lines[set + 1].next;
    if (compact->dirty < compact->dirty_least || dirty == set + 1)
        return clean != set ? clean : COMPACT_NONE;
    return clean == set || lines[dirty].last < lines[clean].last ? dirty : clean;
}

/* A place for LINE, without sectors; RESULT tells of what was there. COMPACT_NONE: there is
 * none. */
static inline uint32_t compact_replace(struct compact *compact, uint32_t set,
                                       struct compact_name line, struct compact_result *result)
{
    uint32_t at = compact_victim(compact, set);
    result->refused = at == COMPACT_NONE;
    if (at == COMPACT_NONE)
        return at;
    uint64_t key = compact->lines[at].key;
    uint32_t dirty = key >> 4 & 15;
    if (key != 0)
        compact_take_out(compact, at);
    else
        compact->used++;
    compact->dirty -= dirty != 0;
    result->evicted = compact->through ? 0 : dirty;
    compact_insert(compact, set, line, at);
    compact->lines[at].key = line.number << 12;
    return at;
}

/* ---- accesses ---- */

/* LINE, or the place that it gets in SET. COMPACT_NONE: refused. */
static inline uint32_t compact_reach(struct compact *compact, uint32_t set,
                                     struct compact_name line, struct compact_result *result)
{
    uint32_t at = compact_find(compact, set, line);
    result->there = at != COMPACT_NONE;
    return result->there ? at : compact_replace(compact, set, line, result);
}

/* Reads SECTORS (a mask, not 0) of LINE in SET; those that are no hits are fetched. DIRTIED:
 * those of them that are dirty from then on (atomics). */
COMPACT_INLINE struct compact_result compact_read(struct compact *compact, uint32_t set,
                                                  struct compact_name line, uint32_t sectors,
                                                  uint32_t dirtied)
{
    struct compact_result result = {0};
    uint32_t at = compact_reach(compact, set, line, &result);
    if (at == COMPACT_NONE)
        return result;
    uint64_t key = compact->lines[at].key;
    bool was_dirty = key >> 4 & 15;
    result.hits = (uint32_t)(sectors & key & ~(key >> 8));
    key = (key | sectors | dirtied << 4) & ~((uint64_t)sectors << 8);
    compact->lines[at].key = key;
    compact_use(compact, set, at, was_dirty, was_dirty | (dirtied != 0));
    return result;
}

/* The PARTIAL sectors of line AT when BYTES of SECTORS, which are not whole, are written too.
 */
uint32_t compact_add_bytes(struct compact *compact, uint32_t at, uint32_t partial,
                           uint32_t sectors, const uint32_t bytes[TAGS_SECTORS]);

/* Writes SECTORS (a mask, not 0): all bytes of those in WHOLE, of the others BYTES. */
COMPACT_INLINE struct compact_result compact_write(struct compact *compact, uint32_t set,
                                                   struct compact_name line, uint32_t sectors,
                                                   uint32_t whole,
                                                   const uint32_t bytes[TAGS_SECTORS])
{
    struct compact_result result = {0};
    uint32_t at = compact_reach(compact, set, line, &result);
    if (at == COMPACT_NONE)
        return result;
    uint64_t key = compact->lines[at].key;
    bool was_dirty = key >> 4 & 15;
    uint32_t valid = key & 15, partial = key >> 8 & 15 & ~whole;
    uint32_t missing = sectors & ~whole & (~valid | partial);
    result.hits = sectors & valid;
    if (missing != 0)
        partial = compact_add_bytes(compact, at, partial, missing, bytes);
    compact->lines[at].key = (key & ~0xf00ull) | partial << 8 | sectors << 4 | sectors;
    compact_use(compact, set, at, was_dirty, true);
    return result;
}

#endif
