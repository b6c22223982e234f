/* The tags of a sectored cache in few bytes, for accesses without time: sim_functional(). They
 * do what cache_access() and cache_fill() do to struct tags when every sector comes at once,
 * for caches of 128-byte lines that replace the least recently used one, allocate what is read,
 * and take written sectors without their data (write policies 'T' and 'B', allocation 'L').
 *
 * All that a line is takes 16 bytes, and 16 more in the hash, so that the tags of all SMs and
 * of L2 stay in the host's caches. */
#ifndef HEARTH_SIM_MEMORY_COMPACT_H
#define HEARTH_SIM_MEMORY_COMPACT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/memory/tags.h"

#define COMPACT_LINE 7                  /* log2 of the bytes of a line */
#define COMPACT_KEYS ((1ull << 52) - 1) /* numbers of lines: addresses below 2^59 */
#define COMPACT_NONE UINT32_MAX

struct compact_line {
    uint64_t key;  /* number of the line << 12 | masks of its sectors: partial << 8 | dirty << 4
                    * | valid, as in struct tags_line; 0: it is free */
    uint32_t last; /* when it was used last: `clock` */
    uint16_t prev, next; /* in its list */
};

struct compact {
    struct compact_line
        *lines; /* of each set its ways, and behind them the ends of two rings in
                 * order of use: of free and clean lines, and of dirty ones */
    uint32_t (*bytes)[TAGS_SECTORS]; /* of each line: those written, of partial sectors */
    uint32_t
        *slots;    /* hash of the lines: high bits of a number's hash above the line's index */
    uint32_t home; /* shift from the hash to its first slot */
    uint32_t slot_mask, index_mask;
    uint32_t sets, stride; /* ways that there is room for, and two */
    uint32_t ways;         /* that are used: see tags_clear() */
    uint32_t used;         /* lines that are not free */
    uint32_t clock;        /* accesses */
    uint32_t dirty;        /* lines with dirty sectors */
    bool through;          /* write policy 'T': nothing is written back */
    uint32_t percent;      /* tags_spec.dirty_percent */
    uint32_t dirty_least;  /* so many must be dirty for one to be replaced */
};

/* What an access of a line finds and does. */
struct compact_result {
    uint8_t hits;    /* of the sectors, as a mask */
    bool there;      /* the line was in the cache */
    bool refused;    /* no line could be replaced: nothing was taken, or kept of what is read */
    uint8_t evicted; /* dirty sectors that are written back, as a mask */
};

/* Whether a cache of SPEC and these policies can be made compact. */
bool compact_fits(const struct tags_spec *spec, char write_policy, char write_allocate);

/* An empty cache of SPEC. Returns false when memory is short. */
bool compact_init(struct compact *compact, const struct tags_spec *spec, char write_policy);
void compact_finish(struct compact *compact);

/* Empties it, and sets how many ways it has from now on (at most those of compact_init()). */
void compact_clear(struct compact *compact, uint32_t ways);

/* Takes over what TAGS hold, of which nothing is on its way. */
void compact_load(struct compact *compact, const struct tags *tags);

/* Gives TAGS what it holds; lines get their order of use as cycles before NOW, or from 0 on. */
void compact_store(const struct compact *compact, struct tags *tags, uint64_t now);

/* Brings the part of the hash that a lookup of LINE begins with near. LINE here and below: an
 * address >> COMPACT_LINE, of COMPACT_KEYS. */
void compact_prefetch_slot(const struct compact *compact, uint64_t line);

/* Once that is there, the line, or the one that may go for it. */
void compact_prefetch_line(const struct compact *compact, uint32_t set, uint64_t line);

/* Reads SECTORS (a mask, not 0) of LINE in SET; those that are no hits are fetched. DIRTIED:
 * those of them that are dirty from then on (atomics). */
struct compact_result compact_read(struct compact *compact, uint32_t set, uint64_t line,
                                   uint8_t sectors, uint8_t dirtied);

/* Writes SECTORS (a mask, not 0): all bytes of those in WHOLE, of the others BYTES. */
struct compact_result compact_write(struct compact *compact, uint32_t set, uint64_t line,
                                    uint8_t sectors, uint8_t whole,
                                    const uint32_t bytes[TAGS_SECTORS]);

#endif
