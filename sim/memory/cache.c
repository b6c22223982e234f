#include "sim/memory/cache.h"

#include <string.h>

#include "sim/stats/shares.h"

struct tags_spec cache_tags(const struct sim_cache_config *config)
{
    return (struct tags_spec){
        .sets = config->sets,
        .ways = config->ways,
        .line_bytes = config->line,
        .sector_bytes = config->sectored ? SECTOR_BYTES : config->line,
        .set_index = config->set_index,
        .replacement = config->replacement,
    };
}

/* For how many cycles BYTES take a port; 0 if there is no cache. */
static uint32_t port_cycles(const struct sim_cache_config *config, uint32_t bytes)
{
    uint32_t width = config->port_width ? config->port_width : config->line;
    return width != 0 ? (bytes + width - 1) / width : 0;
}

bool cache_init(struct cache *cache, const struct sim_cache_config *config,
                uint32_t dirty_percent)
{
    memset(cache, 0, sizeof *cache);
    struct tags_spec spec = cache_tags(config);
    spec.dirty_percent = dirty_percent;
    cache->misses_max = config->miss_queue;
    cache->hit_cycles = port_cycles(config, SECTOR_BYTES);
    for (uint32_t sectors = 0; sectors <= TAGS_SECTORS; sectors++)
        cache->sector_cycles[sectors] = port_cycles(config, sectors * spec.sector_bytes);
    cache->fills_freely = config->fill_sectors > 1;
    cache->write_cycles = config->write_cycles;
    cache->mask_cycles = config->mask_cycles;
    cache->dirty_ways = config->dirty_ways;
    cache->dirty_kept = config->dirty_kept;
    cache->write_grain = config->write_grain;
    cache->grain_through = config->grain_through;
    cache->whole_writes = config->whole_writes;
    cache->pieces = config->pieces;
    cache->block_bytes = config->fetch > spec.sector_bytes ? config->fetch : spec.sector_bytes;
    cache->prefetches = config->prefetches;
    cache->write_policy = config->write_policy;
    cache->write_allocate = config->write_allocate;
    cache->allocate_on_fill = config->allocate == 'f';
    if (!tags_init(&cache->tags, &spec) ||
        !mshr_init(&cache->mshr, config->mshr_entries, config->mshr_merge)) {
        cache_finish(cache);
        return false;
    }
    return true;
}

void cache_finish(struct cache *cache)
{
    tags_finish(&cache->tags);
    mshr_finish(&cache->mshr);
    queue_finish(&cache->misses);
}

/* An access in progress. */
struct access {
    struct cache *cache;
    const struct packet *packet;
    uint64_t now;
    uint32_t set, line;
    struct cache_result result;
};

static bool queue_has_room(const struct cache *cache, uint32_t packets)
{
    return cache->misses.count + packets <= cache->misses_max;
}

static uint64_t sector_of(const struct cache *cache, uint64_t address)
{
    return address & ~(uint64_t)(cache->tags.spec.sector_bytes - 1);
}

/* The block that is fetched together with the sector at ADDRESS. */
static uint64_t block_of(const struct cache *cache, uint64_t address)
{
    return address & ~(uint64_t)(cache->block_bytes - 1);
}

static struct cache_result fail(struct access *access)
{
    access->result.status = CACHE_FAIL;
    access->result.accepted = false;
    return access->result;
}

/* Whether the miss queue has room for PACKETS more. If not, the result says so. */
static bool need_room(struct access *access, uint32_t packets)
{
    if (queue_has_room(access->cache, packets))
        return true;
    access->result.room = (uint8_t)packets;
    return false;
}

static void count_eviction(struct cache_stats *stats, uint8_t dirty)
{
    stats->dirty_lines++;
    stats->dirty_sectors += (uint64_t)__builtin_popcount(dirty);
}

/* Counts the sectors that PACKET, a write, takes to the next level. */
static void count_written(struct cache *cache, const struct packet *packet)
{
    uint32_t bytes =
        packet->kind == PACKET_WRITE_BACK ? packet->bytes : cache->tags.spec.sector_bytes;
    SHARES_ADD(cache, packet->launch, written, bytes / SECTOR_BYTES);
}

/* DIRTY sectors of the line at ADDRESS go to the next level, PARTIAL ones among them of which
 * only a part is there. */
