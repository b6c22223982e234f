#include "sim/touches.h"

#include <string.h>

#include "sim/follow.h"

#define LINE_BYTES 128u
/* Accesses that come in between two looks ahead at what one needs. */
#define AHEAD (TOUCHES_WAITING / 3)

static bool is_sectored(const struct cache *cache)
{
    return cache->tags.spec.sector_bytes == SECTOR_BYTES &&
           cache->tags.spec.line_bytes == LINE_BYTES;
}

void touches_init(struct touches *touches, struct sim *sim)
{
    memset(touches, 0, sizeof *touches);
    const struct engine *engine = &sim->engine;
    touches->sim = sim;
    touches->engine = &sim->engine;
    touches->now = follow_now(sim);
    for (uint32_t f = 0; f < sim->follower_count; f++)
        if (follow_now(sim->followers[f]) > touches->now)
            touches->now = follow_now(sim->followers[f]);
    const struct cache *l1 = &engine->sms[0]->l1, *l2 = &engine_slice(engine, 0)->cache;
    bool has_l1 = engine->spec.sm.l1_enabled, has_l2 = engine->spec.config->l2.enabled;
    touches->has_l2 = has_l2;
    bool whole =
        (!has_l1 || l1->tags.spec.line_bytes >= LINE_BYTES) && engine->spec.places.whole;
    touches->grain = whole ? LINE_BYTES : SECTOR_BYTES;
    touches->reads = whole && (!has_l1 || is_sectored(l1)) && (!has_l2 || is_sectored(l2));
    touches->l1_writes = touches->reads && has_l1 && touch_takes_lines(l1);
    touches->l2_writes = touches->reads && (!has_l2 || touch_takes_lines(l2));
}

/* ---- where lines live ---- */

static struct cache *place(const struct touches *touches, uint64_t address, uint32_t *set)
{
    if (!touches->has_l2)
        return NULL;
    uint32_t slice = place_of(&touches->engine->spec.places, address, set);
    return &engine_slice(touches->engine, slice)->cache;
}

static void find_caches(const struct touches *touches, struct touches_line *line)
{
    if (line->l1 != NULL)
        line->sets[0] =
            tags_set(&line->l1->tags, tags_line_address(&line->l1->tags, line->address));
    line->l2 = place(touches, line->address, &line->sets[1]);
}

/* ---- counting ---- */

static void count_evicted(struct cache_stats *stats, uint8_t evicted)
{
    stats->dirty_lines += evicted != 0;
    stats->dirty_sectors += (uint32_t)__builtin_popcount(evicted);
}

static void count_read(struct cache_stats *stats, bool local, uint8_t sectors,
                       const struct touch_line *result)
{
    uint64_t *counts = stats->counts[local ? CACHE_LOCAL_READ : CACHE_GLOBAL_READ];
    uint64_t hits = (uint64_t)__builtin_popcount(result->hits);
    uint64_t others = (uint64_t)__builtin_popcount(sectors) - hits;
    counts[CACHE_HIT] += hits;
    counts[CACHE_MISS] += !result->there;
    counts[CACHE_SECTOR_MISS] += others - !result->there;
    count_evicted(stats, result->evicted);
}

static void count_written(struct cache_stats *stats, bool local, uint8_t sectors,
                          const struct touch_stored *result)
{
    uint64_t *counts = stats->counts[local ? CACHE_LOCAL_WRITE : CACHE_GLOBAL_WRITE];
    uint64_t all = (uint64_t)__builtin_popcount(sectors);
    uint64_t hits = (uint64_t)__builtin_popcount(result->line.hits);
    uint64_t misses = result->refused ? all : !result->line.there;
    counts[CACHE_HIT] += hits;
    counts[CACHE_MISS] += misses;
    counts[CACHE_SECTOR_MISS] += all - hits - misses;
    count_evicted(stats, result->line.evicted);
}

/* ---- L2 ---- */

