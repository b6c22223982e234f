/* A set with few ways of a compact cache: the keys of its lines, a byte of each one's hash by
 * which it is found, and the order of use. It takes three lines of the host's cache, which can
 * be fetched at the same time, as it has no links. */
#ifndef HEARTH_SIM_FUNCTIONAL_COMPACT_FEW_H
#define HEARTH_SIM_FUNCTIONAL_COMPACT_FEW_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define COMPACT_NONE     UINT32_MAX
#define COMPACT_FEW      16 /* ways, at most */
#define COMPACT_EACH_WAY 0x1111111111111111ull

struct compact_few {
    _Alignas(64) uint8_t prints[COMPACT_FEW];
    uint64_t
        order; /* ways in order of use, the most recent one last: 4 bits each, then zeros */
    uint16_t dirty;             /* ways with dirty sectors, as a mask */
    uint64_t keys[COMPACT_FEW]; /* as in struct compact_line; 0: free */
};

/* Mask of the ways whose byte is PRINT. */
static inline uint32_t compact_few_prints(const struct compact_few *set, uint8_t print)
{
#ifdef __SSE2__
    __m128i prints = _mm_load_si128((const __m128i *)set->prints);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(prints, _mm_set1_epi8((char)print)));
#else
    uint32_t same = 0;
    for (uint32_t way = 0; way < COMPACT_FEW; way++)
        same |= (uint32_t)(set->prints[way] == print) << way;
    return same;
#endif
}

/* The way of line NUMBER, whose byte is PRINT; COMPACT_NONE: it is not there. */
static inline uint32_t compact_few_find(const struct compact_few *set, uint64_t number,
                                        uint8_t print)
{
    for (uint32_t same = compact_few_prints(set, print); same != 0; same &= same - 1) {
        uint32_t way = (uint32_t)__builtin_ctz(same);
        if (set->keys[way] >> 12 == number)
            return way;
    }
    return COMPACT_NONE;
}

/* WAY, of WAYS, becomes the most recently used one, and DIRTY or clean. */
static inline void compact_few_use(struct compact_few *set, uint32_t way, uint32_t ways,
                                   bool dirty)
{
    /* finds the lowest 4 bits that equal WAY; matches above them may be false */
    uint64_t other = set->order ^ way * COMPACT_EACH_WAY;
    uint64_t found = (other - COMPACT_EACH_WAY) & ~other & COMPACT_EACH_WAY << 3;
    uint32_t at = (uint32_t)__builtin_ctzll(found) & ~3u;
    uint64_t before = set->order & ((1ull << at) - 1), after = set->order >> at >> 4 << at;
    set->order = before | after | (uint64_t)way << 4 * (ways - 1);
    set->dirty = (uint16_t)((set->dirty & ~(1u << way)) | (uint32_t)dirty << way);
}

/* The least recently used way; with CLEAN, the one among those that are not dirty.
 * COMPACT_NONE: there is none. */
static inline uint32_t compact_few_oldest(const struct compact_few *set, uint32_t ways,
                                          bool clean)
{
    uint64_t order = set->order;
    uint32_t skip = clean ? set->dirty : 0;
    for (uint32_t i = 0; i < ways; i++, order >>= 4)
        if (!(skip >> (order & 15) & 1))
            return order & 15;
    return COMPACT_NONE;
}

/* Empties it and sets its number of ways, which may be 0. */
static inline void compact_few_clear(struct compact_few *set, uint32_t ways)
{
    memset(set, 0, sizeof *set);
    set->order = ways == 0 ? 0 : 0xfedcba9876543210ull & ~0ull >> 4 * (COMPACT_FEW - ways);
}

#endif
