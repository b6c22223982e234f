/* Accesses of a cache without time: what cache_access() and cache_fill() do to the tags when
 * every sector comes at once. Neither MSHRs nor queues nor counters of the cache take part. */
#ifndef HEARTH_SIM_FUNCTIONAL_CACHE_FUNCTIONAL_H
#define HEARTH_SIM_FUNCTIONAL_CACHE_FUNCTIONAL_H

#include "sim/memory/cache.h"

struct cache_functional_result {
    uint8_t status;  /* enum cache_status, as when nothing is on its way */
    bool fetched;    /* the sector is read from the next level */
    bool sent;       /* the packet itself goes on to the next level */
    uint8_t evicted; /* dirty sectors that are written back, as a mask */
    uint64_t victim; /* address of their line */
};

/* Presents PACKET to SET. NOW orders uses; it never goes back. *LINE is one of the cache's,
 * where that of the packet is looked for first, and becomes the one that was accessed. Packets
 * to the next level go in this order: the fetch, the write-back, the packet itself. */
struct cache_functional_result cache_functional_access(struct cache *cache,
                                                       const struct packet *packet,
                                                       uint32_t set, uint64_t now,
                                                       uint32_t *line);

/* Numbers the lines of each set in their order of use, so that all were used before cycle NOW
 * or close to it: what cache_functional_access() was given as NOW is forgotten. */
void cache_functional_settle(struct tags *tags, uint64_t now);

#endif
