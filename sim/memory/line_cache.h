/* A read-only cache whose miss latency is known at the miss: each line has the cycle in which
 * its data arrive. The least recently used line is replaced at a miss, even if its own data
 * have not arrived. */
#ifndef HEARTH_SIM_MEMORY_LINE_CACHE_H
#define HEARTH_SIM_MEMORY_LINE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cached_line {
    uint64_t address; /* of its first byte */
    uint64_t ready;   /* cycle in which its data arrive */
    uint64_t used;    /* order of the last use, from 1; 0: holds nothing */
};

struct line_cache {
    uint32_t sets, ways; /* sets: power of two; chosen by the low bits of the line's number */
    uint32_t bytes;      /* of a line, power of two */
    uint64_t uses;
    struct cached_line *lines; /* sets x ways */
};

/* Returns false when memory is short. */
bool line_cache_init(struct line_cache *lines, uint32_t sets, uint32_t ways, uint32_t bytes);
/* Accepts a zeroed one. */
void line_cache_finish(struct line_cache *lines);
/* Empties it. */
void line_cache_clear(struct line_cache *lines);

/* Returns the line of ADDRESS, which is then the most recently used one, or NULL. */
struct cached_line *line_cache_find(struct line_cache *lines, uint64_t address);
/* Whether it holds the line of ADDRESS, there or on its way; that is no use of it. */
bool line_cache_holds(const struct line_cache *lines, uint64_t address);
/* The cycle in which the data of the line of ADDRESS, which it holds, arrive; sets it to READY.
 * Neither is a use of it. */
uint64_t line_cache_ready(const struct line_cache *lines, uint64_t address);
void line_cache_came(struct line_cache *lines, uint64_t address, uint64_t ready);
/* Allocates a line for ADDRESS, which is not in the cache; its data arrive in cycle READY. */
void line_cache_put(struct line_cache *lines, uint64_t address, uint64_t ready);

/* Fills ADDRESSES, which has room for all lines, with those that it holds, the least recently
 * used one first. Returns how many. */
size_t line_cache_list(const struct line_cache *lines, uint64_t *addresses);

static inline uint64_t line_cache_address(const struct line_cache *lines, uint64_t address)
{
    return address & ~(uint64_t)(lines->bytes - 1);
}

#endif