/* One packet; *AT as of touch_cache(). */
static void packet_l2(struct touches *touches, struct cache *cache, uint32_t set,
                      const struct packet *packet, uint32_t *at)
{
    touches->past_l1++;
    if (touches->sim->follower_count != 0)
        follow_packet(touches->sim, packet, touches->now);
    if (cache == NULL) {
        touches->counters.dram_reads += !packet_is_write(packet);
        touches->counters.dram_writes += (uint64_t)packet_is_write(packet);
        return;
    }
    struct touch_result result = touch_cache(cache, packet, set, touches->now++, at);
    touches->l2.counts[cache_kind(packet)][result.status]++;
    count_evicted(&touches->l2, result.evicted);
    uint32_t each = cache->tags.spec.sector_bytes / SECTOR_BYTES;
    touches->counters.dram_reads += result.fetched ? each : 0;
    touches->l2.written += each * (result.sent + (uint32_t)__builtin_popcount(result.evicted));
}

/* A packet whose place in L2 is not known. */
static void packet_anywhere(struct touches *touches, const struct packet *packet)
{
    uint32_t set = 0, at = 0;
    struct cache *cache = place(touches, packet->address, &set);
    packet_l2(touches, cache, set, packet, &at);
}

static void read_l2(struct touches *touches, const struct touches_line *line, uint8_t sectors)
{
    touches->past_l1 += (uint64_t)__builtin_popcount(sectors);
    if (touches->sim->follower_count != 0)
        follow_read(touches->sim, line->address, sectors, touches->now);
    if (line->l2 == NULL) {
        touches->counters.dram_reads += (uint64_t)__builtin_popcount(sectors);
        return;
    }
    struct touch_line result = touch_read(line->l2, line->address, sectors, line->sets[1],
                                          line->near[1], touches->now++);
    count_read(&touches->l2, line->local, sectors, &result);
    touches->l2.written += (uint32_t)__builtin_popcount(result.evicted);
    touches->counters.dram_reads +=
        (uint64_t)__builtin_popcount(sectors & (uint8_t)~result.hits);
}

static void write_l2(struct touches *touches, const struct touches_line *line)
{
    touches->past_l1 += (uint64_t)__builtin_popcount(line->sectors);
    if (touches->sim->follower_count != 0)
        follow_write(touches->sim, line->address, line->sectors, line->bytes, line->local,
                     touches->now);
    if (line->l2 == NULL) {
        touches->counters.dram_writes += (uint64_t)__builtin_popcount(line->sectors);
        return;
    }
    struct touch_stored result =
        touch_write(line->l2, line->address, line->sectors, line->bytes, line->sets[1],
                    line->near[1], touches->now++);
    count_written(&touches->l2, line->local, line->sectors, &result);
    bool sent = result.refused || line->l2->write_policy == 'T';
    touches->l2.written += (uint32_t)__builtin_popcount(result.line.evicted) +
                           (sent ? (uint32_t)__builtin_popcount(line->sectors) : 0);
}

/* ---- L1 ---- */

/* Dirty SECTORS of the line at VICTIM, which L1 has evicted, one by one. */
static void write_back(struct touches *touches, const struct cache *l1, uint64_t victim,
                       uint8_t sectors)
{
    uint32_t bytes = l1->tags.spec.sector_bytes;
    for (; sectors != 0; sectors &= (uint8_t)(sectors - 1)) {
        const struct packet back = {
            .address = victim + (uint64_t)__builtin_ctz(sectors) * bytes,
            .bytes = bytes,
            .kind = PACKET_WRITE_BACK,
        };
        packet_anywhere(touches, &back);
    }
}

static void packet_l1(struct touches *touches, const struct touches_line *line,
                      const struct packet *packet, uint32_t at[2])
{
    struct tags *tags = &line->l1->tags;
    struct touch_result result =
        touch_cache(line->l1, packet, line->sets[0], touches->now++, &at[0]);
    touches->l1.counts[cache_kind(packet)][result.status]++;
    if (result.fetched) {
        struct packet fetch = *packet;
        fetch.address &= ~(uint64_t)(tags->spec.sector_bytes - 1);
        fetch.kind = packet_is_write(packet) ? PACKET_READ : packet->kind;
        packet_l2(touches, line->l2, line->sets[1], &fetch, &at[1]);
    }
    write_back(touches, line->l1, result.victim, result.evicted);
    if (result.sent)
        packet_l2(touches, line->l2, line->sets[1], packet, &at[1]);
}

