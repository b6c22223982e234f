/* A data cache: tags, MSHRs, a miss queue and two ports. L1 and L2 differ only in their
 * configuration, as in GPGPU-Sim. */
#ifndef HEARTH_SIM_MEMORY_CACHE_H
#define HEARTH_SIM_MEMORY_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/config.h"
#include "sim/memory/mshr.h"
#include "sim/memory/queue.h"
#include "sim/memory/tags.h"

/* The outcome of an access. */
enum cache_status {
    CACHE_HIT,
    CACHE_PENDING, /* the sector is in flight */
    CACHE_MISS,
    CACHE_SECTOR_MISS, /* the line is present, the sector is not */
    CACHE_FAIL,        /* refused: to be tried again in the next cycle */
    CACHE_STATUS_COUNT
};

struct cache_result {
    uint8_t status; /* enum cache_status, for counting */
    bool accepted;  /* false: refused; nothing has changed */
    bool hit;       /* the data are there (loads), or have been written (stores) */
    bool sent; /* the packet itself was put in the miss queue (write through, no allocation) */
    bool fetching;   /* a write that waits until its sector has been fetched; with `sent`, it is
                      * also sent on */
    uint8_t evicted; /* dirty sectors evicted, as a mask */
    uint8_t room;    /* of a refused access, what it lacks: room for so many packets in the miss
                      * queue; CACHE_NO_MSHR: a free MSHR; 0: something else. It needs neither if
                      * it hits by then */
};

#define CACHE_NO_MSHR UINT8_MAX

/* What a refused access waits for, apart from its own sector. */
enum cache_want { CACHE_WANTS_ANYTHING, CACHE_WANTS_ROOM, CACHE_WANTS_MSHR, CACHE_WANTS };

/* A refusal, kept so that the owner of the access tries again only when the answer may be
 * different. All zero: no refusal. */
struct cache_refusal {
    uint64_t changes, arrivals, asked; /* those of the cache when it last refused */
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
    CACHE_COPY,       /* for the other half of L2 */
    CACHE_CODE,       /* instructions */
    CACHE_KIND_COUNT
};

struct cache_stats {
    uint64_t counts[CACHE_KIND_COUNT][CACHE_STATUS_COUNT]; /* CACHE_FAIL: cycles of waiting */
    uint64_t mshr_hits[CACHE_KIND_COUNT];                  /* merged into a request in flight */
    uint64_t first_pending[CACHE_KIND_COUNT]; /* of reads: CACHE_PENDING for a sector that came
                                               * on its way with another one of its block, and
                                               * for which nobody had asked */
    uint64_t dirty_lines;                     /* evicted */
    uint64_t dirty_sectors;                   /* evicted */
    uint64_t
        written; /* 32-byte sectors to the next level: dirty ones evicted, and writes sent on */
};

struct cache {
    struct tags tags;
    struct mshr mshr;
    struct queue misses; /* to the next level, one a cycle */
    uint32_t misses_max;
    /* For which the ports are taken, worked out once as divisions take long: */
    uint32_t hit_cycles;                      /* by 32 bytes */
    uint32_t sector_cycles[TAGS_SECTORS + 1]; /* by so many of the cache's sectors */
    uint32_t write_cycles; /* of the data port for each write; 0: as for a read, if it hits */
    uint32_t mask_cycles;  /* more of them for a write that has the mask of its line */
    uint32_t dirty_ways;   /* as in struct sim_cache_config */
    uint32_t dirty_kept;   /* the same */
    uint32_t write_grain;  /* under 'L', a write of part of such a piece fetches its sector */
    bool grain_through;    /* as in struct sim_cache_config */
    bool whole_writes;     /* as in struct sim_cache_config */
    uint32_t pieces;       /* as in struct sim_cache_config */
    uint32_t block_bytes;  /* the same as `fetch` there: an MSHR is for a block of so many */
    bool prefetches;       /* as in struct sim_cache_config */
    char write_policy, write_allocate;
    bool allocate_on_fill;
    bool fills_freely;             /* who fills it limits the rate, not a port */
    uint64_t data_free, fill_free; /* cycles from which the ports are free */
    uint64_t changes[CACHE_WANTS]; /* each changes whenever what is wanted may be available */
    uint64_t arrivals;             /* blocks that may have become readable, so far */
    uint64_t arrived;              /* the last of them */
    uint64_t asked;                /* blocks for which an MSHR has been taken, so far */
    uint64_t last_asked;           /* the last of them */
    struct cache_stats stats;
    struct cache_stats *shares; /* of each launch slot, without fails, if several launches run
                                 * at once; else NULL. Owned by the engine */
};

/* The specification of the tags of a cache of CONFIG, in which dirty lines may always be
 * replaced. */
struct tags_spec cache_tags(const struct sim_cache_config *config);

/* DIRTY_PERCENT as in struct tags_spec. Returns false when memory is short. */
bool cache_init(struct cache *cache, const struct sim_cache_config *config,
                uint32_t dirty_percent);
void cache_finish(struct cache *cache);

/* Whether a write that fetches its sector is also sent on. */
static inline bool cache_fetches_and_sends(const struct cache *cache)
{
    return cache->write_allocate == 'W' ||
           (cache->write_allocate == 'L' && cache->grain_through) ||
           (cache->write_allocate == 'F' && cache->write_policy == 'T');
}

/* Whether PACKET, a write that hits, is sent on to the next level at once: under write-through;
 * under 'L' (write back for local, write through for global data) if its data are global. */
static inline bool cache_goes_through(const struct cache *cache, const struct packet *packet)
{
    char policy = cache->write_policy;
    return policy == 'T' || policy == 'E' || (policy == 'L' && !packet->local);
}

