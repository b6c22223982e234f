/* Accesses of a cache without time: what cache_access() and cache_fill() do to the tags when
 * every sector comes at once. Neither MSHRs nor queues nor counters of the cache take part. */
#ifndef HEARTH_SIM_MEMORY_TOUCH_H
#define HEARTH_SIM_MEMORY_TOUCH_H

#include "sim/memory/cache.h"

struct touch_result {
    uint8_t status;  /* enum cache_status, as when nothing is on its way */
    bool fetched;    /* the sector is read from the next level */
    bool sent;       /* the packet itself goes on to the next level */
    uint8_t evicted; /* dirty sectors that are written back, as a mask */
    uint64_t victim; /* address of their line */
};

/* What reads of sectors of one line find. */
struct touch_line {
    uint8_t hits;    /* of the sectors, as a mask */
    bool there;      /* the line was in the cache */
    uint8_t evicted; /* dirty sectors that are written back, as a mask */
    uint64_t victim; /* address of their line */
};

/* Reads SECTORS (a mask, not 0) of the line at ADDRESS, one after the other: those that are no
 * hits are fetched, or pass the cache where no line can be replaced. NEAR is a line that may be
 * it, or TAGS_NONE. NOW as below. */
struct touch_line touch_read(struct cache *cache, uint64_t address, uint8_t sectors,
                             uint32_t set, uint32_t near, uint64_t now);

/* What writes of sectors of one line do. */
struct touch_stored {
    struct touch_line line;
    bool refused; /* no line could be replaced: nothing was taken */
};

/* Whether CACHE takes written sectors without their data, whatever it holds: then touch_write()
 * does for it what touch_cache() does. */
bool touch_takes_lines(const struct cache *cache);

/* Writes the BYTES (a mask a sector) of SECTORS (a mask, not 0) of the line at ADDRESS, one
 * after the other. All of them go on to the next level where they are refused, and under write
 * policy 'T'. NEAR as above. */
struct touch_stored touch_write(struct cache *cache, uint64_t address, uint8_t sectors,
                                const uint32_t bytes[TAGS_SECTORS], uint32_t set, uint32_t near,
                                uint64_t now);

/* Presents PACKET to SET. NOW orders uses; it never goes back. *LINE is one of the cache's,
 * where that of the packet is looked for first, and becomes the one that was accessed. Packets
 * to the next level go in this order: the fetch, the write-back, the packet itself. */
struct touch_result touch_cache(struct cache *cache, const struct packet *packet, uint32_t set,
                                uint64_t now, uint32_t *line);

/* Numbers the lines of each set in their order of use, so that all were used before cycle NOW
 * or close to it: what touch_cache() was given as NOW is forgotten. */
void touch_settle(struct tags *tags, uint64_t now);

#endif