static void write_back(struct access *access, uint64_t address, uint8_t dirty, uint8_t partial)
{
    struct cache *cache = access->cache;
    struct packet back = {
        .address = address,
        .bytes = (uint32_t)__builtin_popcount(dirty) * cache->tags.spec.sector_bytes,
        .op = cache->whole_writes ? (uint16_t)__builtin_popcount(dirty & partial) : 0,
        .sm = access->packet->sm,
        .slice = access->packet->slice,
        .kind = PACKET_WRITE_BACK,
        .dirty = dirty,
        .launch = access->packet->launch,
    };
    queue_push(&cache->misses, &back, access->now);
    count_written(cache, &back);
}

/* Allocates the line that tags_probe() chose, and writes its dirty sectors back unless the next
 * level has them already. */
static void allocate(struct access *access)
{
    struct cache *cache = access->cache;
    uint64_t evicted;
    uint8_t partial = cache->tags.lines[access->line].partial;
    uint8_t dirty = tags_allocate(&cache->tags, access->set, access->line,
                                  access->packet->address, access->now, &evicted);
    if (dirty == 0 || cache->write_policy == 'T')
        return;
    write_back(access, evicted, dirty, partial);
    access->result.evicted = dirty;
    SHARES_CALL(cache, access->packet->launch, count_eviction, dirty);
}

/* What every accepted access does to the tags, depending on what the probe found. */
static void take_line(struct access *access, enum tags_status status)
{
    struct tags *tags = &access->cache->tags;
    if (status == TAGS_HIT || status == TAGS_PENDING)
        tags_touch(tags, access->set, access->line, access->now);
    else if (access->cache->allocate_on_fill && !packet_is_write(access->packet))
        return;
    else if (status == TAGS_MISS)
        allocate(access);
    else
        tags_reserve(tags, access->set, access->line, access->packet->address, access->now);
}

static uint8_t status_of(enum tags_status status)
{
    switch (status) {
    case TAGS_HIT:
        return CACHE_HIT;
    case TAGS_PENDING:
        return CACHE_PENDING;
    case TAGS_SECTOR_MISS:
        return CACHE_SECTOR_MISS;
    default:
        return CACHE_MISS;
    }
}

/* The bytes of the sector that a write holds, as a mask. The level above writes back whole
 * sectors. */
static uint32_t written(const struct packet *packet)
{
    return packet->kind == PACKET_WRITE_BACK ? UINT32_MAX : packet->bytes;
}

static void ask_next_level(struct access *access, uint64_t sector)
{
    struct cache *cache = access->cache;
    struct packet *fetch = queue_add(&cache->misses, access->now);
    *fetch = *access->packet;
    fetch->address = sector;
    if (packet_is_write(access->packet)) {
        fetch->kind = PACKET_READ;
        fetch->merged = 0;
    }
    fetch->mshr = mshr_next(&cache->mshr);
}

static uint32_t add_waiter(struct access *access, uint32_t entry, uint64_t block)
{
    struct cache *cache = access->cache;
    if (!packet_is_write(access->packet) || !cache_fetches_and_sends(cache))
        return mshr_add(&cache->mshr, entry, block, access->packet);
    struct packet waiter = *access->packet;
    waiter.kind = PACKET_WRITE_BACK; /* the write is sent on, and the next level answers it */
    return mshr_add(&cache->mshr, entry, block, &waiter);
}

/* Fetches the rest of the block with the sector that missed: what of it is not there. */
static void fetch_rest(struct access *access, struct mshr_entry *entry)
{
    struct tags *tags = &access->cache->tags;
    uint64_t sector = sector_of(access->cache, access->packet->address),
             address = entry->address, end = address + access->cache->block_bytes;
    for (; address < end; address += tags->spec.sector_bytes) {
        if (address == sector ||
            tags_sector_status(tags, access->line, address, false) != TAGS_SECTOR_MISS)
            continue;
        tags_reserve(tags, access->set, access->line, address, access->now);
        entry->bytes = (uint16_t)(entry->bytes + tags->spec.sector_bytes);
    }
}

