/* A read-only cache whose misses take a time that is known when they happen:
 * lines with the cycle in which they are there. A line is replaced when
 * another one is asked for, least recently used first, whether or not its own
 * data have come. */
#ifndef HEARTH_SIM_MEMORY_LINE_CACHE_H
#define HEARTH_SIM_MEMORY_LINE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct cached_line {
    uint64_t address; /* of its first byte */
    uint64_t ready;   /* cycle from which its data are there */
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

/* The line of ADDRESS, marked as used, or NULL. */
struct cached_line *line_cache_find(struct line_cache *lines, uint64_t address);
/* Gives a line of its set to ADDRESS, whose line is not there; its data come at READY. */
void line_cache_put(struct line_cache *lines, uint64_t address, uint64_t ready);

static inline uint64_t line_cache_address(const struct line_cache *lines, uint64_t address)
{
    return address & ~(uint64_t)(lines->bytes - 1);
}

#endif
