/* Functional accesses of a cache: what cache_access() and cache_fill() do to the tags if every
 * sector arrives at once. MSHRs, queues and counters of the cache are not used. */
#ifndef HEARTH_SIM_FUNCTIONAL_CACHE_FUNCTIONAL_H
#define HEARTH_SIM_FUNCTIONAL_CACHE_FUNCTIONAL_H

#include "sim/memory/cache.h"

struct cache_functional_result {
    uint8_t status;  /* enum cache_status, as if nothing were in flight */
    uint8_t fetched; /* sectors that are read from the next level */
    bool sent;       /* the packet itself is sent on to the next level */
    uint8_t evicted; /* dirty sectors that are written back, as a mask */
    uint8_t cleaned; /* the same of a line that stays (-hearth_l2_dirty_ways) */
    uint64_t victim; /* address of the line that they belong to */
};

/* Accesses SET with PACKET. NOW orders uses and never decreases. *LINE is a guess of the
 * packet's line in the cache, and becomes the line that was accessed. Packets to the next level
 * are sent in this order: the fetch, the write-back, the packet itself. */
struct cache_functional_result cache_functional_access(struct cache *cache,
                                                       const struct packet *packet,
                                                       uint32_t set, uint64_t now,
                                                       uint32_t *line);

/* The same for a read whose data come later: until cache_functional_come() its line stays, and
 * what was missing of it is neither there nor asked for again, but counts as if it were. */
struct cache_functional_result cache_functional_ask(struct cache *cache,
                                                    const struct packet *packet, uint32_t set,
                                                    uint64_t now);

/* What PACKET, a read of SET, has asked for so comes. */
void cache_functional_come(struct cache *cache, const struct packet *packet, uint32_t set);

/* The same for cache_place(): PACKET's sector is there afterwards, and clean if it was not. */
struct cache_functional_result cache_functional_place(struct cache *cache,
                                                      const struct packet *packet, uint32_t set,
                                                      uint64_t now);

/* Renumbers the uses of the lines of each set, keeping their order, so that all are before
 * cycle NOW or close to it. What cache_functional_access() was given as NOW is thereby
 * forgotten. */
void cache_functional_settle(struct tags *tags, uint64_t now);

#endif