/* ENTRY is new: it waits for what the access has asked the next level for. */
static void begin_entry(struct access *access, struct mshr_entry *entry)
{
    struct cache *cache = access->cache;
    entry->set = access->set;
    entry->line = access->line;
    entry->missing = (uint8_t)cache->pieces;
    entry->bytes = (uint16_t)cache->tags.spec.sector_bytes;
    if (cache->block_bytes > entry->bytes)
        fetch_rest(access, entry);
    if (access->packet->together != 0) /* others of its block come by chance */
        entry->asked |= ~access->packet->together & 15;
    cache->changes[CACHE_WANTS_MSHR]++;
    cache->asked++;
    cache->last_asked = entry->address;
}

/* A read that did not hit waits in an MSHR; the first one of a block requests it from the next
 * level. ROOM: packets that the miss queue must be able to take in the worst case. */
static bool read_miss(struct access *access, enum tags_status status, uint32_t room)
{
    struct cache *cache = access->cache;
    uint64_t block = block_of(cache, access->packet->address);
    if (!need_room(access, room))
        return false;
    uint32_t entry = mshr_find(&cache->mshr, block);
    if (!mshr_has_room(&cache->mshr, entry)) {
        access->result.room = entry == MSHR_NONE ? CACHE_NO_MSHR : 0;
        return false;
    }
    bool merged = entry != MSHR_NONE;
    if (status == TAGS_PENDING && mshr_is_first(&cache->mshr, entry, access->packet->address))
        SHARES_ADD(cache, access->packet->launch, first_pending[cache_kind(access->packet)], 1);
    if (!merged) /* before the evicted line is written back */
        ask_next_level(access, sector_of(cache, access->packet->address));
    take_line(access, status);
    entry = add_waiter(access, entry, block);
    if (merged)
        SHARES_ADD(cache, access->packet->launch, mshr_hits[cache_kind(access->packet)], 1);
    else
        begin_entry(access, &cache->mshr.pool[entry]);
    return true;
}

/* Fills the reserved sectors of LINE for which no data are in flight. Returns whether LINE
 * waits for nothing else. */
static bool settle_line(struct cache *cache, uint32_t set, uint32_t line)
{
    struct tags *tags = &cache->tags;
    uint64_t address = tags->lines[line].address;
    for (uint32_t s = 0; s < TAGS_SECTORS; s++, address += tags->spec.sector_bytes)
        if ((tags->lines[line].reserved >> s & 1) &&
            !mshr_awaits(&cache->mshr, block_of(cache, address)))
            tags_fill(tags, set, line, address);
    return tags->lines[line].reserved == 0;
}

/* Whether a line of the set waits for the other half of L2, and so perhaps for a line of this
 * set. */
static bool awaits_copies(const struct access *access)
{
    const struct tags *tags = &access->cache->tags;
    const struct tags_line *lines = &tags->lines[access->set * tags->max_ways];
    for (uint32_t way = 0; way < tags->spec.ways; way++)
        if ((lines[way].address & PACKET_COPIED) && lines[way].reserved != 0)
            return true;
    return false;
}

/* Finds a line to replace in a set where none can be and no data are on their way that would
 * change that. The reference then waits for ever. There are two ways into it: all lines are
 * dirty, but too few in the whole cache for dirty lines to be replaced; or a line was evicted
 * while waiters of its MSHR were still handed their data, and a read that merged with these
 * reserved it again, for a fill that had come already. */
static enum tags_status free_stuck_set(struct access *access)
{
    const struct tags *tags = &access->cache->tags;
    uint32_t first = access->set * tags->max_ways;
    bool copies = awaits_copies(access);
    for (uint32_t line = first; line < first + tags->spec.ways; line++)
        if (!settle_line(access->cache, access->set, line) && !copies)
            return TAGS_FAIL;
    access->line = tags_victim(tags, access->set);
    if (access->line == TAGS_NONE && copies)
        return TAGS_FAIL;
    if (access->line == TAGS_NONE)
        access->line = tags->spec.replacement->victim(tags, access->set, false);
    return TAGS_MISS;
}

static struct cache_result read_access(struct access *access, enum tags_status status)
{
    struct cache *cache = access->cache;
    if (status == TAGS_FAIL)
        return fail(access);
    if (status == TAGS_HIT) {
        take_line(access, status);
        if (access->packet->kind == PACKET_ATOMIC)
            tags_dirty(&cache->tags, access->set, access->line, access->packet->address);
        access->result.hit = true;
    } else if (!read_miss(access, status, 2)) {
        return fail(access);
    }
    access->result.status = status_of(status);
    return access->result;
}

