#include "sim/core/icache.h"

#include <stdlib.h>
#include <string.h>

#include "sim/stats/shares.h"

struct icache *icache_create(const struct icache_spec *spec)
{
    struct icache *cache = calloc(1, sizeof *cache);
    if (cache == NULL)
        return NULL;
    cache->spec = spec;
    bool made = line_cache_init(&cache->l1, spec->l1_sets, spec->l1_ways, spec->line);
    for (uint32_t i = 0; i < spec->l0_count; i++)
        made = line_cache_init(&cache->l0[i], 1, spec->l0_lines, spec->line) && made;
    if (!made) {
        icache_destroy(cache);
        return NULL;
    }
    return cache;
}

void icache_destroy(struct icache *cache)
{
    if (cache == NULL)
        return;
    for (uint32_t i = 0; i < ICACHE_MAX_L0; i++)
        line_cache_finish(&cache->l0[i]);
    line_cache_finish(&cache->l1);
    free(cache);
}

void icache_clear(struct icache *cache)
{
    for (uint32_t i = 0; i < cache->spec->l0_count; i++)
        line_cache_clear(&cache->l0[i]);
    line_cache_clear(&cache->l1);
    memset(cache->streams, 0, sizeof cache->streams);
    cache->l1_free = 0;
}

/* FNV-1a. */
uint64_t icache_place(const struct icache_spec *spec, const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash & ~(uint64_t)(spec->line - 1);
}

/* Asks L1 for a line; returns when it is there. */
static uint64_t request(struct icache *cache, uint32_t slot, uint64_t address, uint64_t now)
{
    uint64_t taken = now > cache->l1_free ? now : cache->l1_free;
    uint64_t ready = taken + cache->spec->l1_latency;
    const struct cached_line *line = line_cache_find(&cache->l1, address);
    cache->l1_free = taken + 1;
    SHARES_ADD(cache, slot, l1_requests, 1);
    if (line != NULL) {
        SHARES_ADD(cache, slot, l1_pending_hits, line->ready > ready);
        return line->ready > ready ? line->ready : ready;
    }
    ready += cache->spec->miss_latency;
    SHARES_ADD(cache, slot, l1_misses, 1);
    line_cache_put(&cache->l1, address, ready);
    return ready;
}

/* Asks for further lines until the buffer is full. */
static void fetch_ahead(struct icache *cache, struct icache_stream *stream, uint32_t slot,
                        uint64_t now)
{
    for (; stream->count < cache->spec->stream; stream->count++) {
        uint32_t at = (stream->head + stream->count) % ICACHE_MAX_STREAM;
        stream->entries[at].address = stream->next;
        stream->entries[at].ready = request(cache, slot, stream->next, now);
        stream->next += cache->spec->line;
    }
}

/* Takes ADDRESS's line out of the buffer and drops the entries ahead of it. */
static bool take(struct icache_stream *stream, uint64_t address, uint64_t *ready)
{
    for (uint32_t i = 0; i < stream->count; i++) {
        const struct cached_line *entry =
            &stream->entries[(stream->head + i) % ICACHE_MAX_STREAM];
        if (entry->address != address)
            continue;
        *ready = entry->ready;
        stream->head = (stream->head + i + 1) % ICACHE_MAX_STREAM;
        stream->count -= i + 1;
        return true;
    }
    return false;
}

uint64_t icache_fetch(struct icache *cache, uint32_t number, uint32_t slot, uint64_t address,
                      uint64_t now)
{
    struct line_cache *l0 = &cache->l0[number];
    struct icache_stream *stream = &cache->streams[number];
    uint64_t ready;
    address = line_cache_address(l0, address);
    const struct cached_line *line = line_cache_find(l0, address);
    SHARES_ADD(cache, slot, fetches, 1);
    if (line != NULL) {
        SHARES_ADD(cache, slot, l0_pending_hits, line->ready > now);
        return line->ready > now ? line->ready : now;
    }
    SHARES_ADD(cache, slot, l0_misses, 1);
    if (take(stream, address, &ready)) {
        SHARES_ADD(cache, slot, stream_hits, 1);
    } else {
        ready = request(cache, slot, address, now);
        stream->count = 0;
        stream->next = address + cache->spec->line;
    }
    fetch_ahead(cache, stream, slot, now);
    line_cache_put(l0, address, ready);
    return ready > now ? ready : now;
}
