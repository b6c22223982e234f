/* A data cache: tags, MSHRs, a miss queue and two ports. L1 and L2 are the
 * same thing under different configuration strings, as in GPGPU-Sim. */
#ifndef HEARTH_SIM_MEMORY_CACHE_H
#define HEARTH_SIM_MEMORY_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/config.h"
#include "sim/memory/mshr.h"
#include "sim/memory/queue.h"
#include "sim/memory/tags.h"

/* What became of an access. */
enum cache_status {
    CACHE_HIT,
    CACHE_PENDING, /* the sector is on its way */
    CACHE_MISS,
    CACHE_SECTOR_MISS, /* the line is there, the sector is not */
    CACHE_FAIL,        /* not accepted: again next cycle */
    CACHE_STATUS_COUNT
};

struct cache_result {
    uint8_t status; /* enum cache_status, for counting */
    bool accepted;  /* false: nothing has changed, again next cycle */
    bool hit;       /* data are there now (loads), or were taken (stores) */
    bool sent;     /* the packet itself went to the miss queue (write through, no allocation) */
    bool fetching; /* a write that waits for its sector to be fetched first; with `sent`, one
                    * that goes on and is among those that wait for the sector */
    uint8_t evicted; /* dirty sectors evicted, as a mask */
    uint8_t room; /* of a refused access: packets that the miss queue must have room for before
                   * it can be taken, unless it hits; CACHE_NO_MSHR: a free MSHR, unless it hits
                   * or can be merged; 0: another reason */
};

#define CACHE_NO_MSHR UINT8_MAX

/* What a refused access waits for, beyond the arrival of its own sector. */
enum cache_want { CACHE_WANTS_ANYTHING, CACHE_WANTS_ROOM, CACHE_WANTS_MSHR, CACHE_WANTS };

/* That the cache refused an access, so that its owner asks again only when the answer may be
 * another. A zeroed one: no refusal. */
struct cache_refusal {
    uint64_t changes, arrivals, asked; /* the cache's when it last refused */
    uint8_t room;
    uint8_t want; /* enum cache_want */
    uint8_t kind; /* of the access, enum cache_kind */
    bool stands;
};

/* What an access is, for counting. */
enum cache_kind {
    CACHE_GLOBAL_READ,
    CACHE_LOCAL_READ,
    CACHE_ATOMIC,
    CACHE_GLOBAL_WRITE,
    CACHE_LOCAL_WRITE,
    CACHE_WRITE_BACK, /* of the level above */
    CACHE_KIND_COUNT
};

struct cache_stats {
    uint64_t counts[CACHE_KIND_COUNT][CACHE_STATUS_COUNT]; /* CACHE_FAIL: cycles of waiting */
    uint64_t mshr_hits[CACHE_KIND_COUNT]; /* merged into a request that was on its way */
    uint64_t dirty_lines;                 /* evicted */
    uint64_t dirty_sectors;               /* evicted */
    uint64_t written; /* to the next level, of 32 bytes: evicted dirty, or of writes sent on */
};

struct cache {
    struct tags tags;
    struct mshr mshr;
    struct queue misses; /* to the next level, one a cycle */
    uint32_t misses_max;
    uint32_t port_width; /* bytes a cycle */
    char write_policy, write_allocate;
    bool allocate_on_fill;
    uint64_t data_free, fill_free; /* cycles from which the ports are free */
    uint64_t changes[CACHE_WANTS]; /* one changes whenever what is wanted may be there */
    uint64_t arrivals;             /* sectors that may have become readable, so far */
    uint64_t arrived;              /* the last of them */
    uint64_t asked;                /* sectors that an MSHR was taken for, so far */
    uint64_t last_asked;           /* the last of them */
    struct cache_stats stats;
    struct cache_stats *shares; /* of each launch slot, without fails, where several launches
                                 * run at once; else NULL. The owner is the engine */
};