static struct cache_result write_hit(struct access *access)
{
    struct cache *cache = access->cache;
    bool through = cache_goes_through(cache, access->packet);
    if (through && !need_room(access, 1))
        return fail(access);
    if (through) {
        queue_push(&cache->misses, access->packet, access->now);
        access->result.sent = true;
    }
    if (cache->write_policy == 'E' || (cache->write_policy == 'L' && through)) {
        tags_invalidate(&cache->tags, access->set, access->line, access->packet->address);
    } else {
        take_line(access, TAGS_HIT);
        tags_write(&cache->tags, access->set, access->line, access->packet->address,
                   written(access->packet), false);
    }
    access->result.status = CACHE_HIT;
    access->result.hit = true;
    return access->result;
}

/* The write is only sent on to the next level. */
static struct cache_result write_around(struct access *access, enum tags_status status)
{
    if (!need_room(access, 1))
        return fail(access);
    queue_push(&access->cache->misses, access->packet, access->now);
    access->result.sent = true;
    access->result.status = status_of(status);
    return access->result;
}

/* Allocates a line without fetching its data: reads of bytes that were not written fetch them
 * later. */
static struct cache_result write_lazy(struct access *access, enum tags_status status)
{
    struct cache *cache = access->cache;
    if (!need_room(access, 1))
        return fail(access);
    if (cache->write_policy == 'T') {
        queue_push(&cache->misses, access->packet, access->now);
        access->result.sent = true;
    }
    take_line(access, status);
    tags_write(&cache->tags, access->set, access->line, access->packet->address,
               written(access->packet), status == TAGS_PENDING);
    access->result.status = status_of(status);
    return access->result;
}

/* Fetches the sector before the write: always under 'W', under 'F' unless the write covers the
 * sector. Under 'W' and under write-through the write is also sent on. */
static struct cache_result write_fetch(struct access *access, enum tags_status status)
{
    struct cache *cache = access->cache;
    bool send = cache_fetches_and_sends(cache);
    if (cache->write_allocate == 'F' && written(access->packet) == UINT32_MAX)
        return write_lazy(access, status);
    if (!need_room(access, send ? 3 : 2))
        return fail(access);
    if (!read_miss(access, status, 1))
        return fail(access);
    if (send) {
        queue_push(&cache->misses, access->packet, access->now);
        access->result.sent = true;
    } else {
        tags_write(&cache->tags, access->set, access->line, access->packet->address,
                   written(access->packet), true);
        cache->tags.lines[access->line].reserved |=
            (uint8_t)(1u << tags_sector(&cache->tags, access->packet->address));
    }
    access->result.fetching = true;
    access->result.status = status_of(status);
    return access->result;
}

static struct cache_result write_access(struct access *access, enum tags_status status)
{
    if (status == TAGS_HIT)
        return write_hit(access);
    if (access->cache->write_allocate == 'N')
        return write_around(access, status);
    if (status == TAGS_FAIL)
        return fail(access);
    if (access->cache->write_allocate == 'L' &&
        !cache_splits(access->cache, written(access->packet)))
        return write_lazy(access, status);
    return write_fetch(access, status);
}

/* A hit moves its data through the port; a write that misses moves the dirty data that it
 * evicts. What a read evicts costs no port cycles, as in the reference. */
static void use_data_port(struct cache *cache, const struct cache_result *result,
                          const struct packet *packet, uint64_t now)
{
    bool write = packet_is_write(packet);
    uint32_t cycles = 0;
    if (result->hit)
        cycles = cache->hit_cycles;
    else if (write && result->evicted)
        cycles = cache->sector_cycles[__builtin_popcount(result->evicted)];
    if (write && cache->write_cycles != 0)
        cycles = cache->write_cycles + (packet->masked ? cache->mask_cycles : 0);
    cache->data_free = (cache->data_free > now ? cache->data_free : now) + cycles;
}

/* Sectors of ADDRESS's block may have become readable. */
static void arrive(struct cache *cache, uint64_t address)
{
    for (int want = 0; want < CACHE_WANTS; want++)
        cache->changes[want]++;
    cache->arrivals++;
    cache->arrived = block_of(cache, address);
}