static void read_l1(struct touches *touches, const struct touches_line *line)
{
    struct touch_line result = touch_read(line->l1, line->address, line->sectors, line->sets[0],
                                          line->near[0], touches->now++);
    count_read(&touches->l1, line->local, line->sectors, &result);
    uint8_t missing = line->sectors & (uint8_t)~result.hits;
    if (missing != 0)
        read_l2(touches, line, missing);
    write_back(touches, line->l1, result.victim, result.evicted);
}

static void write_l1(struct touches *touches, const struct touches_line *line)
{
    struct touch_stored result =
        touch_write(line->l1, line->address, line->sectors, line->bytes, line->sets[0],
                    line->near[0], touches->now++);
    count_written(&touches->l1, line->local, line->sectors, &result);
    write_back(touches, line->l1, result.line.victim, result.line.evicted);
    if (result.refused || line->l1->write_policy == 'T')
        write_l2(touches, line);
}

/* ---- the order ---- */

/* Sectors one by one, the last one first. */
static void execute_packets(struct touches *touches, const struct touches_line *line)
{
    uint32_t at[2] = {0};
    for (uint32_t s = 4; s-- > 0;) {
        if (!(line->sectors >> s & 1))
            continue;
        const struct packet packet = {
            .address = line->address + s * SECTOR_BYTES,
            .bytes = line->bytes[s],
            .kind = line->kind,
            .local = line->local,
        };
        if (line->l1 != NULL)
            packet_l1(touches, line, &packet, at);
        else
            packet_l2(touches, line->l2, line->sets[1], &packet, &at[1]);
    }
}

static void read_line(struct touches *touches, const struct touches_line *line)
{
    if (line->l1 != NULL)
        read_l1(touches, line);
    else
        read_l2(touches, line, line->sectors);
}

static void write_line(struct touches *touches, const struct touches_line *line)
{
    if (line->l1 != NULL)
        write_l1(touches, line);
    else
        write_l2(touches, line);
}

static void execute(struct touches *touches, const struct touches_line *line)
{
    bool read = line->kind == PACKET_READ || line->kind == PACKET_READ_L2;
    if (read && touches->reads)
        read_line(touches, line);
    else if (line->kind == PACKET_WRITE && touches->l2_writes &&
             (line->l1 == NULL || touches->l1_writes))
        write_line(touches, line);
    else
        execute_packets(touches, line);
}

static void execute_oldest(struct touches *touches)
{
    execute(touches, &touches->waiting[touches->gone++ % TOUCHES_WAITING]);
}

/* A place for the next access, behind those that wait. */
static struct touches_line *take_place(struct touches *touches)
{
    if (touches->come - touches->gone == TOUCHES_WAITING)
        execute_oldest(touches);
    return &touches->waiting[touches->come % TOUCHES_WAITING];
}

static void prefetch_lines(struct touches_line *line)
{
    bool stored = line->kind == PACKET_WRITE;
    if (line->l1 != NULL)
        line->near[0] =
            tags_prefetch_line(&line->l1->tags, line->sets[0], line->address, stored);
    if (line->l2 != NULL)
        line->near[1] =
            tags_prefetch_line(&line->l2->tags, line->sets[1], line->address, stored);
}

static void prefetch_links(const struct touches_line *line)
{
    if (line->l1 != NULL)
        tags_prefetch_links(&line->l1->tags, line->sets[0], line->near[0], line->address);
    if (line->l2 != NULL)
        tags_prefetch_links(&line->l2->tags, line->sets[1], line->near[1], line->address);
}

