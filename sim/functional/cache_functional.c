#include "sim/functional/cache_functional.h"

/* One access under way. */
struct cache_functional_access {
    struct cache *cache;
    const struct packet *packet;
    uint64_t now;
    uint32_t set, line;
    struct cache_functional_result result;
};

static void allocate(struct cache_functional_access *touch)
{
    uint64_t victim;
    uint8_t dirty = tags_allocate(&touch->cache->tags, touch->set, touch->line,
                                  touch->packet->address, touch->now, &victim);
    if (dirty == 0 || touch->cache->write_policy == 'T')
        return;
    touch->result.evicted = dirty;
    touch->result.victim = victim;
}

/* The sector's place, waiting for its data. */
static void reserve(struct cache_functional_access *touch, enum tags_status status)
{
    if (status == TAGS_MISS)
        allocate(touch);
    else
        tags_reserve(&touch->cache->tags, touch->set, touch->line, touch->packet->address,
                     touch->now);
}

static void read(struct cache_functional_access *touch, enum tags_status status)
{
    struct tags *tags = &touch->cache->tags;
    uint64_t address = touch->packet->address;
    if (status == TAGS_HIT) {
        tags_touch(tags, touch->set, touch->line, touch->now);
    } else {
        reserve(touch, status);
        tags_fill(tags, touch->set, touch->line, address);
        touch->result.fetched = true;
    }
    if (touch->packet->kind == PACKET_ATOMIC)
        tags_dirty(tags, touch->set, touch->line, address);
}

/* The bytes that a write holds, as a mask. Sectors come back whole from the level above. */
static uint32_t written(const struct packet *packet)
{
    return packet->kind == PACKET_WRITE_BACK ? UINT32_MAX : packet->bytes;
}

static void write_hit(struct cache_functional_access *touch)
{
    struct tags *tags = &touch->cache->tags;
    const struct packet *packet = touch->packet;
    char policy = touch->cache->write_policy;
    touch->result.sent = policy == 'T' || policy == 'E' || (policy == 'L' && !packet->local);
    if (policy == 'E' || (policy == 'L' && touch->result.sent)) {
        tags_invalidate(tags, touch->set, touch->line, packet->address);
        return;
    }
    tags_touch(tags, touch->set, touch->line, touch->now);
    tags_write(tags, touch->set, touch->line, packet->address, written(packet), false);
}

/* Takes the sector without its data. */
static void write_lazy(struct cache_functional_access *touch, enum tags_status status)
{
    touch->result.sent = touch->cache->write_policy == 'T';
    reserve(touch, status);
    tags_write(&touch->cache->tags, touch->set, touch->line, touch->packet->address,
               written(touch->packet), false);
}

/* Fetches it; the write is merged with what comes, or sent on: under 'W', and where writes go
 * through. */
static void write_fetch(struct cache_functional_access *touch, enum tags_status status)
{
    struct tags *tags = &touch->cache->tags;
    const struct packet *packet = touch->packet;
    reserve(touch, status);
    touch->result.fetched = true;
    touch->result.sent =
        touch->cache->write_allocate == 'W' || touch->cache->write_policy == 'T';
    if (!touch->result.sent) {
        tags_write(tags, touch->set, touch->line, packet->address, written(packet), true);
        tags->lines[touch->line].reserved |=
            (uint8_t)(1u << tags_sector(tags, packet->address));
    }
    tags_fill(tags, touch->set, touch->line, packet->address);
}

static void write(struct cache_functional_access *touch, enum tags_status status)
{
    char policy = touch->cache->write_allocate;
    if (status == TAGS_HIT)
        write_hit(touch);
    else if (policy == 'N')
        touch->result.sent = true;
    else if (policy == 'L' || (policy != 'W' && written(touch->packet) == UINT32_MAX))
        write_lazy(touch, status);
    else
        write_fetch(touch, status);
}

struct cache_functional_result cache_functional_access(struct cache *cache,
                                                       const struct packet *packet,
                                                       uint32_t set, uint64_t now,
                                                       uint32_t *line)
{
    struct cache_functional_access touch = {
        .cache = cache, .packet = packet, .now = now, .set = set, .line = *line};
    bool is_write = packet_is_write(packet);
    enum tags_status status =
        tags_holds(&cache->tags, *line, packet->address)
            ? tags_sector_status(&cache->tags, *line, packet->address, is_write)
            : tags_probe(&cache->tags, set, packet->address, is_write, &touch.line);
    if (status != TAGS_FAIL)
        *line = touch.line;
    touch.result.status = status == TAGS_HIT           ? CACHE_HIT
                          : status == TAGS_SECTOR_MISS ? CACHE_SECTOR_MISS
                                                       : CACHE_MISS;
    if (status == TAGS_FAIL) /* dirty lines alone, too few in all to be replaced */
        touch.result.sent = is_write, touch.result.fetched = !is_write;
    else if (is_write)
        write(&touch, status);
    else
        read(&touch, status);
    return touch.result;
}

/* Its lines, least recently used first, get numbers from FIRST on. */
static void settle_set(struct tags *tags, uint32_t set, uint64_t first)
{
    struct tags_walk walk = tags_walk(tags, set, true);
    for (uint32_t line; (line = tags_walk_next(&walk)) != TAGS_NONE;)
        tags->lines[line].last = first++;
}

void cache_functional_settle(struct tags *tags, uint64_t now)
{
    for (uint32_t set = 0; set < tags->spec.sets; set++)
        settle_set(tags, set, now > tags->max_ways ? now - tags->max_ways : 0);
}