/* With more dirty lines in its set than there may be, the access writes one of them back. */
static void clean_one(struct access *access)
{
    struct cache *cache = access->cache;
    uint64_t address;
    uint32_t line =
        tags_dirty_beyond(&cache->tags, access->set, cache->dirty_ways, access->line);
    if (line == TAGS_NONE || !queue_has_room(cache, 1))
        return;
    uint8_t partial = cache->tags.lines[line].partial;
    uint8_t dirty = tags_clean(&cache->tags, access->set, line, &address);
    write_back(access, address, dirty, partial);
}

struct cache_result cache_access(struct cache *cache, const struct packet *packet, uint32_t set,
                                 uint64_t now)
{
    struct access access = {
        .cache = cache, .packet = packet, .now = now, .set = set, .result = {.accepted = true}};
    bool write = packet_is_write(packet);
    enum tags_status status =
        tags_probe(&cache->tags, access.set, packet->address, write, &access.line);
    if (status == TAGS_FAIL && !(write && cache->write_allocate == 'N'))
        status = free_stuck_set(&access);
    struct cache_result result =
        write ? write_access(&access, status) : read_access(&access, status);
    if (result.accepted) {
        use_data_port(cache, &result, packet, now);
        if (result.sent)
            count_written(cache, packet);
        if (cache->dirty_ways != 0)
            clean_one(&access);
        if (write)
            arrive(cache, packet->address);
        else
            cache->changes[CACHE_WANTS_ANYTHING]++;
    }
    if (result.status == CACHE_FAIL)
        cache->stats.counts[cache_kind(packet)][CACHE_FAIL]++;
    else
        SHARES_ADD(cache, packet->launch, counts[cache_kind(packet)][result.status], 1);
    return result;
}

void cache_note_refusal(const struct cache *cache, struct cache_refusal *refusal,
                        const struct packet *packet, const struct cache_result *result)
{
    enum cache_want want = result->room == 0               ? CACHE_WANTS_ANYTHING
                           : result->room == CACHE_NO_MSHR ? CACHE_WANTS_MSHR
                                                           : CACHE_WANTS_ROOM;
    *refusal = (struct cache_refusal){
        .changes = cache->changes[want],
        .arrivals = cache->arrivals,
        .asked = cache->asked,
        .room = result->room,
        .want = (uint8_t)want,
        .kind = (uint8_t)cache_kind(packet),
        .stands = true,
    };
}

/* Whether BLOCK, which was not in flight when the access was refused, is in flight now. */
static bool was_asked(const struct cache *cache, const struct cache_refusal *refusal,
                      uint64_t block)
{
    uint64_t asked = cache->asked - refusal->asked;
    return asked != 0 && (asked > 1 || cache->last_asked == block) &&
           cache_awaits(cache, block);
}

/* Whether what the refused access of BLOCK waits for is still missing. */
static bool still_lacks(const struct cache *cache, const struct cache_refusal *refusal,
                        uint64_t block)
{
    if (refusal->want == CACHE_WANTS_ROOM)
        return !queue_has_room(cache, refusal->room);
    return refusal->want == CACHE_WANTS_MSHR && !mshr_has_room(&cache->mshr, MSHR_NONE) &&
           !was_asked(cache, refusal, block);
}

/* Whether PACKET, of BLOCK, may have become a hit since the refusal. */
static bool may_hit(const struct cache *cache, const struct cache_refusal *refusal,
                    const struct packet *packet, uint64_t block)
{
    uint64_t arrivals = cache->arrivals - refusal->arrivals;
    if (arrivals == 0 || (arrivals == 1 && cache->arrived != block))
        return false;
    return tags_hit(&cache->tags, packet->address, packet_is_write(packet));
}

bool cache_refuses_again(const struct cache *cache, struct cache_refusal *refusal,
                         const struct packet *packet)
{
    uint64_t block = block_of(cache, packet->address);
    if (!still_lacks(cache, refusal, block) || may_hit(cache, refusal, packet, block))
        return false;
    refusal->changes = cache->changes[refusal->want];
    refusal->arrivals = cache->arrivals;
    refusal->asked = cache->asked;
    return true;
}

bool cache_awaits(const struct cache *cache, uint64_t address)
{
    return mshr_find(&cache->mshr, block_of(cache, address)) != MSHR_NONE;
}

