/* The tag array of a sectored cache: lines, sector states, the order of lines.
 *
 * Lines are found through a hash. Each set keeps an order of its lines, in two lists, one of
 * lines without and one of lines with dirty sectors, because a configuration may forbid to
 * replace dirty lines while few are dirty. The replacement policy (sim/memory/replacement/)
 * decides what that order means: under LRU it is the order of last use. */
#ifndef HEARTH_SIM_MEMORY_TAGS_H
#define HEARTH_SIM_MEMORY_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/memory/replacement/replacement.h"
#include "traces/base/hash_index.h"

#define TAGS_SECTORS 4
#define TAGS_NONE    UINT32_MAX
#define TAGS_END     UINT16_MAX

enum tags_status {
    TAGS_HIT,
    TAGS_PENDING,     /* the sector is in flight */
    TAGS_MISS,        /* the line is not present; a line to replace was found */
    TAGS_SECTOR_MISS, /* the line is present, the sector is not */
    TAGS_FAIL,        /* no line of the set can be replaced now */
};

/* Fixed by the configuration. */
struct tags_spec {
    uint32_t sets; /* power of two */
    uint32_t ways;
    uint32_t line_bytes;    /* power of two */
    uint32_t sector_bytes;  /* 32, or line_bytes if the cache is not sectored */
    uint32_t dirty_percent; /* dirty lines are replaced only if at least this share of all lines
                             * is dirty */
    char set_index;         /* as in struct sim_cache_config */
    const struct cache_replacement *replacement;
};

struct tags_line {
    uint64_t address;      /* of the line; meaningful unless every sector is invalid */
    uint64_t last;         /* cycle of the allocation, or of the last use under LRU */
    uint16_t prev, next;   /* in the set's list: ways, TAGS_END at its ends */
    uint8_t valid;         /* sectors that hold data, dirty or not */
    uint8_t reserved;      /* sectors that wait for data */
    uint8_t dirty;         /* of valid: written here */
    uint8_t partial;       /* of dirty: not all bytes are there, so that reads miss */
    uint8_t dirty_on_fill; /* of reserved or dirty: written while their data were in flight */
    uint8_t whole_on_fill; /* sectors that the fill makes readable */
    uint8_t listed;        /* 0 no list, 1 clean, 2 dirty */
    uint8_t written;       /* sectors whose tags_bytes hold something */
};

/* Bytes written since the allocation of a line, by sector; see tags_line.written. */
struct tags_bytes {
    uint32_t of[TAGS_SECTORS];
};

struct tags_list {
    uint16_t head, tail; /* ways: the first and the last in the order */
};

struct tags {
    struct tags_spec spec;
    struct tags_line *lines;  /* sets x ways */
    struct tags_bytes *bytes; /* of each line */
    struct tags_list *lists;  /* two for each set: clean, dirty */
    uint32_t *free;           /* unused ways of each set, as a stack */
    uint32_t *free_count;
    struct hash_index index; /* lines by their address */
    uint8_t *state;          /* of each line, for the replacement policy; NULL: none */
    uint32_t dirty_lines;
    uint32_t max_ways; /* what was allocated for; spec.ways may be set lower */
    bool used;         /* lines have been allocated since tags_clear() */
    bool shuffled;     /* `free` is not in the order of ways */
};

/* Returns false when memory is short. */
bool tags_init(struct tags *tags, const struct tags_spec *spec);
void tags_finish(struct tags *tags);

/* Empties the cache and sets its number of ways, at most that of tags_init(). */
void tags_clear(struct tags *tags, uint32_t ways);

/* The set of the line whose address, as set indexing sees it, is HASHED. */
uint32_t tags_set_of(const struct tags_spec *spec, uint64_t hashed);
static inline uint32_t tags_set(const struct tags *tags, uint64_t hashed)
{
    return tags_set_of(&tags->spec, hashed);
}

/* Prefetches the part of the hash at which a lookup of ADDRESS begins. */
void tags_prefetch(const struct tags *tags, uint64_t address);

/* After that, prefetches the line that a lookup of ADDRESS will probably find. */
void tags_expect(const struct tags *tags, uint64_t address);

/* Looks up a sector; changes nothing. *LINE becomes its line, or the line to replace if the
 * status is TAGS_MISS. SET is tags_set(). */
enum tags_status tags_probe(const struct tags *tags, uint32_t set, uint64_t address, bool write,
                            uint32_t *line);

/* After a miss in a cache of few sets: prefetches what the next miss in SET needs of the line
 * that it replaces. */
void tags_expect_miss(const struct tags *tags, uint32_t set);

/* The line of ADDRESS, or TAGS_NONE. */
uint32_t tags_find(const struct tags *tags, uint64_t address);

/* The line of SET to replace; TAGS_NONE: none can be. */
uint32_t tags_victim(const struct tags *tags, uint32_t set);

/* ---- for replacement policies ---- */