/* The tags of a cache of CONFIG; lines are replaced whatever is dirty. */
struct tags_spec cache_tags(const struct sim_cache_config *config);

/* DIRTY_PERCENT as in struct tags_spec. Returns false when memory is short. */
bool cache_init(struct cache *cache, const struct sim_cache_config *config,
                uint32_t dirty_percent);
void cache_finish(struct cache *cache);

/* Presents PACKET to SET, that of its line. Write-backs of evicted lines are queued behind it,
 * one packet a line, with the slice of PACKET: L1 sends them on by sector. */
struct cache_result cache_access(struct cache *cache, const struct packet *packet, uint32_t set,
                                 uint64_t now);

static inline enum cache_kind cache_kind(const struct packet *packet)
{
    static const uint8_t kinds[][2] = {
        [PACKET_READ] = {CACHE_GLOBAL_READ, CACHE_LOCAL_READ},
        [PACKET_READ_L2] = {CACHE_GLOBAL_READ, CACHE_LOCAL_READ},
        [PACKET_ATOMIC] = {CACHE_ATOMIC, CACHE_ATOMIC},
        [PACKET_WRITE] = {CACHE_GLOBAL_WRITE, CACHE_LOCAL_WRITE},
        [PACKET_WRITE_BACK] = {CACHE_WRITE_BACK, CACHE_WRITE_BACK},
    };
    return (enum cache_kind)kinds[packet->kind][packet->local];
}

/* True when the cache would refuse PACKET again, as REFUSAL (which stands) says it did. */
bool cache_refuses_again(const struct cache *cache, struct cache_refusal *refusal,
                         const struct packet *packet);

/* The same, without a look at PACKET while nothing has changed; false without a refusal. */
static inline bool cache_still_refuses(const struct cache *cache, struct cache_refusal *refusal,
                                       const struct packet *packet)
{
    return refusal->stands && (refusal->changes == cache->changes[refusal->want] ||
                               cache_refuses_again(cache, refusal, packet));
}

/* Keeps that RESULT (not accepted) was the answer to PACKET. */
void cache_note_refusal(const struct cache *cache, struct cache_refusal *refusal,
                        const struct packet *packet, const struct cache_result *result);

/* Counts CYCLES more in which a refused access of KIND waits. */
static inline void cache_wait(struct cache *cache, enum cache_kind kind, uint64_t cycles)
{
    cache->stats.counts[kind][CACHE_FAIL] += cycles;
}

/* Takes the oldest packet for the next level off; only when misses.count > 0. */
static inline void cache_pop_miss(struct cache *cache)
{
    queue_pop(&cache->misses);
    cache->changes[CACHE_WANTS_ANYTHING]++;
    cache->changes[CACHE_WANTS_ROOM]++;
}

/* Takes the next packet whose sector has come; only when mshr_has_ready(). */
static inline struct packet cache_take_ready(struct cache *cache)
{
    cache->changes[CACHE_WANTS_ANYTHING]++;
    cache->changes[CACHE_WANTS_MSHR]++;
    return mshr_take(&cache->mshr);
}

/* True when ADDRESS's sector is awaited. */
bool cache_awaits(const struct cache *cache, uint64_t address);

/* Ahead of cache_fill() for PACKET: brings near what it and its waiters look at first. */
static inline void cache_expect_fill(const struct cache *cache, const struct packet *packet)
{
    __builtin_prefetch(&cache->mshr.pool[packet->mshr], 1);
    mshr_prefetch(&cache->mshr, packet->address);
}

/* Once that is there, the line that will be filled. */
static inline void cache_expect_line(const struct cache *cache, const struct packet *packet)
{
    if (!cache->allocate_on_fill)
        __builtin_prefetch(&cache->tags.lines[cache->mshr.pool[packet->mshr].line], 1);
}

/* What PACKET, which the cache once sent as a miss, asked for has come. Its waiters become
 * available through mshr_take(). */
void cache_fill(struct cache *cache, const struct packet *packet, uint64_t now);

#endif