/* Finds the line that the sector of ENTRY at ADDRESS goes to, and its set. */
static enum tags_status find_filled(const struct cache *cache, const struct mshr_entry *entry,
                                    uint64_t address, uint32_t *set, uint32_t *line)
{
    const struct tags *tags = &cache->tags;
    *set = entry->set;
    *line = entry->line;
    if (!cache->allocate_on_fill && tags_holds(tags, *line, address))
        return tags_sector_status(tags, *line, address, false);
    return tags_probe(tags, *set, address, false, line);
}

uint64_t cache_missing_sector(const struct cache *cache, uint64_t address)
{
    uint64_t at = block_of(cache, address), end = at + cache->block_bytes;
    for (; at < end; at += cache->tags.spec.sector_bytes)
        if (!tags_hit(&cache->tags, at, false))
            return at;
    return address;
}

void cache_place(struct cache *cache, const struct packet *packet, uint32_t set, uint64_t now)
{
    struct access access = {.cache = cache, .packet = packet, .now = now, .set = set};
    enum tags_status status =
        tags_probe(&cache->tags, set, packet->address, false, &access.line);
    if (status == TAGS_HIT)
        tags_touch(&cache->tags, set, access.line, now);
    if ((status != TAGS_MISS && status != TAGS_SECTOR_MISS) || !queue_has_room(cache, 1))
        return;
    take_line(&access, status);
    tags_fill(&cache->tags, set, access.line, packet->address);
}

void cache_prefetch(struct cache *cache, const struct packet *packet, uint32_t set,
                    uint64_t now)
{
    struct access access = {.cache = cache, .packet = packet, .now = now, .set = set};
    struct packet waiter = *packet;
    uint64_t block = block_of(cache, packet->address);
    if (!queue_has_room(cache, 1) || !mshr_has_room(&cache->mshr, MSHR_NONE) ||
        mshr_find(&cache->mshr, block) != MSHR_NONE ||
        tags_probe(&cache->tags, set, packet->address, false, &access.line) != TAGS_SECTOR_MISS)
        return;
    ask_next_level(&access, packet->address);
    take_line(&access, TAGS_SECTOR_MISS);
    waiter.kind = PACKET_WRITE_BACK; /* as in add_waiter() */
    uint32_t entry = mshr_add(&cache->mshr, MSHR_NONE, block, &waiter);
    begin_entry(&access, &cache->mshr.pool[entry]);
    cache->mshr.pool[entry].asked = ~packet->together & 15;
}

/* Fills the other sectors of ENTRY's block that were fetched with the first one, and dirties
 * those of atomics. LINE holds them. */
static void fill_rest(struct cache *cache, const struct mshr_entry *entry, uint32_t set,
                      uint32_t line)
{
    struct tags *tags = &cache->tags;
    uint64_t address = entry->address, end = address + cache->block_bytes;
    for (; address < end; address += tags->spec.sector_bytes) {
        uint32_t sector = tags_sector(tags, address);
        if ((tags->lines[line].reserved | tags->lines[line].whole_on_fill) >> sector & 1)
            tags_fill(tags, set, line, address);
        if (entry->atomic >> sector & 1)
            tags_dirty(tags, set, line, address);
    }
}

void cache_fill(struct cache *cache, const struct packet *packet, uint64_t now)
{
    struct tags *tags = &cache->tags;
    uint32_t entry = packet->mshr, set, line;
    enum tags_status status =
        find_filled(cache, &cache->mshr.pool[entry], packet->address, &set, &line);
    if (cache->allocate_on_fill && status == TAGS_MISS) {
        uint64_t evicted;
        tags_allocate(tags, set, line, packet->address, now, &evicted);
        status = TAGS_PENDING;
    } else if (cache->allocate_on_fill && status == TAGS_SECTOR_MISS) {
        tags_reserve(tags, set, line, packet->address, now);
    }
    /* A line whose only awaited sector was overwritten may have been replaced since. Then there
     * is nothing to fill. */
    if (status != TAGS_MISS && status != TAGS_FAIL) {
        tags_fill(tags, set, line, packet->address);
        if (cache->block_bytes > tags->spec.sector_bytes)
            fill_rest(cache, &cache->mshr.pool[entry], set, line);
        else if (cache->mshr.pool[entry].atomic)
            tags_dirty(tags, set, line, packet->address);
    }
    mshr_ready(&cache->mshr, entry);
    arrive(cache, packet->address);
    if (cache->fills_freely)
        return;
    cache->fill_free =
        (cache->fill_free > now ? cache->fill_free : now) + cache->sector_cycles[1];
}
