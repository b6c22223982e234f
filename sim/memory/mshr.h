/* Miss status holding registers: for each sector on its way, the packets that
 * wait for it. */
#ifndef HEARTH_SIM_MEMORY_MSHR_H
#define HEARTH_SIM_MEMORY_MSHR_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/packet.h"
#include "traces/base/hash_index.h"

#define MSHR_NONE UINT32_MAX

/* A line of the host's cache. */
struct mshr_entry {
    _Alignas(64) uint64_t address; /* of the sector */
    struct packet packet;          /* the oldest that waits */
    uint32_t first, last;          /* the others */
    uint32_t count;                /* of all that wait */
    uint32_t line; /* the cache line it fills; its set where lines are allocated on fill */
    uint32_t next; /* of the ready list, or of the free list */
    bool atomic;   /* an atomic waits: the sector becomes dirty */
    bool ready;    /* its data have come; what still waits is handed out */
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
    uint32_t ready_first, ready_last; /* entries whose data have come, oldest first */
};

bool mshr_init(struct mshr *mshr, uint32_t entries, uint32_t merge);
void mshr_finish(struct mshr *mshr);

/* Brings the part of the hash that a lookup of ADDRESS begins with near. */
void mshr_prefetch(const struct mshr *mshr, uint64_t address);
/* The entry of a sector, or MSHR_NONE. */
uint32_t mshr_find(const struct mshr *mshr, uint64_t address);
/* True when a packet for ENTRY (MSHR_NONE: for a new one) can be taken. */
bool mshr_has_room(const struct mshr *mshr, uint32_t entry);
/* The entry that the next new one will be; only while there is room for one. */
static inline uint32_t mshr_next(const struct mshr *mshr)
{
    return mshr->free_entry;
}
/* Adds PACKET to ENTRY, or to a new one for ADDRESS; returns the entry. */
uint32_t mshr_add(struct mshr *mshr, uint32_t entry, uint64_t address,
                  const struct packet *packet);
/* True while the data of the sector at ADDRESS are on their way. */
bool mshr_awaits(const struct mshr *mshr, uint64_t address);
/* The data of ENTRY have come. */
void mshr_ready(struct mshr *mshr, uint32_t entry);
static inline bool mshr_has_ready(const struct mshr *mshr)
{
    return mshr->ready_first != MSHR_NONE;
}
/* Takes the next packet whose data are there; frees its entry with its last. */
struct packet mshr_take(struct mshr *mshr);

#endif
