#include "sim/functional/cache_functional.h"

/* An access in progress. */
struct cache_functional_access {
    struct cache *cache;
    const struct packet *packet;
    uint64_t now;
    uint32_t set, line;
    uint8_t rest; /* sectors that were asked for beside the packet's, as a mask */
    bool later;   /* what is asked for does not come yet */
    struct cache_functional_result result;
};

static void allocate(struct cache_functional_access *access)
{
    uint64_t victim;
    uint8_t dirty = tags_allocate(&access->cache->tags, access->set, access->line,
                                  access->packet->address, access->now, &victim);
    if (dirty == 0 || access->cache->write_policy == 'T')
        return;
    access->result.evicted = dirty;
    access->result.victim = victim;
}

/* Makes room for the sector, which then waits for its data. */
static void reserve(struct cache_functional_access *access, enum tags_status status)
{
    if (status == TAGS_MISS)
        allocate(access);
    else
        tags_reserve(&access->cache->tags, access->set, access->line, access->packet->address,
                     access->now);
}

/* Reserves what is missing of BYTES around the packet's sector. */
static void reserve_rest(struct cache_functional_access *access, uint32_t bytes)
{
    struct tags *tags = &access->cache->tags;
    uint64_t at = access->packet->address & ~(uint64_t)(bytes - 1);
    uint64_t end = at + bytes;
    for (; at < end; at += tags->spec.sector_bytes) {
        if (tags_sector_status(tags, access->line, at, false) != TAGS_SECTOR_MISS)
            continue; /* the packet's own is pending */
        tags_reserve(tags, access->set, access->line, at, access->now);
        access->rest |= (uint8_t)(1u << tags_sector(tags, at));
        access->result.fetched++;
    }
}

/* Asks for the packet's sector, and what is missing around it. */
static void fetch(struct cache_functional_access *access, enum tags_status status)
{
    uint32_t bytes = cache_fetched_bytes(access->cache, access->packet);
    reserve(access, status);
    access->result.fetched = 1;
    if (bytes > access->cache->tags.spec.sector_bytes)
        reserve_rest(access, bytes);
}

/* What fetch() asked for arrives, the packet's sector first. */
static void fill(struct cache_functional_access *access)
{
    struct tags *tags = &access->cache->tags;
    uint32_t bytes = cache_fetched_bytes(access->cache, access->packet);
    uint64_t at = access->packet->address & ~(uint64_t)(bytes - 1), end = at + bytes;
    tags_fill(tags, access->set, access->line, access->packet->address);
    for (; access->rest != 0 && at < end; at += tags->spec.sector_bytes)
        if (access->rest >> tags_sector(tags, at) & 1)
            tags_fill(tags, access->set, access->line, at);
}

static void read(struct cache_functional_access *access, enum tags_status status)
{
    struct tags *tags = &access->cache->tags;
    uint64_t address = access->packet->address;
    if (status == TAGS_HIT) {
        tags_touch(tags, access->set, access->line, access->now);
    } else {
        fetch(access, status);
        if (!access->later)
            fill(access);
    }
    if (access->packet->kind == PACKET_ATOMIC)
        tags_dirty(tags, access->set, access->line, address);
}

/* The bytes of the sector that a write holds, as a mask. The level above writes back whole
 * sectors. */
static uint32_t written(const struct packet *packet)
{
    return packet->kind == PACKET_WRITE_BACK ? UINT32_MAX : packet->bytes;
}

static void write_hit(struct cache_functional_access *access)
{
    struct tags *tags = &access->cache->tags;
    const struct packet *packet = access->packet;
    char policy = access->cache->write_policy;
    access->result.sent = cache_goes_through(access->cache, packet);
    if (policy == 'E' || (policy == 'L' && access->result.sent)) {
        tags_invalidate(tags, access->set, access->line, packet->address);
        return;
    }
    tags_touch(tags, access->set, access->line, access->now);
    tags_write(tags, access->set, access->line, packet->address, written(packet), false);
}

/* Allocates the sector without fetching its data. */
static void write_lazy(struct cache_functional_access *access, enum tags_status status)
{
    access->result.sent = access->cache->write_policy == 'T';
    reserve(access, status);
    tags_write(&access->cache->tags, access->set, access->line, access->packet->address,
               written(access->packet), false);
}

/* Fetches the sector. The write is merged with the data, or sent on: under 'W' and under
 * write-through. */
