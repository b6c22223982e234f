#include "sim/config/derive.h"

#include <string.h>

#include "sim/config/fields.h"
#include "sim/memory/replacement/replacement.h"

#define MAX_SETS    (1u << 20)
#define MAX_LINE    4096u
#define MAX_WAYS    65536u
#define MAX_ENTRIES (1u << 20)

static bool power_of_two(uint32_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

static int power_field(struct fields *fields, const char *name, uint32_t min, uint32_t max,
                       uint32_t *value)
{
    size_t at = fields->at;
    if (fields_u32(fields, name, min, max, value) < 0)
        return -1;
    if (!power_of_two(*value))
        return fields_fail(fields, at, name, "expected a power of two; got %u", *value);
    return 0;
}

/* KIND:SETS:LINE:WAYS. Files older than sectored caches have no KIND. */
static int shape(struct fields *fields, struct sim_cache_config *cache)
{
    char kind = 'N';
    if (fields->text[0] >= '0' && fields->text[0] <= '9')
        fields->number++;
    else if (fields_letter(fields, "kind", "NS", &kind) < 0 ||
             fields_separator(fields, ':', "sets") < 0)
        return -1;
    cache->sectored = kind == 'S';
    if (power_field(fields, "sets", 1, MAX_SETS, &cache->sets) < 0 ||
        fields_separator(fields, ':', "line size") < 0)
        return -1;
    size_t at = fields->at;
    if (power_field(fields, "line size", 32, MAX_LINE, &cache->line) < 0)
        return -1;
    if (cache->sectored && cache->line != 128)
        return fields_fail(fields, at, "line size", "expected 128 for a sectored cache; got %u",
                           cache->line);
    return fields_separator(fields, ':', "ways") < 0 ||
                   fields_u32(fields, "ways", 1, MAX_WAYS, &cache->ways) < 0
               ? -1
               : 0;
}

/* REPLACE:WRITE:ALLOCATE:ON WRITE[:INDEX] */
static int policies(struct fields *fields, struct sim_cache_config *cache)
{
    const struct policy *replacement;
    if (fields_separator(fields, ',', "replacement") < 0 ||
        fields_policy(fields, "replacement", cache_replacements, &replacement) < 0 ||
        fields_separator(fields, ':', "write policy") < 0 ||
        fields_letter(fields, "write policy", "RBTEL", &cache->write_policy) < 0 ||
        fields_separator(fields, ':', "allocation") < 0)
        return -1;
    cache->replacement = (const struct cache_replacement *)replacement;
    size_t at = fields->at;
    if (fields_letter(fields, "allocation", "mfs", &cache->allocate) < 0)
        return -1;
    if (cache->write_policy == 'B' && cache->allocate != 'm')
        return fields_fail(fields, at, "allocation",
                           "a write-back cache allocates on miss (m), not %c", cache->allocate);
    if (fields_separator(fields, ':', "write allocation") < 0)
        return -1;
    at = fields->at;
    if (fields_letter(fields, "write allocation", "NWFL", &cache->write_allocate) < 0)
        return -1;
    if (strchr("FL", cache->write_allocate) != NULL && cache->allocate != 'm')
        return fields_fail(fields, at, "write allocation",
                           "%c needs a cache that allocates on miss (m)",
                           cache->write_allocate);
    return 0;
}

#define HASHED_SETS 1024u /* hash_ipoly() has no polynomials for more */

static int set_index(struct fields *fields, struct sim_cache_config *cache)
{
    cache->set_index = 'L';
    if (!fields_accept(fields, ':')) {
        fields->number++;
        return 0;
    }
    size_t at = fields->at;
    if (fields_letter(fields, "set index", "LPXHC", &cache->set_index) < 0)
        return -1;
    if (cache->set_index == 'H' && cache->sets != 32 && cache->sets != 64)
        return fields_fail(fields, at, "set index", "H is a hash over 32 or 64 sets, not %u",
                           cache->sets);
    if (cache->set_index == 'P' && cache->sets > HASHED_SETS)
        return fields_fail(fields, at, "set index", "P is a hash over at most %u sets, not %u",
                           HASHED_SETS, cache->sets);
    return 0;
}

/* The entries that an access that misses may need in the miss queue at once: for a request,
 * the evicted line, and with some policies a write. */
static uint32_t needed_queue(const struct sim_cache_config *cache)
{
    bool sends = cache->write_allocate == 'W' ||
                 (cache->write_allocate == 'F' && cache->write_policy == 'T');
    return cache->write_policy == 'R' ? 0 : sends ? 3 : 2;
}

/* [,QUEUE] */
static int miss_queue(struct fields *fields, struct sim_cache_config *cache)
{
    size_t at = fields->at + 1;
    if (fields_at_end(fields))
        at = fields->at, fields->number++;
    else if (fields_separator(fields, ',', "miss queue") < 0 ||
             fields_u32(fields, "miss queue", 0, MAX_ENTRIES, &cache->miss_queue) < 0)
        return -1;
    uint32_t needed = needed_queue(cache);
    if (cache->miss_queue < needed)
        return fields_fail(fields, at, "miss queue",
                           "%u is too few: a miss of this cache takes up to %u",
                           cache->miss_queue, needed);
    return 0;
}

/* MSHR:ENTRIES:MERGE[,QUEUE[:FIFO][,PORT]] */
static int queues(struct fields *fields, struct sim_cache_config *cache)
{
    if (fields_separator(fields, ',', "MSHR kind") < 0 ||
        fields_letter(fields, "MSHR kind", "ASFT", &cache->mshr_type) < 0 ||
        fields_separator(fields, ':', "MSHR entries") < 0 ||
        fields_u32(fields, "MSHR entries", 1, MAX_ENTRIES, &cache->mshr_entries) < 0 ||
        fields_separator(fields, ':', "MSHR merge") < 0 ||
        fields_u32(fields, "MSHR merge", 1, MAX_ENTRIES, &cache->mshr_merge) < 0)
        return -1;
    if (miss_queue(fields, cache) < 0)
        return -1;
    if (fields_at_end(fields))
        return 0;
    if (fields_separator(fields, ':', "result FIFO") < 0 ||
        fields_u32(fields, "result FIFO", 0, MAX_ENTRIES, &cache->fifo) < 0)
        return -1;
    if (fields_at_end(fields))
        return 0;
    return fields_separator(fields, ',', "port width") < 0 ||
                   fields_u32(fields, "port width", 0, MAX_LINE, &cache->port_width) < 0
               ? -1
               : 0;
}

int derive_cache(const struct build *build, enum sim_option option,
                 struct sim_cache_config *cache)
{
    struct fields fields = fields_of(build, option, 15);
    memset(cache, 0, sizeof *cache);
    if (strcmp(fields.text, "none") == 0)
        return 0;
    if (shape(&fields, cache) < 0 || policies(&fields, cache) < 0 ||
        set_index(&fields, cache) < 0 || queues(&fields, cache) < 0 || fields_end(&fields) < 0)
        return -1;
    if (cache->port_width == 0)
        cache->port_width = cache->line;
    if (cache->line % cache->port_width != 0)
        return build_fail(build, option, 0, "a port of %u bytes does not divide a line of %u",
                          cache->port_width, cache->line);
    cache->enabled = true;
    return 0;
}