/* LINE becomes the last in the order of SET. */
void tags_move_last(struct tags *tags, uint32_t set, uint32_t line);

/* Whether LINE may be replaced: it waits for no data. KEEP_DIRTY: nor is it dirty. */
static inline bool tags_may_go(const struct tags *tags, uint32_t line, bool keep_dirty)
{
    return tags->lines[line].reserved == 0 && !(keep_dirty && tags->lines[line].dirty != 0);
}

/* The first line in the order of SET that may go; TAGS_NONE: none may. */
uint32_t tags_first(const struct tags *tags, uint32_t set, bool keep_dirty);

/* The states of the lines of SET, side by side; only where the policy has any. */
static inline void *tags_state(const struct tags *tags, uint32_t set)
{
    return tags->state + set * tags->max_ways * tags->spec.replacement->state_size;
}

/* ---- the order of lines ---- */

/* The lines of a set, one after the other in their order. */
struct tags_walk {
    const struct tags *tags;
    uint32_t first;   /* line of the set's first way */
    uint16_t way[2];  /* that come next in the two lists */
    bool clean_first; /* of a clean and a dirty line that were last used in the same cycle (by
                       * copies), the clean one; else the one that tags_first() would choose */
};

static inline struct tags_walk tags_walk(const struct tags *tags, uint32_t set,
                                         bool clean_first)
{
    const struct tags_list *lists = &tags->lists[2 * set];
    return (struct tags_walk){
        tags, set * tags->max_ways, {lists[0].head, lists[1].head}, clean_first};
}

/* The next line, or TAGS_NONE. It may be changed meanwhile, but for its place in the order. */
uint32_t tags_walk_next(struct tags_walk *walk);

/* When a line of SET was last used; 0: there is none. */
uint64_t tags_last_use(const struct tags *tags, uint32_t set);

/* The status of the sector at ADDRESS, whose line is LINE, as tags_probe() would find it. */
enum tags_status tags_sector_status(const struct tags *tags, uint32_t line, uint64_t address,
                                    bool write);

/* True when tags_probe() would find TAGS_HIT. */
bool tags_hit(const struct tags *tags, uint64_t address, bool write);

/* LINE is used in cycle NOW. */
static inline void tags_touch(struct tags *tags, uint32_t set, uint32_t line, uint64_t now)
{
    tags->spec.replacement->used(tags, set, line, now);
}

/* Allocates LINE (from tags_probe() with TAGS_MISS) for the line of ADDRESS and reserves its
 * sector. Returns the dirty sectors of the line that was there, with its address in *EVICTED.
 */
uint8_t tags_allocate(struct tags *tags, uint32_t set, uint32_t line, uint64_t address,
                      uint64_t now, uint64_t *evicted);

/* Reserves another sector of a line that is present. */
void tags_reserve(struct tags *tags, uint32_t set, uint32_t line, uint64_t address,
                  uint64_t now);

/* The data of a reserved sector have arrived. */
void tags_fill(struct tags *tags, uint32_t set, uint32_t line, uint64_t address);

/* Marks BYTES (a mask) of the sector as written. PENDING: its data are in flight and must not
 * undo the write. */
void tags_write(struct tags *tags, uint32_t set, uint32_t line, uint64_t address,
                uint32_t bytes, bool pending);

/* Makes a whole sector dirty without touching its readability: atomics. */
void tags_dirty(struct tags *tags, uint32_t set, uint32_t line, uint64_t address);

/* With more than MOST dirty lines in SET, one of them other than KEEP that does not wait for
 * data, whichever: it does not depend on their ages; but one with partly written sectors only
 * if there is no other. TAGS_NONE: there is none, or no need. */
uint32_t tags_dirty_beyond(const struct tags *tags, uint32_t set, uint32_t most, uint32_t keep);

/* LINE becomes a clean one in the same place of the order, unless it waits for data. What it
 * has of partly written sectors is dropped. Returns the sectors that were dirty, with the
 * line's address in *ADDRESS. */
uint8_t tags_clean(struct tags *tags, uint32_t set, uint32_t line, uint64_t *address);

/* Drops one sector. */
void tags_invalidate(struct tags *tags, uint32_t set, uint32_t line, uint64_t address);

static inline uint32_t tags_sector(const struct tags *tags, uint64_t address)
{
    return (uint32_t)(address & (tags->spec.line_bytes - 1)) >>
           __builtin_ctz(tags->spec.sector_bytes);
}

static inline uint64_t tags_line_address(const struct tags *tags, uint64_t address)
{
    return address & ~(uint64_t)(tags->spec.line_bytes - 1);
}

/* True when LINE holds the line of ADDRESS. */
static inline bool tags_holds(const struct tags *tags, uint32_t line, uint64_t address)
{
    return tags->lines[line].listed != 0 &&
           tags->lines[line].address == tags_line_address(tags, address);
}

#endif