static void write_fetch(struct cache_functional_access *access, enum tags_status status)
{
    struct tags *tags = &access->cache->tags;
    const struct packet *packet = access->packet;
    fetch(access, status);
    access->result.sent = cache_fetches_and_sends(access->cache);
    if (!access->result.sent) {
        tags_write(tags, access->set, access->line, packet->address, written(packet), true);
        tags->lines[access->line].reserved |=
            (uint8_t)(1u << tags_sector(tags, packet->address));
    }
    fill(access);
}

static void write(struct cache_functional_access *access, enum tags_status status)
{
    char policy = access->cache->write_allocate;
    if (status == TAGS_HIT)
        write_hit(access);
    else if (policy == 'N')
        access->result.sent = true;
    else if (policy == 'L' ? !cache_splits(access->cache, written(access->packet))
                           : policy != 'W' && written(access->packet) == UINT32_MAX)
        write_lazy(access, status);
    else
        write_fetch(access, status);
}

/* As in cache_access(). */
static void clean_one(struct cache_functional_access *access)
{
    struct tags *tags = &access->cache->tags;
    uint32_t most = access->cache->dirty_ways, line;
    uint64_t address;
    line = tags_dirty_beyond(tags, access->set, most, access->line);
    if (line != TAGS_NONE)
        access->result.cleaned = tags_clean(tags, access->set, line, &address);
}

/* The packet finds its line as STATUS says. */
static void take(struct cache_functional_access *access, enum tags_status status)
{
    bool is_write = packet_is_write(access->packet);
    access->result.status = status == TAGS_HIT || status == TAGS_PENDING ? CACHE_HIT
                            : status == TAGS_SECTOR_MISS                 ? CACHE_SECTOR_MISS
                                                                         : CACHE_MISS;
    if (status == TAGS_PENDING) { /* asked for, or in flight beside a timed launch */
        tags_touch(&access->cache->tags, access->set, access->line, access->now);
        return;
    }
    if (status ==
        TAGS_FAIL) /* all lines are dirty, and too few in the whole cache to be replaced */
        access->result.sent = is_write, access->result.fetched = !is_write;
    else if (is_write)
        write(access, status);
    else
        read(access, status);
    if (access->cache->dirty_ways != 0)
        clean_one(access);
}

struct cache_functional_result cache_functional_access(struct cache *cache,
                                                       const struct packet *packet,
                                                       uint32_t set, uint64_t now,
                                                       uint32_t *line)
{
    struct cache_functional_access access = {
        .cache = cache, .packet = packet, .now = now, .set = set, .line = *line};
    bool is_write = packet_is_write(packet);
    enum tags_status status =
        tags_holds(&cache->tags, *line, packet->address)
            ? tags_sector_status(&cache->tags, *line, packet->address, is_write)
            : tags_probe(&cache->tags, set, packet->address, is_write, &access.line);
    if (status != TAGS_FAIL)
        *line = access.line;
    take(&access, status);
    return access.result;
}

struct cache_functional_result cache_functional_ask(struct cache *cache,
                                                    const struct packet *packet, uint32_t set,
                                                    uint64_t now)
{
    struct cache_functional_access access = {
        .cache = cache, .packet = packet, .now = now, .set = set, .later = true};
    take(&access, tags_probe(&cache->tags, set, packet->address, false, &access.line));
    return access.result;
}

void cache_functional_come(struct cache *cache, const struct packet *packet, uint32_t set)
{
    struct tags *tags = &cache->tags;
    uint32_t bytes = cache_fetched_bytes(cache, packet),
             line = tags_find(tags, packet->address);
    uint64_t at = packet->address & ~(uint64_t)(bytes - 1), end = at + bytes;
    for (; line != TAGS_NONE && at < end; at += tags->spec.sector_bytes)
        if (tags_sector_status(tags, line, at, false) == TAGS_PENDING)
            tags_fill(tags, set, line, at);
}

struct cache_functional_result cache_functional_place(struct cache *cache,
                                                      const struct packet *packet, uint32_t set,
                                                      uint64_t now)
{
    struct cache_functional_access access = {
        .cache = cache, .packet = packet, .now = now, .set = set};
    enum tags_status status =
        tags_probe(&cache->tags, set, packet->address, false, &access.line);
    if (status == TAGS_HIT) {
        tags_touch(&cache->tags, set, access.line, now);
    } else if (status == TAGS_MISS || status == TAGS_SECTOR_MISS) {
        reserve(&access, status);
        tags_fill(&cache->tags, set, access.line, packet->address);
    }
    return access.result;
}

/* Numbers the lines of SET in their order, from FIRST on. */
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
