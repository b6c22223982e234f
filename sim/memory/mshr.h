/* Miss status holding registers: for each block in flight, of one sector or several, the
 * packets that wait for it. */
#ifndef HEARTH_SIM_MEMORY_MSHR_H
#define HEARTH_SIM_MEMORY_MSHR_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/packet.h"
#include "traces/base/hash_index.h"

#define MSHR_NONE UINT32_MAX

/* Fills a line of the host's cache. */
struct mshr_entry {
    _Alignas(64) uint64_t address; /* of the block */
    struct packet packet;          /* the oldest one that waits */
    uint32_t first, last;          /* the others */
    uint32_t count;                /* of all that wait */
    uint32_t set, line; /* of the cache that it fills; the line unless it is allocated then */
    uint32_t next;      /* in the ready list, or in the free list */
    uint8_t atomic : 4; /* sectors of the line for which an atomic waits, as a mask: they become
                         * dirty */
    uint8_t asked : 4;  /* sectors of the line for which anybody waits, as a mask */
    bool ready;         /* its data have arrived; its waiters are being handed out */
    uint8_t missing;    /* pieces of the sector that have not arrived, if it comes in several */
    bool copy;          /* set by L2: it waits for the other half (sim/memory/halves.h) ... */
    uint16_t home_waited; /* ... which waited so many cycles for DRAM */
    uint16_t bytes;       /* asked for */
};

struct mshr_waiter {
    struct packet packet;
    uint32_t next;
};

struct mshr {
    uint32_t entries_max, merge_max;
    uint32_t entries; /* in use */
    struct mshr_entry *pool;
    struct mshr_waiter *waiters;
    uint32_t waiter_count, free_waiter;
    uint32_t free_entry;
    struct hash_index index;          /* entries by their address */
    uint32_t ready_first, ready_last; /* entries whose data have arrived, oldest first */
};

bool mshr_init(struct mshr *mshr, uint32_t entries, uint32_t merge);
void mshr_finish(struct mshr *mshr);

/* Prefetches the part of the hash at which a lookup of ADDRESS begins. */
void mshr_prefetch(const struct mshr *mshr, uint64_t address);
/* The entry of a block, or MSHR_NONE. */
uint32_t mshr_find(const struct mshr *mshr, uint64_t address);
/* True if a packet can be added to ENTRY (MSHR_NONE: to a new one). */
bool mshr_has_room(const struct mshr *mshr, uint32_t entry);
/* The entry that will be used next; only if there is room for one. */
static inline uint32_t mshr_next(const struct mshr *mshr)
{
    return mshr->free_entry;
}
/* Whether nobody waits yet for the sector of ADDRESS in ENTRY, MSHR_NONE or an entry in use. */
bool mshr_is_first(const struct mshr *mshr, uint32_t entry, uint64_t address);
/* Adds PACKET to ENTRY, or to a new entry for ADDRESS if that is MSHR_NONE. Returns the entry.
 */
uint32_t mshr_add(struct mshr *mshr, uint32_t entry, uint64_t address,
                  const struct packet *packet);
/* True while the data of the block at ADDRESS are in flight. */
bool mshr_awaits(const struct mshr *mshr, uint64_t address);
/* The data of ENTRY have arrived. */
void mshr_ready(struct mshr *mshr, uint32_t entry);
static inline bool mshr_has_ready(const struct mshr *mshr)
{
    return mshr->ready_first != MSHR_NONE;
}
/* Takes the next packet whose data have arrived; the last one of an entry frees it. */
struct packet mshr_take(struct mshr *mshr);

#endif
