/* Instruction caches of an SM: each scheduler has a small one (L0), fully
 * associative, with a stream buffer that fetches ahead. All L0 share the next
 * level (L1). A miss in L1 takes a fixed time.
 *
 * Sources: the hierarchy and the prefetcher of successive lines from
 * "Dissecting and Modeling the Architecture of Modern GPU Cores" (MICRO 2025),
 * sections 5.2 and 6; the stream buffer from "Improving Direct-Mapped Cache
 * Performance by the Addition of a Small Fully-Associative Cache and Prefetch
 * Buffers" (ISCA 1990). As assumed there, all entries of the buffer are
 * searched, not only the first.
 *
 *   A fetch that hits in L0 takes no time. One that finds its line in the
 *   stream buffer takes it from there; the entries ahead of it are dropped and
 *   as many lines after the last one are requested. Any other line is
 *   requested from L1, and the buffer restarts with the lines after it. L1
 *   takes one request per cycle, in order, and answers l1_latency cycles
 *   later, plus miss_latency for a line that it does not hold. */
#ifndef HEARTH_SIM_CORE_ICACHE_H
#define HEARTH_SIM_CORE_ICACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/memory/line_cache.h"

#define ICACHE_MAX_STREAM 64
#define ICACHE_MAX_L0     8

struct icache_spec {
    bool enabled;
    uint32_t l0_count;                 /* one of each scheduler */
    uint32_t l0_lines;                 /* of one, at least 1 */
    uint32_t l1_sets, l1_ways;         /* sets: power of two */
    uint32_t line;                     /* bytes, power of two */
    uint32_t stream;                   /* entries of a stream buffer, each a line; 0: none */
    uint32_t l1_latency, miss_latency; /* core cycles, l1_latency at least 1 */
};

struct icache_stream {
    struct cached_line entries[ICACHE_MAX_STREAM]; /* a ring; `used` has no meaning */
    uint32_t head, count;
    uint64_t next; /* address of the line after the last entry */
};

struct icache_stats {
    uint64_t fetches;         /* lookups in L0 */
    uint64_t l0_pending_hits; /* of them in L0, on their way */
    uint64_t l0_misses;       /* of them not in L0, in the stream buffer or not */
    uint64_t stream_hits;     /* of l0_misses in the stream buffer, there or on their way */
    uint64_t l1_requests;     /* of L0s and stream buffers */
    uint64_t l1_pending_hits; /* of them in L1, but later than a hit is answered */
    uint64_t l1_misses;
};

struct icache {
    const struct icache_spec *spec;
    struct line_cache l0[ICACHE_MAX_L0], l1;
    struct icache_stream streams[ICACHE_MAX_L0];
    uint64_t l1_free; /* cycle in which L1 takes the next request */
    struct icache_stats stats;
    struct icache_stats *shares; /* of each launch slot, where several launches run at once;
                                  * else NULL. The owner is the engine */
};

/* SPEC must outlive it. Returns NULL when memory is short. */
struct icache *icache_create(const struct icache_spec *spec);
/* Accepts NULL. */
void icache_destroy(struct icache *cache);
/* Empties it, at cycle 0. */
void icache_clear(struct icache *cache);

/* Where the code of the kernel called NAME is assumed to begin, at a line of SPEC. Traces do
 * not record it. The place depends only on the name, so all launches of a kernel share it,
 * whether they run one after the other or at once. */
uint64_t icache_place(const struct icache_spec *spec, const char *name);

/* Scheduler NUMBER fetches at ADDRESS (the kernel's place, and bytes from there) in cycle NOW,
 * which never decreases, for the launch in SLOT. Returns the cycle in which the line is there:
 * NOW itself for a hit. */
uint64_t icache_fetch(struct icache *cache, uint32_t number, uint32_t slot, uint64_t address,
                      uint64_t now);

/* True when two instructions lie in the same line. */
static inline bool icache_together(const struct icache *cache, uint32_t pc, uint32_t other)
{
    return ((pc ^ other) & ~(cache->spec->line - 1)) == 0;
}

#endif