/* Whether BYTES, a mask of those of a sector that are written, has parts of pieces that the
 * cache can only keep as a whole. */
static inline bool cache_splits(const struct cache *cache, uint32_t bytes)
{
    uint32_t grain = cache->write_grain, all = bytes;
    if (grain <= 1)
        return false;
    for (uint32_t i = 0; i < SECTOR_BYTES; i += grain) {
        uint32_t piece = (uint32_t)((1ull << grain) - 1) << i;
        if ((bytes & piece) != 0)
            all |= piece;
    }
    return all != bytes;
}

/* Accesses SET, that of PACKET's line. Write-backs of evicted lines are queued after it, one
 * packet for each line, with the slice of PACKET; L1 sends them on by sector. */
struct cache_result cache_access(struct cache *cache, const struct packet *packet, uint32_t set,
                                 uint64_t now);

static inline enum cache_kind cache_kind(const struct packet *packet)
{
    static const uint8_t kinds[][2] = {
        [PACKET_READ] = {CACHE_GLOBAL_READ, CACHE_LOCAL_READ},
        [PACKET_READ_L2] = {CACHE_GLOBAL_READ, CACHE_LOCAL_READ},
        [PACKET_CODE] = {CACHE_CODE, CACHE_CODE},
        [PACKET_ATOMIC] = {CACHE_ATOMIC, CACHE_ATOMIC},
        [PACKET_COPY] = {CACHE_COPY, CACHE_COPY},
        [PACKET_WRITE] = {CACHE_GLOBAL_WRITE, CACHE_LOCAL_WRITE},
        [PACKET_WRITE_BACK] = {CACHE_WRITE_BACK, CACHE_WRITE_BACK},
    };
    return (enum cache_kind)kinds[packet->kind][packet->local];
}

/* True if the cache would refuse PACKET again; REFUSAL is its last refusal. */
bool cache_refuses_again(const struct cache *cache, struct cache_refusal *refusal,
                         const struct packet *packet);

/* The same, but PACKET is not looked at while nothing has changed; false without a refusal. */
static inline bool cache_still_refuses(const struct cache *cache, struct cache_refusal *refusal,
                                       const struct packet *packet)
{
    return refusal->stands && (refusal->changes == cache->changes[refusal->want] ||
                               cache_refuses_again(cache, refusal, packet));
}

/* Keeps RESULT, a refusal of PACKET, in *REFUSAL. */
void cache_note_refusal(const struct cache *cache, struct cache_refusal *refusal,
                        const struct packet *packet, const struct cache_result *result);

/* Counts CYCLES in which a refused access of KIND waits. */
static inline void cache_wait(struct cache *cache, enum cache_kind kind, uint64_t cycles)
{
    cache->stats.counts[kind][CACHE_FAIL] += cycles;
}

/* Removes the oldest packet for the next level; only if misses.count > 0. */
static inline void cache_pop_miss(struct cache *cache)
{
    queue_pop(&cache->misses);
    cache->changes[CACHE_WANTS_ANYTHING]++;
    cache->changes[CACHE_WANTS_ROOM]++;
}

/* Takes the next packet whose sector has arrived; only if mshr_has_ready(). */
static inline struct packet cache_take_ready(struct cache *cache)
{
    cache->changes[CACHE_WANTS_ANYTHING]++;
    cache->changes[CACHE_WANTS_MSHR]++;
    return mshr_take(&cache->mshr);
}

/* True when ADDRESS's block is awaited. */
bool cache_awaits(const struct cache *cache, uint64_t address);

/* Prefetches what cache_fill() with PACKET and its waiters will look at first. */
static inline void cache_expect_fill(const struct cache *cache, const struct packet *packet)
{
    __builtin_prefetch(&cache->mshr.pool[packet->mshr], 1);
    mshr_prefetch(&cache->mshr, packet->address & ~(uint64_t)(cache->block_bytes - 1));
}

/* After that, prefetches the line that will be filled. */
static inline void cache_expect_line(const struct cache *cache, const struct packet *packet)
{
    if (!cache->allocate_on_fill)
        __builtin_prefetch(&cache->tags.lines[cache->mshr.pool[packet->mshr].line], 1);
}

/* Whether PACKET, which arrives, is the last piece of the sector that the cache asked for: then
 * cache_fill() is due. */
static inline bool cache_is_last_piece(struct cache *cache, const struct packet *packet)
{
    return cache->pieces <= 1 || --cache->mshr.pool[packet->mshr].missing == 0;
}

/* The first sector of ADDRESS's block that a read would miss; ADDRESS: there is none. */
uint64_t cache_missing_sector(const struct cache *cache, uint64_t address);

/* Puts PACKET's sector, whose data are at hand, into SET without fetching it, if there is room.
 * It is clean. */
void cache_place(struct cache *cache, const struct packet *packet, uint32_t set, uint64_t now);

/* Bytes, aligned, of which PACKET, a read that misses, fetches what is missing: its block, or
 * as much as it says. */
static inline uint32_t cache_fetched_bytes(const struct cache *cache,
                                           const struct packet *packet)
{
    uint32_t ahead = cache->prefetches ? SECTOR_BYTES << packet->ahead : 0;
    return ahead > cache->block_bytes ? ahead : cache->block_bytes;
}

/* Asks for the block of PACKET from its sector on, the first that is missing of it, as a read
 * that nobody answers; only if there is room for it, and a line. */
void cache_prefetch(struct cache *cache, const struct packet *packet, uint32_t set,
                    uint64_t now);

/* The data that PACKET, a miss that the cache sent, asked for have arrived. Its waiters become
 * available through cache_take_ready(). */
void cache_fill(struct cache *cache, const struct packet *packet, uint64_t now);

#endif
