/* A compact form of the tags of a sectored cache, for functional launches: sim_functional(). It
 * does what cache_access() and cache_fill() do to struct tags if every sector arrives at once.
 * It is for caches with 128-byte lines and LRU replacement that allocate on reads and take
 * writes without fetching (write policies 'T' and 'B', write allocation 'L').
 *
 * A set with few ways takes 192 bytes (compact_few.h). In others, a line takes 16 bytes and is
 * found through a hash of all lines, which takes 8 to 16 bytes a line. So the tags of all SMs
 * and of L2 nearly fit into the host's caches. */
#ifndef HEARTH_SIM_FUNCTIONAL_COMPACT_H
#define HEARTH_SIM_FUNCTIONAL_COMPACT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/functional/compact_few.h"
#include "sim/memory/tags.h"
#include "traces/base/hash_index.h"

#define COMPACT_LINE    7                  /* log2 of the bytes of a line */
#define COMPACT_ADDRESS ((1ull << 58) - 1) /* the address bits that identify a line */

/* The identity of a line: its address without the bits above COMPACT_ADDRESS, which no GPU
 * uses. */
struct compact_name {
    uint64_t number; /* address / 128, which has 51 bits, with a one above them */
    uint64_t hash;   /* hash_index_hash() of it */
};

/* A line of a set with many ways, or the end of a list. */
struct compact_line {
    uint64_t key;  /* number of the line << 12 | masks of its sectors: partial << 8 | dirty << 4
                    * | valid, as in struct tags_line; 0: a free line, or an end */
    uint32_t last; /* `clock` at its last use */
    uint16_t prev, next; /* in its list, which is a ring through its end */
};

struct compact {
    struct compact_few *few; /* the sets if they have at most COMPACT_FEW ways, else NULL */
    /* With more ways, for each set: the ends of two lists in order of use, one of free and
     * clean lines and one of dirty lines, followed by the ways. */
    struct compact_line *lines;
    struct hash_index index;         /* of `lines`, by line number */
    uint32_t (*bytes)[TAGS_SECTORS]; /* of each line: the bytes written of partial sectors */
    uint32_t sets, stride;           /* elements of `lines` for each set; 1 for `few` */
    uint32_t ways;                   /* in use; see tags_clear() */
    uint32_t used;                   /* lines that are not free */
    uint32_t clock;                  /* counts accesses, for `lines` */
    uint32_t dirty;                  /* lines with dirty sectors */
    bool through;                    /* write policy 'T': nothing is written back */
    uint32_t percent;                /* tags_spec.dirty_percent */
    uint32_t dirty_least; /* dirty lines are replaced only if there are at least this many */
};

/* Whether a cache of SPEC and these policies has a compact form. */
bool compact_fits(const struct tags_spec *spec, char write_policy, char write_allocate);

/* Makes an empty cache of SPEC. Returns false when memory is short. */
bool compact_init(struct compact *compact, const struct tags_spec *spec, char write_policy);
void compact_finish(struct compact *compact);

/* Empties it and sets its number of ways, at most that of compact_init(). */
void compact_clear(struct compact *compact, uint32_t ways);

/* Takes over what TAGS hold; no sector of them may be in flight. */
void compact_load(struct compact *compact, const struct tags *tags);

/* Makes TAGS hold the same. The order of use becomes cycles before NOW, or from 0 on. */
void compact_store(const struct compact *compact, struct tags *tags, uint64_t now);

#endif
