/* The tags of a sectored cache in few bytes, for accesses without time: sim_functional(). They
 * do what cache_access() and cache_fill() do to struct tags when every sector comes at once,
 * for caches of 128-byte lines that replace the least recently used one, allocate what is read,
 * and take written sectors without their data (write policies 'T' and 'B', allocation 'L').
 *
 * A set of few ways takes 192 bytes (compact_few.h). In others a line takes 16, and is found
 * through a hash of all lines, of 8 to 16 bytes a line. So the tags of all SMs and of L2 nearly
 * fit the host's caches. */
#ifndef HEARTH_SIM_FUNCTIONAL_COMPACT_H
#define HEARTH_SIM_FUNCTIONAL_COMPACT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/functional/compact_few.h"
#include "sim/memory/tags.h"
#include "traces/base/hash_index.h"

#define COMPACT_LINE    7                  /* log2 of the bytes of a line */
#define COMPACT_ADDRESS ((1ull << 58) - 1) /* the bits of addresses that lines are named by */

/* A line, by its address, of which bits above COMPACT_ADDRESS do not count: no GPU has such. */
struct compact_name {
    uint64_t number; /* address / 128, of which there are 51 bits, and above them a one */
    uint64_t hash;   /* hash_index_hash() of it */
};

/* A line of a set of many ways, or the end of a list. */
struct compact_line {
    uint64_t key;  /* number of the line << 12 | masks of its sectors: partial << 8 | dirty << 4
                    * |  valid, as in struct tags_line; 0: it is free, or an end */
    uint32_t last; /* when it was used last: `clock` */
    uint16_t prev, next; /* in its list, a ring through its end */
};

struct compact {
    struct compact_few *few; /* the sets, of COMPACT_FEW ways at most; NULL: of more */
    /* Of each set of more the ends of two lists in order of use, of free and clean lines and of
     * dirty ones, and the ways behind them. */
    struct compact_line *lines;
    struct hash_index index;         /* of `lines`, by their numbers */
    uint32_t (*bytes)[TAGS_SECTORS]; /* of each line: those written, of partial sectors */
    uint32_t sets, stride;           /* of `lines`; 1 of `few` */
    uint32_t ways;                   /* that are used: see tags_clear() */
    uint32_t used;                   /* lines that are not free */
    uint32_t clock;                  /* accesses, of `lines` */
    uint32_t dirty;                  /* lines with dirty sectors */
    bool through;                    /* write policy 'T': nothing is written back */
    uint32_t percent;                /* tags_spec.dirty_percent */
    uint32_t dirty_least;            /* so many must be dirty for one to be replaced */
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

#endif