/* Brings the hash of the newest access near, the lines of one that came before, and what hangs
 * on the lines of one before that. */
static void look_ahead(struct touches *touches)
{
    uint64_t newest = touches->come++;
    const struct touches_line *line = &touches->waiting[newest % TOUCHES_WAITING];
    if (line->l1 != NULL)
        tags_prefetch(&line->l1->tags, line->address);
    if (line->l2 != NULL)
        tags_prefetch(&line->l2->tags, line->address);
    follow_prefetch(touches->sim, line->address, false);
    if (newest >= touches->gone + AHEAD) {
        struct touches_line *soon = &touches->waiting[(newest - AHEAD) % TOUCHES_WAITING];
        prefetch_lines(soon);
        follow_prefetch(touches->sim, soon->address, true);
    }
    if (newest >= touches->gone + 2 * AHEAD)
        prefetch_links(&touches->waiting[(newest - 2 * AHEAD) % TOUCHES_WAITING]);
}

/* The access of SM to the line at ADDRESS, its sectors left to the caller. */
static struct touches_line *begin_line(struct touches *touches, struct sm *sm, uint64_t address,
                                       enum packet_kind kind, bool local, bool bypass)
{
    struct touches_line *line = take_place(touches);
    line->address = address;
    line->kind = (uint8_t)kind;
    line->local = local;
    line->l1 = bypass ? NULL : &sm->l1;
    line->sectors = 0;
    line->near[0] = line->near[1] = TAGS_NONE;
    find_caches(touches, line);
    return line;
}

void touches_add(struct touches *touches, struct sm *sm, const struct access_list *list,
                 enum packet_kind kind, bool local, bool bypass)
{
    for (uint32_t i = list->count; i > 0;) {
        uint64_t address = list->sectors[i - 1].address & ~(uint64_t)(touches->grain - 1);
        struct touches_line *line = begin_line(touches, sm, address, kind, local, bypass);
        for (; i > 0 && list->sectors[i - 1].address >= address; i--) {
            uint32_t s = (uint32_t)(list->sectors[i - 1].address - address) / SECTOR_BYTES;
            if (line->sectors >> s & 1)
                break; /* atomics: lanes that share bytes */
            line->sectors |= (uint8_t)(1u << s);
            line->bytes[s] = list->sectors[i - 1].bytes;
        }
        look_ahead(touches);
    }
    if (kind == PACKET_ATOMIC)
        touches->counters.atomics += list->count;
}

/* The bytes of sector S of a line, of those from FROM up to END in it. */
static uint32_t bytes_of(uint32_t s, uint32_t from, uint32_t end)
{
    uint32_t first = s * SECTOR_BYTES, last = first + SECTOR_BYTES;
    uint32_t begin = from > first ? from - first : 0;
    uint32_t most = end < last ? end - first : SECTOR_BYTES;
    uint32_t ones = most == SECTOR_BYTES ? UINT32_MAX : (1u << most) - 1;
    return ones & UINT32_MAX << begin;
}

void touches_add_range(struct touches *touches, struct sm *sm, uint64_t from, uint64_t end,
                       enum packet_kind kind, bool local, bool bypass)
{
    uint32_t grain = touches->grain;
    uint64_t first = from & ~(uint64_t)(grain - 1);
    for (uint64_t at = (end - 1) & ~(uint64_t)(grain - 1);; at -= grain) {
        struct touches_line *line = begin_line(touches, sm, at, kind, local, bypass);
        uint32_t begin = at == first ? (uint32_t)(from - at) : 0;
        uint32_t most = end - at < grain ? (uint32_t)(end - at) : grain;
        for (uint32_t s = begin / SECTOR_BYTES; s * SECTOR_BYTES < most; s++) {
            line->sectors |= (uint8_t)(1u << s);
            line->bytes[s] = bytes_of(s, begin, most);
        }
        look_ahead(touches);
        if (at == first)
            return;
    }
}

void touches_finish(struct touches *touches)
{
    while (touches->gone != touches->come)
        execute_oldest(touches);
}
